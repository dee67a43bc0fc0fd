// Measures the bytes of the search document of prose of 10 KB: in its row, apart from it (TOAST) and in its indexes.
import { SQL } from "bun";

import { databaseUrlOf } from "../harness/embedded-database.ts";
import { startInstance } from "../harness/instance.ts";
import { jobsDone, makeAccount, newReport, send } from "./account.ts";
import type { Run } from "./measure.ts";
import { prose } from "./prose.ts";
import { whole } from "./report.ts";

const textBytes = 10_000;
const atOnce = 16;

interface Sizes {
  readonly rows: number;
  readonly row: number;
  readonly apart: number;
  readonly indexes: number;
  readonly words: number;
  readonly quoted: number;
  readonly lexemes: number;
}

const sizesStatement = `
SELECT count(*)::int AS rows, pg_relation_size('search_document')::float8 AS row, pg_indexes_size('search_document')::float8 AS indexes,
  (pg_table_size('search_document') - pg_relation_size('search_document'))::float8 AS apart,
  avg(pg_column_size(words))::float8 AS words, avg(pg_column_size(quoted))::float8 AS quoted, avg(length(words))::float8 AS lexemes
FROM search_document`;

export async function measureSearchBytes({ report, artifacts, place }: Run): Promise<void> {
  const dataDir = place("search-bytes");
  const instance = await startInstance({ dataDir });
  const { authorization } = await makeAccount(instance);
  const count = artifacts(2000);
  let next = 0;
  const publisher = async () => {
    for (let n = next++; n < count; n = next++) {
      const body = { ...newReport, slug: `prose-${n}`, ...prose(n, textBytes) };
      await send(instance, authorization, "/api/artifacts", body);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, publisher));
  await jobsDone(instance);
  const database = new SQL(databaseUrlOf(dataDir), { max: 1 });
  // What waits to be put into an index belongs into it.
  await database.unsafe("VACUUM search_document");
  const [sizes] = await database.unsafe<Sizes[]>(sizesStatement);
  await database.close();
  await instance.stop();
  if (sizes?.rows !== count) throw new Error(`${sizes?.rows} of ${count} documents were written`);
  const { row, apart, indexes } = sizes;
  const each = (bytes: number) => whole(bytes / count);
  report.add({
    figure: "bytes of a search document, of prose of 10 KB",
    product: `${each(row + apart + indexes)} (${each(row)} in its row, ${each(apart)} apart, ${each(indexes)} of indexes)`,
    ratio: ((row + apart + indexes) / count / textBytes).toFixed(2),
  });
  const { words, quoted, lexemes } = sizes;
  report.add({
    figure: "of it, before pages and pointers",
    product: `${whole(words)} of ${whole(lexemes)} words and marks, ${whole(quoted)} of text to quote from`,
  });
}
