import { expect, test } from "bun:test";

import { loginErrorPath } from "./sign-in-errors.ts";

test("a failed sign-in leads to the login page, which says why and keeps where to go", () => {
  expect(loginErrorPath("denied", null)).toBe("/login?error=denied");
  expect(loginErrorPath("expired", "/a?b=c&d")).toBe("/login?error=expired&next=%2Fa%3Fb%3Dc%26d");
});
