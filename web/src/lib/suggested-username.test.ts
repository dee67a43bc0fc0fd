import { expect, test } from "bun:test";
import { suggestedUsername } from "./suggested-username.ts";

test.each([
  ["ada@example.org", null, "ada"],
  ["Ada.Lovelace+plinth@example.org", null, "ada-lovelace"],
  ["a@example.org", "Åda Lövelace", "ada-lovelace"],
  ["_-_@example.org", null, ""],
  ["a@example.org", "世界", "shi-jie"],
  ["a@example.org", "—", ""],
  [`${"long-".repeat(20)}@example.org`, null, "long-long-long-long-long-long-long-long"],
])("%s, %s", async (email, name, expected) => {
  expect(await suggestedUsername(email, name)).toBe(expected);
});
