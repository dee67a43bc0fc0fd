import { expect, test } from "bun:test";
import { homeOf, loginAddress, safeNext } from "./next-path.ts";

test.each([
  ["/ada/notes/report?v=2#end", "/ada/notes/report?v=2#end"],
  ["/", "/"],
  ["/a/../settings", "/settings"],
  ["/%2F%2Fevil.example", "/%2F%2Fevil.example"],
  [
    "/oauth/consent?client_id=x&redirect_uri=http%3A%2F%2F127.0.0.1%2F",
    "/oauth/consent?client_id=x&redirect_uri=http%3A%2F%2F127.0.0.1%2F",
  ],
])("%s is a place to go to", (given, expected) => {
  expect(safeNext(given)).toBe(expected);
});

test.each([
  null,
  undefined,
  "",
  "settings",
  "//evil.example",
  "//evil.example/settings",
  "/\\evil.example",
  "/\\/evil.example",
  "\\\\evil.example",
  "https://evil.example/",
  "javascript:alert(1)",
  "/\t/evil.example",
  "/\n/evil.example",
  " //evil.example",
  "/.//evil.example",
  "/x/..//evil.example",
  "/%2e//evil.example",
  "/login?next=/login",
  "/login",
  "/logout",
  `/${"a".repeat(8192)}`,
])("%j is not", (given) => {
  expect(safeNext(given)).toBeNull();
});

test.each([
  ["/settings/keys", "", "/login?next=%2Fsettings%2Fkeys"],
  ["/settings/keys", "?cursor=a", "/login?next=%2Fsettings%2Fkeys%3Fcursor%3Da"],
  ["/settings/keys", "?/create", "/login?next=%2Fsettings%2Fkeys"],
  ["/settings/keys", "?/create&cursor=a", "/login?next=%2Fsettings%2Fkeys%3Fcursor%3Da"],
  ["/", "", "/login"],
  ["/login", "?next=%2F", "/login"],
])("from %s%s one signs in at %s", (pathname, search, expected) => {
  expect(loginAddress({ pathname, search })).toBe(expected);
});

test("who has no name chooses one first", () => {
  expect(homeOf(null)).toBe("/workspaces/new");
  expect(homeOf("ada")).toBe("/dashboard");
});
