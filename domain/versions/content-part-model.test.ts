// Parts are what the reference model answers, which makes an array of the lines and matches a pattern with each.
import { expect, test } from "bun:test";

import { AppError } from "@plinth/contract/errors";
import * as fc from "fast-check";

import type { WantedPart } from "./content-part.ts";
import { headingsByLines } from "./test/headings-by-lines.ts";
import { headingsIn, partIn } from "./test/parts.ts";
import { partByLines } from "./test/parts-by-lines.ts";

const lineEnds = ["\n", "\n", "\n", "\r\n", "\n\n", "\r", "\u2028"];
const spaces = [" ", "  ", "    ", "\t", "\u00a0", "\u3000", "\ufeff", "\u2003"];
const words = [
  "a",
  "A",
  "Über",
  "лиса",
  "ЛИСА",
  "狐狸",
  "😀",
  "İ",
  "i\u0307",
  "\u212a",
  "k",
  "ẞ",
  "ß",
  "x_y",
  "_e_",
  "`c`",
  "[l](u)",
];
const marks = [
  "# ",
  "## ",
  "###### ",
  "####### ",
  "#",
  "# #",
  " ##",
  "```",
  "````",
  "~~~",
  "```js",
  "~~~ `",
  "=",
  "===",
  "---",
  "- ",
  "+++",
];
const others = ["> ", "* ", "1. ", "123456789) ", "1234567890. ", "| ", "<", "...", ">", "`", "~"];
const tags = [
  "<h1>",
  "<H2 id='two'>",
  '<h3 class="x" id="th">',
  "</h1>",
  "</H2>",
  "</h3>",
  "<h1",
  "<h7>",
  "</h",
  "<h2\u00a0>",
  "<b>",
];

/** Longer than what is read of a heading, and than what is listed of a line. */
const long = ["x".repeat(390), "😀".repeat(201), `${" ".repeat(450)}#`, "狐".repeat(399), "_".repeat(20)];

const textsOf = (...parts: readonly (readonly string[])[]) =>
  fc
    .array(fc.oneof(...parts.map((some) => fc.constantFrom(...some))), { maxLength: 60, size: "max" })
    .map((chosen) => chosen.join(""));
const markdown = textsOf(lineEnds, lineEnds, spaces, words, words, marks, marks, others, long.slice(0, 3));
const html = textsOf(lineEnds, lineEnds, spaces, words, tags, tags, long);

/** Listed lines are cut; the model has them whole. */
function withShortLines(answer: ReturnType<typeof partByLines>) {
  if (answer.found === undefined) return answer;
  const lines = answer.text.split("\n").map((line) => (line.length > 1000 ? `${line.slice(0, 1000)}…` : line));
  return { ...answer, text: lines.join("\n").toWellFormed() };
}

/** The part, or the errors of its refusal. */
function answerOf(ask: () => object): object {
  try {
    return ask();
  } catch (error) {
    if (error instanceof AppError) return { errors: error.extra.errors };
    throw error;
  }
}

/** No half characters, which the model finds in whole ones. */
const needles = fc
  .oneof(
    textsOf(words, spaces, ["i", "\u0307", "...", "# ", "\r", "\n"]).map((text) => [...text].slice(0, 3).join("")),
    fc.constantFrom("aa", "a\r", "a\n", "ßa", "лисалиса", "i\u0307i\u0307"),
  )
  .filter((needle) => needle !== "");
const lines = fc
  .record({ startLine: fc.integer({ min: 1, max: 6 }), length: fc.nat(20) }, { requiredKeys: [] })
  .map(({ startLine, length }) => ({
    ...(startLine !== undefined && { startLine }),
    ...(length !== undefined && { endLine: (startLine ?? 1) + length }),
  }));
