// Named parameters become positions, in a text that PostgreSQL accepts.
import { afterAll, beforeAll, expect, test } from "bun:test";

import { named } from "./named-parameters.ts";
import { testDatabase, type TestDatabase } from "./test/database.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.drop());

const statement = named<{ second: string | null; first: number }>(
  "SELECT $first::int AS one, $second::text AS two, $first::int + 1 AS more",
);

test("named parameters: each name has one position, in the order of first use", () => {
  expect(statement.text).toBe("SELECT $1::int AS one, $2::text AS two, $1::int + 1 AS more");
  expect(statement.valuesOf({ second: "b", first: 1 })).toEqual([1, "b"]);
});

test("named parameters: a name that begins with another name stays whole, and `$` before a digit or quote stays", () => {
  const quoted = named<{ id: number; id_of_job: number }>("SELECT $id_of_job, $id, $$text$$, '$.path', $2");
  expect(quoted.text).toBe("SELECT $1, $2, $$text$$, '$.path', $2");
  expect(quoted.valuesOf({ id: 2, id_of_job: 1 })).toEqual([1, 2]);
});

test("named parameters: null is a value, a missing parameter is an error", () => {
  expect(statement.valuesOf({ second: null, first: 1 })).toEqual([1, null]);
  expect(() => statement.valuesOf({ first: 1 } as never)).toThrow("the statement needs the parameter second");
});

test("named parameters: PostgreSQL runs the statement", async () => {
  const rows = await db.run(statement.text, statement.valuesOf({ second: "b", first: 1 }));
  expect(rows).toEqual([{ one: 1, two: "b", more: 2 }]);
});
