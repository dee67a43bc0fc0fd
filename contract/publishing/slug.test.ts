import { expect, test } from "bun:test";

import { slugLength, slugPattern } from "../limits.ts";
import { slugOfTitle, untitledSlug } from "./slug.ts";

test.each([
  ["Q3 Report: Über-Größe!", "q3-report-uber-grosse"],
  ["Don’t  panic", "dont-panic"],
  ["Ærø & Łódź", "aero-lodz"],
  ["--a__b--", "a-b"],
  ["  Crème brûlée — Rezepte!  ", "creme-brulee-rezepte"],
  ["Ⅳ. ﬁnance", "iv-finance"],
  ["Party 🎉", "party"],
])("Latin: %j gives %s", async (title, slug) => {
  expect(await slugOfTitle(title)).toBe(slug);
});

test.each([
  ["四半期報告", "si-ban-qi-bao-gao"],
  ["第一章", "di-yi-zhang"],
  ["第二章", "di-er-zhang"],
  ["Отчёт Q3", "otchet-q3"],
  ["Итоги Q3", "itogi-q3"],
  ["تقرير سنوي", "tqryr-snwy"],
  ["안녕 세상", "annyeong-sesang"],
  // The same text in decomposed form.
  ["안녕 세상".normalize("NFD"), "annyeong-sesang"],
  ["רוח", "rvh"],
  ["٣", "3"],
  ["🎉", "tada"],
  ["🚀 ✅", "rocket-white-check-mark"],
])("other scripts: %j gives %s", async (title, slug) => {
  expect(await slugOfTitle(title)).toBe(slug);
});

test.each(["", "—", "***", "。、", "\u200d"])("%j gives none", async (title) => {
  expect(await slugOfTitle(title)).toBeNull();
});

test("a document without one is named by its content", () => {
  expect(untitledSlug("0123456789abcdef")).toBe("untitled-012345");
});

test("a shorter length holds, and a cut leaves no hyphen", async () => {
  expect(await slugOfTitle("abcdefgh ijkl", 9)).toBe("abcdefgh");
  expect(await slugOfTitle("报".repeat(100))).toMatch(/^(?:bao-)+bao$/);
});

test("a slug always has the contract's form", async () => {
  const pieces = [
    "Á",
    "ß",
    "-",
    " ",
    "x",
    "9",
    "日",
    "🎉",
    "word",
    "'",
    "ﬁ",
    "İ",
    "½",
    "\u0301",
    "ж",
    "ع",
    "๓",
    "\u{1F1E9}",
  ];
  for (let seed = 1; seed < 5000; seed++) {
    const title = Array.from(
      { length: seed % 90 },
      (_, place) => pieces[(seed * (place + 7) * 31) % pieces.length],
    ).join("");
    const slug = (await slugOfTitle(title)) ?? "none";
    expect(slug).toMatch(new RegExp(slugPattern));
    expect(slug.length).toBeLessThanOrEqual(slugLength);
  }
});
