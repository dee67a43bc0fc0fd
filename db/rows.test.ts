import { expect, test } from "bun:test";
import { encodeId } from "@plinth/contract/ids";
import { sql } from "drizzle-orm";
import { boolean, integer, pgTable, text } from "drizzle-orm/pg-core";

import { id, time } from "./columns.ts";
import { columnsNamed, columnsWithout, givenOf, listOf, readerOf, selectOf, unsetOf } from "./rows.ts";

const shelf = pgTable("shelf", { shelfId: id("prj").primaryKey(), slug: text().notNull() });
const book = pgTable("book", {
  bookId: id("art").primaryKey(),
  shortTitle: text().notNull(),
  subtitle: text(),
  tags: text().array().notNull(),
  editions: integer().notNull().default(1),
  isLent: boolean().notNull().default(false),
  createdAt: time()
    .notNull()
    .default(sql`now()`),
});
const columns = { ...columnsWithout(book, "editions", "isLent"), shelfSlug: shelf.slug };

const uuid = "01970000-0000-7000-8000-000000000001";

test("a row's columns: those of the table but the ones left out, and those of other tables", () => {
  expect(Object.keys(columns)).toEqual(["bookId", "shortTitle", "subtitle", "tags", "createdAt", "shelfSlug"]);
  expect(Object.keys(columnsNamed(book, "tags", "bookId"))).toEqual(["tags", "bookId"]);
});

test("a list of columns: each has the name of the property, from the alias of its table", () => {
  expect(selectOf(columns, { book: "b", shelf: "s" })).toBe(
    "b.book_id, b.short_title, b.subtitle, b.tags, b.created_at, s.slug AS shelf_slug",
  );
  expect(listOf(columns, "a")).toBe("a.book_id, a.short_title, a.subtitle, a.tags, a.created_at, a.shelf_slug");
  expect(() => selectOf(columns, { book: "b" })).toThrow("the statement has no alias for shelf");
});

test("two rows in one statement: a prefix keeps their columns apart", () => {
  const shelfColumns = columnsWithout(shelf);
  expect(selectOf(shelfColumns, { shelf: "s" }, "s_")).toBe("s.shelf_id AS s_shelf_id, s.slug AS s_slug");
  expect(listOf(shelfColumns, "a", "s_")).toBe("a.s_shelf_id, a.s_slug");
  const read = readerOf(shelfColumns, "s_")({ s_shelf_id: uuid, s_slug: "a", ...{ slug: "another" } });
  expect(read).toEqual({ shelfId: encodeId("prj", uuid), slug: "a" });
});

test("a row is read by its columns alone, with identifiers in place of UUIDs", () => {
  const createdAt = new Date(0);
  const raw = { book_id: uuid, short_title: "T", subtitle: null, tags: ["a"], created_at: createdAt, shelf_slug: "s" };
  const read = readerOf(columns)({ ...raw, ...{ n: 7 } });
  expect(read).toEqual({
    bookId: encodeId("art", uuid),
    shortTitle: "T",
    subtitle: null,
    tags: ["a"],
    createdAt,
    shelfSlug: "s",
  });
});

test("parameters of an INSERT: name, type and value of each column, lists as they are", () => {
  const given = givenOf(columnsNamed(book, "bookId", "subtitle", "tags"));
  const row = { bookId: encodeId("art", uuid), subtitle: null, tags: ["a", "b"] };
  expect(given.map(({ name, type, isNullable, valueOf }) => [name, type, isNullable, valueOf(row)])).toEqual([
    ["book_id", "uuid", false, uuid],
    ["subtitle", "text", true, null],
    ["tags", "text[]", false, ["a", "b"]],
  ]);
});

test("columns that an INSERT leaves out: their default or null; one that the database decides is refused", () => {
  expect(unsetOf(columnsWithout(book, "createdAt"))).toEqual({ subtitle: null, editions: 1, isLent: false });
  expect(() => unsetOf(columnsNamed(book, "createdAt"))).toThrow("the database decides the default of createdAt");
});
