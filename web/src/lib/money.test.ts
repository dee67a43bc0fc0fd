import { expect, test } from "bun:test";
import { money } from "./money.ts";

test.each([
  [1200, "usd", "$12"],
  [950, "eur", "€9.50"],
  [1000, "jpy", "¥1,000"],
  [123_450, "chf", "CHF 1,234.50"],
  [1500, "kwd", "KWD 1.500"],
  [500_000, "ugx", "UGX 5,000"],
  [0, "usd", "$0"],
])("%d of %s", (amount, currency, words) => {
  // No-break spaces stand between a code and its number.
  expect(money(amount, currency).replaceAll("\u00a0", " ")).toBe(words);
});

test("what is to be exact has its cents", () => {
  expect(money(1200, "usd", true)).toBe("$12.00");
});