const sections = fc.constantFrom("a", "a-1", "über", "section", "x_y", "th", "two", "# A", "nowhere");
const wanted: fc.Arbitrary<WantedPart> = fc
  .tuple(
    lines,
    fc.oneof(
      needles.map((grep) => ({ grep })),
      fc.constant({ outline: true }),
      fc.constant({}),
      sections.map((section) => ({ section })),
      fc.record({ section: sections, grep: needles }),
    ),
  )
  .map(([range, what]) => ({ ...range, ...what }));

test.each([
  ["md", markdown],
  ["html", html],
] as const)("the headings of %s are those of the model", (type, texts) => {
  fc.assert(
    fc.property(texts, (text) => expect(headingsIn(text, type)).toEqual(headingsByLines(text, type))),
    { numRuns: 3000 },
  );
});

test.each([
  ["md", markdown],
  ["html", html],
] as const)("parts of %s are those of the model", (type, texts) => {
  let answered = 0;
  fc.assert(
    fc.property(texts, wanted, (text, part) => {
      const expected = answerOf(() => withShortLines(partByLines(text, type, part)));
      if ("text" in expected) answered++;
      expect(answerOf(() => partIn(text, type, part))).toEqual(expected);
    }),
    { numRuns: 3000 },
  );
  // About a third have these lines, and are no refusals.
  expect(answered).toBeGreaterThan(500);
});

test("lines are found in a text of many blocks as in the model", () => {
  const text = Array.from({ length: 90_000 }, (_, n) => (n % 7 === 0 ? "\n" : `${"é".repeat(n % 11)}${n}\n`)).join("");
  const { totalLines } = partIn(text, "md", { startLine: 1 });
  for (const startLine of [1, 2, 40_000, 64_000, totalLines - 1, totalLines])
    for (const length of [0, 1, 9000]) {
      const part = { startLine, endLine: startLine + length };
      expect(partIn(text, "md", part)).toEqual(partByLines(text, "md", part));
    }
  expect(partIn(text, "md", { grep: "é77" })).toMatchObject(partByLines(text, "md", { grep: "é77" }));
});

test("grep: the carriage return before a newline is no part of a line, and any other is", () => {
  expect(partIn("a\r\nb\rc\r", "md", { grep: "\r" }).text).toBe("2: b\rc\r\n");
  expect(partIn("a\r\r\n", "md", { grep: "A\r" }).text).toBe("1: a\r\n");
});

test("grep: a needle with half a character finds nothing", () => {
  expect(partIn("a😀\n", "md", { grep: "\ud83d" })).toMatchObject({ found: 0, text: "" });
});

test("grep: letters of all scripts match in upper and lower case, and the three letters sigma are one", () => {
  const found = (text: string, grep: string) => partIn(text, "md", { grep }).found;
  for (let point = 0; point < 0x1f000; point++) {
    if ((point >= 0xd800 && point < 0xe000) || point === 10 || point === 13) continue;
    const character = String.fromCodePoint(point);
    const lower = character.toLowerCase();
    if (lower === character) continue;
    if (found(lower, character) !== 1 || found(character, lower) !== 1)
      throw new Error(`${point.toString(16)} and its lower case do not match`);
  }
  for (const grep of ["ΟΔΟΣ", "οδος", "οδοσ"]) expect(found("ΟΔΟΣ\nοδος\nοδοσ\nοδόσ\n", grep)).toBe(3);
});

test("grep: no other character than those of one letter match", () => {
  // Each line a character: those that contain `k` and `i` in lower case are few.
  const characters = Array.from({ length: 0x1f000 }, (_, point) => point).filter(
    (point) => (point < 0xd800 || point >= 0xe000) && point !== 10 && point !== 13,
  );
  const text = characters.map((point) => String.fromCodePoint(point)).join("\n");
  for (const grep of ["k", "K", "i", "I", "a", "ö", "\u0307", "ǆ", "ẞ"]) {
    const { text: answer } = partIn(text, "md", { grep });
    expect(answer).toBe(partByLines(text, "md", { grep }).text);
  }
});
