import { slugPattern } from "@plinth/contract/limits";
import { expect, test } from "bun:test";
import { slugFrom } from "./suggested-slug.ts";

test.each([
  ["Quarterly Review", "quarterly-review"],
  ["  Crème brûlée — Rezepte!  ", "creme-brulee-rezepte"],
  ["Ⅳ. ﬁnance", "iv-finance"],
  ["abcdefgh ijkl", "abcdefgh"],
  ["--a", "a"],
])("%j gives %s", (title, slug) => {
  expect(slugFrom(title, slug.length < 9 ? 9 : 64)).toBe(slug);
  expect(slug).toMatch(new RegExp(slugPattern));
});

test.each(["", "تقرير", "🎉", "---"])("%j gives none", (title) => {
  expect(slugFrom(title, 64)).toBe("");
});
