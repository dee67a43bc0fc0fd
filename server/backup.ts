// `bun run backup FILE`: writes the whole content of DATABASE_URL, or of the embedded database in DATA_DIR, to one
// file. An instance may be serving the database. The file is as secret as the data, because it contains the signing
// keys.
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { Client } from "pg";

import packageJson from "../package.json" with { type: "json" };
import type { Secrets } from "./backup/format.ts";
import { storeFile } from "./backup/store-file.ts";
import { backupOf } from "./backup/write.ts";
import { objectStoreOfEnvironment } from "./object-store.ts";
import { databasePlace, reachDatabase } from "./reach-database.ts";

const [path, ...more] = process.argv.slice(2);
if (path === undefined || more.length > 0 || path.startsWith("-")) {
  process.stderr.write("bun run backup FILE\n");
  process.exit(2);
}

try {
  const place = databasePlace();
  const reached = await reachDatabase(place);
  const client = new Client({ connectionString: reached.url, application_name: "plinth-backup" });
  try {
    await client.connect();
    // A backup may take long, and the server may be configured to end idle sessions.
    await client.query("SET idle_in_transaction_session_timeout = 0; SET statement_timeout = 0");
    let [tables, rows] = [0, 0];
    const bytes = await storeFile(
      path,
      backupOf({
        client,
        program: packageJson.version,
        objects: objectStoreOfEnvironment(),
        // With DATABASE_URL the environment has the secrets.
        secrets: place.databaseUrl === null ? secretsOf(place.dataDir) : {},
        onTable: (_name, sum) => {
          tables++;
          rows += sum.rows;
        },
      }),
    );
    const size = (bytes / 1e6).toFixed(1);
    process.stdout.write(
      `${path}: ${rows.toLocaleString("en")} rows of ${tables} tables, ${size} MB. Keep it secret.\n`,
    );
  } finally {
    await client.end();
    await reached.close();
  }
  process.exit(0);
} catch (error) {
  process.stderr.write(`backup: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}

/** The secrets generated on the first start that exist so far. */
function secretsOf(dataDir: string): Secrets {
  const secrets: Secrets = {};
  for (const name of ["secret", "operator-token"] as const) {
    const found = readIfThere(join(dataDir, name));
    if (found !== null) secrets[name] = found.trim();
  }
  return secrets;
}

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}
