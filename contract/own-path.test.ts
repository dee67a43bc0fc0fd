import { expect, test } from "bun:test";

import { isOwnPath } from "./own-path.ts";

test("a path of this origin, with query and fragment", () => {
  for (const path of ["/", "/dashboard", "/a/b?c=%2F%2F&d=https://x.example#e", "/ünïcode/✓", "/a%5C", "/%2f/x"])
    expect({ path, own: isOwnPath(path) }).toEqual({ path, own: true });
});

test("nothing that a browser could take for another place", () => {
  for (const path of [
    "",
    "dashboard",
    "//evil.example",
    "///evil.example",
    "/\\evil.example",
    "\\/evil.example",
    "/a\\b",
    "/\t/evil.example",
    "/\n/evil.example",
    "/a\0",
    "/\u2028",
    "/.//evil.example",
    "/..//evil.example",
    "/a/..//evil.example",
    "/%2e//evil.example",
    " /a",
    "http://evil.example",
    "javascript:alert(1)",
    "data:text/html,x",
    "?a",
    "#a",
    "/\uD800",
    `/${"a".repeat(8192)}`,
  ])
    expect({ path, own: isOwnPath(path) }).toEqual({ path, own: false });
});
