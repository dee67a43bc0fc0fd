import { expect, test } from "bun:test";

import { loginErrorPath, signInErrors } from "./sign-in-errors.ts";

test("each code is said in a sentence for a person, and leads back to where they were going", () => {
  for (const sentence of Object.values(signInErrors)) expect(sentence).toMatch(/^[A-Z][^<>]+\.$/);
  expect(loginErrorPath("denied", null)).toBe("/login?error=denied");
  expect(loginErrorPath("expired", "/a?b=c&d")).toBe("/login?error=expired&next=%2Fa%3Fb%3Dc%26d");
});
