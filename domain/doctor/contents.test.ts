import { afterAll, beforeAll, expect, test } from "bun:test";

import { testDatabase, type TestDatabase } from "@plinth/db/test/database";

import { brokenContents } from "./contents.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.drop());

test("contents are read fifty at a time, each once", async () => {
  await db.run(
    `INSERT INTO content (sha256, data, size_bytes)
     SELECT sha256(n::text::bytea), '\\x00', 1 FROM generate_series(1, 120) n`,
  );
  const batches: number[] = [];
  const counting = {
    ...db,
    async run<Row>(statement: string, parameters?: readonly unknown[]): Promise<Row[]> {
      const rows = await db.run<Row>(statement, parameters);
      batches.push(rows.length);
      return rows;
    },
  };
  const broken = await Array.fromAsync(brokenContents(counting));
  expect(batches).toEqual([50, 50, 20, 0]);
  expect(new Set(broken).size).toBe(120);
});
