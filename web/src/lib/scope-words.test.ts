import { expect, test } from "bun:test";
import { scopes } from "@plinth/contract/scopes";
import { scopeTexts } from "../messages/authorize.ts";
import { isScope, knownScopes, scopePresets, scopesInShort } from "./scope-words.ts";

test("every scope has its own words", () => {
  const words = scopes.map((scope) => scopeTexts().scopes[scope]);
  expect(new Set(words).size).toBe(scopes.length);
});

test("no preset lets its holder mint more", () => {
  for (const preset of scopePresets) expect(preset.scopes).not.toContain("agents:manage");
});

test.each([
  [["artifacts:update", "artifacts:read", "artifacts:create"], "Publish"],
  [["artifacts:read"], "Read only"],
  [["agents:manage"], "agents:manage"],
  [["artifacts:read", "agents:manage"], "2 scopes"],
  [[...scopes], "Everything"],
] as const)("%j is %s", (held, expected) => {
  expect(scopesInShort(held)).toBe(expected);
});

test("what is no scope is left out, and the order is ours", () => {
  expect(knownScopes(["openid", "agents:manage", "artifacts:read", "offline_access"])).toEqual([
    "artifacts:read",
    "agents:manage",
  ]);
  expect(isScope("artifacts:read")).toBe(true);
  expect(isScope("artifacts:everything")).toBe(false);
});
