import { expect, test } from "bun:test";

import { describe } from "./describe.ts";
import { styleOf } from "../terminal/style.ts";

const plain = styleOf({ isTerminal: false, columns: 80 }, {});

test("each member is a line, nested ones by their path, items of a list by their place", () => {
  const described = describe(
    {
      title: "Report\nof the year",
      count: 12_345,
      sizeBytes: 1536,
      isPublic: false,
      access: { publicView: true },
      tags: ["a", "b"],
      empty: [],
      missing: null,
      errors: [{ path: "title" }, { path: "slug" }],
    },
    plain,
  );
  expect(described.split("\n").map((line) => line.split(/\s{2,}/))).toEqual([
    ["title", "Report of the year"],
    ["count", "12,345"],
    ["size", "1.5 KiB"],
    ["is public", "no"],
    ["access public view", "yes"],
    ["tags", "a, b"],
    ["empty", "none"],
    ["errors 1 path", "title"],
    ["errors 2 path", "slug"],
  ]);
});

test("more than two switches in one object are a list of those that are on", () => {
  expect(describe({ can: { readIt: true, edit: false, share: true } }, plain)).toBe("can  read it, share");
  expect(describe({ can: { readIt: false, edit: false, share: false } }, plain)).toBe("can  none");
  expect(describe({ readIt: true, edit: false, share: false }, plain).split("\n")).toHaveLength(3);
});

test("an actor is its kind and label, with the person behind it", () => {
  const actor = { type: "api_key", id: "key_1", label: "CI" };
  expect(describe({ by: actor }, plain)).toBe("by  API key CI");
  expect(describe({ by: { ...actor, onBehalfOf: { username: "ada" } } }, plain)).toBe("by  API key CI, for ada");
});

test("what is shown once comes last and is marked", () => {
  expect(describe({ token: "plk_x", name: "CI" }, plain, ["token"]).split("\n")).toEqual([
    "name                CI",
    "token (shown once)  plk_x",
  ]);
});
