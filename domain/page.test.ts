// The end of a list: a page says that another one follows only where one row more was found.
import { expect, test } from "bun:test";

import { pageOf } from "./page.ts";

const page = (rows: readonly string[], limit: number) => pageOf("test", rows, limit, (row) => row);

test("a page with one row more than its limit shows the limit and has a cursor", () => {
  const { shown, nextCursor } = page(["a", "b", "c"], 2);
  expect(shown).toEqual(["a", "b"]);
  expect(nextCursor).toBeString();
});

test.each([[["a", "b"]], [["a"]], [[]]])("a page of %p with the limit 2 is the last one", (rows) => {
  expect(page(rows, 2)).toEqual({ shown: rows, nextCursor: null });
});
