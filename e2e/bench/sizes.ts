// `bun e2e/bench/sizes.ts [count]`: how many bytes an artifact takes in the database, by table and index, measured with
// artifacts of 10 KB, every tenth with two versions. docs/scaling.md calculates with them.
import { SQL } from "bun";
import { realpathSync } from "node:fs";
import { rm } from "node:fs/promises";

import { startInstance } from "../harness/instance.ts";
import { temporaryFolder } from "../harness/process.ts";
import { makeAccount, publishReports, send } from "./account.ts";
import { databaseUrlOf } from "../harness/embedded-database.ts";
import { document } from "./documents.ts";

const count = Number(process.argv[2] ?? 20_000);
const dataDir = realpathSync(await temporaryFolder("sizes"));
const instance = await startInstance({ dataDir });
const sql = new SQL(databaseUrlOf(dataDir), { max: 1 });

interface Row {
  name: string;
  rows: number;
  table: number;
  indexes: number;
  toast: number;
}

try {
  const account = await makeAccount(instance);
  const published = await publishReports(instance, account, count);
  for (const [n, { artifactId }] of published.entries())
    if (n % 10 === 0)
      await send(instance, account.authorization, `/api/artifacts/${artifactId}/versions`, {
        content: document(count + n),
      });
  const written = async () => (await sql<{ n: number }[]>`SELECT count(*)::int AS n FROM search_document`)[0]?.n ?? 0;
  while ((await written()) < count) await Bun.sleep(500);
  // Measures the size after the usual cleanup and not right after the writes.
  await sql.unsafe("VACUUM ANALYZE");
  const rows = await sql<Row[]>`
    SELECT c.relname AS name, c.reltuples::int AS rows, pg_relation_size(c.oid)::float8 AS table,
      pg_indexes_size(c.oid)::float8 AS indexes,
      (pg_total_relation_size(c.oid) - pg_relation_size(c.oid) - pg_indexes_size(c.oid))::float8 AS toast
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind = 'r' AND n.nspname = 'public' AND c.reltuples > ${count / 10}
    ORDER BY pg_total_relation_size(c.oid) DESC`;
  console.log("| Table | Rows | Bytes a row | of it indexes | of it apart (TOAST) |\n|---|---|---|---|---|");
  for (const { name, rows: n, table, indexes, toast } of rows)
    console.log(
      `| ${name} | ${n} | ${[table + indexes + toast, indexes, toast].map((bytes) => Math.round(bytes / n)).join(" | ")} |`,
    );
  const total = rows.reduce((sum, { table, indexes, toast }) => sum + table + indexes + toast, 0);
  console.log(`In all ${Math.round(total / count)} bytes an artifact, ${count} of them.`);
} finally {
  await sql.close();
  await instance.stop();
  await rm(dataDir, { recursive: true });
}
