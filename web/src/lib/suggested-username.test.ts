import { expect, test } from "bun:test";
import { suggestedUsername } from "./suggested-username.ts";

test.each([
  ["ada@example.org", null, "ada"],
  ["Ada.Lovelace+plinth@example.org", null, "ada-lovelace"],
  ["a@example.org", "Åda Lövelace", "ada-lovelace"],
  ["_-_@example.org", null, ""],
  ["a@example.org", "世界", ""],
  [`${"long-".repeat(20)}@example.org`, null, "long-long-long-long-long-long-long-long"],
])("%s, %s", (email, name, expected) => {
  expect(suggestedUsername(email, name)).toBe(expected);
});
