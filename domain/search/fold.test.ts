// Letters that are one for search, and where they are quoted.
import { expect, test } from "bun:test";

import { folded, foldedText } from "./fold.ts";
import { readQuery } from "./query.ts";
import { snippetOf } from "./snippet.ts";
import { wordsIn } from "./words.ts";

test("letters that people type for each other are one", () => {
  for (const [text, words] of [
    ["Straße STRASSE GRÖẞE", ["strasse", "strasse", "grosse"]],
    ["é e\u0301 Æther Øre łódź þing", ["e", "e", "aether", "ore", "lodz", "thing"]],
    ["Việt Đồng Ｆｕｌｌ ﬁx", ["viet", "dong", "full", "fix"]],
    ["İstanbul ISPARTA Iğdır ısı", ["istanbul", "isparta", "igdir", "isi"]],
    ["Ὀδυσσεύς ΟΔΥΣΣΕΥΣ", ["οδυσσευσ", "οδυσσευσ"]],
    ["Ёлка за\u0301мок", ["елка", "замок"]],
    ["كِتَابٌ كـــتاب أحمد", ["كتاب", "كتاب", "احمد"]],
    ["שָׁלוֹם ﬡב", ["שלום", "אב"]],
    ["ｶﾞｷﾞ ガギ", ["ガギ", "ガギ"]],
  ] as const)
    expect(wordsIn(text)).toEqual([...words]);
});

test("marks that make another letter stay", () => {
  for (const text of ["мой", "がか", "हिन्दी", "ก็", "주간", "தமிழ்", "ў"])
    expect(wordsIn(text)).toEqual([text.normalize("NFKC")]);
});

test("every letter folds alike alone, beside any other letter, and in what was folded", () => {
  const others: string[] = [];
  for (let code = 0x20; code < 0x3_0000; code++) {
    if (code >= 0xd8_00 && code < 0xe0_00) continue;
    const letter = String.fromCodePoint(code).normalize("NFKC").toLowerCase().normalize("NFC");
    const alone = folded(letter);
    if (folded(alone) !== alone || folded(`ß ${letter}`) !== `ss ${alone}`) others.push(code.toString(16));
  }
  expect(others).toEqual([]);
});

test("hostile texts are folded in one pass", () => {
  for (const text of ["\u0302", "a\u0302", "\u0301\u0302", "\u05B0", "ـ", "ß", "e\u0301"])
    expect(folded(text.repeat(128 * 1024)).length).toBeLessThanOrEqual(2 * 128 * 1024);
});

test("a query with letters that fold asks for documents of both forms, and any other for one", () => {
  expect(readQuery("Größe nr")).toMatchObject({
    anywhere: "('grosse' & 'nr') | ('größe' & 'nr')",
    titleBeginning: "('=grosse' & '=nr':*) | ('=größe' & '=nr':*)",
    wholeTitle: "('!grosse nr') | ('!größe nr')",
    weighed: "'grosse' & 'nr'",
    phrase: "grosse nr",
  });
  expect(readQuery("grosse nr")?.anywhere).toBe("'grosse' & 'nr'");
  // A line that makes words longer is none.
  expect(readQuery("ـ")).toBeNull();
});

const marked = (text: string, q: string): string | undefined =>
  snippetOf(text.normalize("NFKC"), readQuery(q)?.words ?? [])
    ?.map((part) => (part.isMatch ? `[${part.text}]` : part.text))
    .join("");

test("a quote marks the letters of the text, as many as they are", () => {
  expect(marked("Die Straße war weiß und groß", "weiss strass")).toBe("Die [Straß]e war [weiß] und groß");
  expect(marked("Un cafe\u0301 au lait", "cafe lait")).toBe("Un [café] au [lait]");
  expect(marked("قال كِتَابٌ ثم", "كتاب")).toBe("قال [كِتَابٌ] ثم");
  expect(marked("İstanbul güzel", "istanbul guzel")).toBe("[İstanbul] [güzel]");
  expect(marked("i\u0307x x\u0301\u0302 æßœ abc", "abc")).toBe("i̇x x\u0301\u0302 æßœ [abc]");
});

test("places of a folded text are in the order of the text's, from its beginning to its end", () => {
  for (const text of ["Straße", "ßßß", "e\u0301e\u0301", "ـــ", "كِتَابٌ", "æ\u0301x", "İi\u0307ı", "plain"]) {
    const { text: short, placeOf } = foldedText(text);
    const places = Array.from({ length: short.length + 1 }, (_, at) => placeOf(at));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect([text, places.at(-1)]).toEqual([text, text.length]);
  }
});
