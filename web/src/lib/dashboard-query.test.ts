import { searchLength } from "@plinth/contract/limits";
import { expect, test } from "bun:test";
import { dashboardAddress, dashboardQuery, isNarrowed } from "./dashboard-query.ts";

const read = (query: string) => dashboardQuery(new URLSearchParams(query));

test.each([
  "",
  "?q=week+47&type=md&visibility=private&sort=title&view=list&cursor=abc",
  "?q=%D8%AA%D9%82%D8%B1%D9%8A%D8%B1",
  "?sort=newest",
  "?q=week&sort=updated",
])("the address %j says the same again", (address) => {
  expect(dashboardAddress(read(address))).toBe(address);
});

test.each([
  "?q=&type=&visibility=&sort=updated&view=grid",
  "?sort=best",
  "?q=%20%20&type=pdf&visibility=secret&sort=size&view=table",
  "?/delete&type=exe",
])("%j is as if nothing were said", (address) => {
  expect(dashboardAddress(read(address))).toBe("");
  expect(isNarrowed(read(address))).toBe(false);
});

test("without an order a search has the best match first, and a list the last change", () => {
  expect(read("?q=week").sort).toBe("best");
  expect(dashboardAddress(read("?q=week&sort=best"))).toBe("?q=week");
  expect(read("").sort).toBe("updated");
});

test("a search is one line, as the field says it", () => {
  expect(read("?q=%0Aone%0D%0Atwo%0A").q).toBe("onetwo");
});

test("a search is cut to what the API takes, by characters", () => {
  expect([...read(`?q=${"😀".repeat(searchLength + 5)}`).q]).toHaveLength(searchLength);
});

test("a search and each filter narrow, order and view do not", () => {
  expect(["?q=a", "?type=md", "?visibility=public"].map((query) => isNarrowed(read(query)))).toEqual([
    true,
    true,
    true,
  ]);
  expect(isNarrowed(read("?sort=title&view=list&cursor=x"))).toBe(false);
});
