import { expect, test } from "bun:test";

import { DocumentWords } from "./document-words.ts";
import { changedMarks, isForgiven, marksBetween, titleMarks, variantsOf } from "./marks.ts";
import { readQuery } from "./query.ts";
import { searchedText } from "./source-text.ts";
import { lexemesOf, wordsIn } from "./words.ts";

const lexemesIn = (text: string) => lexemesOf(wordsIn(text));

async function documentOf(text: string): Promise<string> {
  const words = new DocumentWords();
  await words.add(text, "D");
  return words.toString();
}

test("words are runs of letters and digits with any separators", () => {
  expect(wordsIn("foo_bar.baz/Qux-1 'it' ＡＢＣ e\u0301té ÄRGER")).toEqual([
    "foo",
    "bar",
    "baz",
    "qux",
    "1",
    "it",
    "abc",
    "ete",
    "arger",
  ]);
  expect(wordsIn(" \"!?&|:*<->'' ")).toEqual([]);
  expect(wordsIn("Launch 🚀 at 12")).toEqual(["launch", "🚀", "at", "12"]);
});

test("scripts without spaces, and Korean, are found by any two characters, and by one", () => {
  expect(lexemesIn("東京都の天気 iPhone対応")).toEqual([
    "東京",
    "京都",
    "都の",
    "の天",
    "天気",
    "気",
    "iphone",
    "対応",
    "応",
  ]);
  expect(lexemesIn("주간보고서를 สวัสดี")).toEqual([
    "주간",
    "간보",
    "보고",
    "고서",
    "서를",
    "를",
    "สว",
    "วั",
    "ัส",
    "สด",
    "ดี",
    "ี",
  ]);
  expect(readQuery("天気")).toMatchObject({ anywhere: "'天気'", anywhereBeginning: null });
  expect(readQuery("京都の 天 x")?.anywhere).toBe("'京都' & '都の' & '天':* & 'x'");
});

test("a query has every word, the last one as a beginning, and means nothing but its words", () => {
  expect(readQuery("Quarterly Rep")).toMatchObject({
    anywhere: "'quarterly' & 'rep'",
    anywhereBeginning: "'quarterly' & 'rep':*",
    title: "'=quarterly' & '=rep'",
    titleBeginning: "'=quarterly' & '=rep':*",
    wholeTitle: "'!quarterly rep'",
    inTitle: [" quarterly ", " rep"],
    forgiving: {
      parts: ["%quarterly%", "%rep%"],
      indexedParts: ["%quarterly%", "%rep%", "%rep%"],
    },
  });
  expect(readQuery("a:* | !b & 'c'\\ (d) <2> %_")?.anywhere).toBe("'a' & 'b' & 'c' & 'd' & '2'");
  expect(readQuery("re")).toMatchObject({ anywhereBeginning: null, titleBeginning: "'=re':*" });
  expect(readQuery("r")).toMatchObject({ anywhereBeginning: null, titleBeginning: null });
  expect(readQuery("ab é")?.forgiving?.indexedParts).toBeNull();
  expect(readQuery("!?".repeat(100))).toBeNull();
});

test("four words at most are weighed, as whole words: each more and each beginning would cost many times as much", () => {
  expect(readQuery("gross margin 2026 rep")?.weighed).toBe("'gross' & 'margin' & '2026' & 'rep'");
  expect(readQuery("a b c d ".repeat(25))?.weighed).toBe("'a' & 'b' & 'c' & 'd'");
  expect(readQuery("東京都の天気")?.weighed).toBe("'東京' & '京都' & '都の' & 'の天'");
  expect(readQuery("天")?.weighed).toBe("'天'");
});

test("a word that a text is full of has its first hundred positions", async () => {
  expect((await documentOf("word ".repeat(300))).split(",")).toHaveLength(100);
});

test("words between double quotes follow each other, in scripts without spaces as well", () => {
  expect(readQuery('"gross margin" 2026')).toMatchObject({
    anywhere: "'gross' & 'margin' & '2026' & ('gross' <1> 'margin')",
    anywhereBeginning: "'gross' & 'margin' & '2026':* & ('gross' <1> 'margin')",
    forgiving: null,
  });
  expect(readQuery("“Gross Margin”")?.anywhere).toBe("'gross' & 'margin' & ('gross' <1> 'margin')");
  expect(readQuery('"天気 予報"')?.anywhere).toBe("'天気' & '予報' & ('天気' <2> '予報')");
  // A quote that is still open, one word, and nothing between them.
  for (const [q, anywhere] of [
    ['"gross mar', "'gross' & 'mar':*"],
    ['"gross"', null],
    ['"" gross', "'gross':*"],
  ] as const)
    expect(readQuery(q)?.anywhereBeginning).toBe(anywhere);
});

test("a typo of one letter is forgiven in words of four letters or more, and never in a number", () => {
  expect([...variantsOf("week")]).toEqual(["eek", "wek", "wee"]);
  for (const word of ["week", "funnel", "größe"]) expect(isForgiven(word)).toBe(true);
  for (const word of ["the", "2026", "q3q3", "東京都の", "x".repeat(30)]) expect(isForgiven(word)).toBe(false);
  const marks = new Set(titleMarks("Checkout funnel", "checkout-funnel"));
  const isNear = (q: string) =>
    readQuery(q)
      ?.forgiving?.eachInTitle[0]?.match(/'[^']+'/g)
      ?.some((mark) => marks.has(mark.slice(1, -1)));
  // Left out, one too many, another one, two in the wrong order.
  for (const q of ["funel", "funnnel", "funmel", "funenl"]) expect([q, isNear(q)]).toEqual([q, true]);
  for (const q of ["fuel", "tunnels", "funky"]) expect([q, isNear(q)]).toEqual([q, false]);
});

test("a document has its words with their positions, the same word once, and nothing between two parts", async () => {
  const words = new DocumentWords();
  await words.add("Gross margin", "A");
  await words.add("Margin of the gross", "D");
  words.mark(["@public"]);
  expect(words.toString()).toBe("'gross':1A,22 'margin':2A,19 'of':20 'the':21 '@public'");
});

test("a long word is cut alike where it is searched and where it is searched for", () => {
  const long = "x".repeat(150);
  expect(readQuery(`${long} b`)?.anywhere).toBe(`'${lexemesIn(long)[0]}' & 'b':*`.replace("b':*", "b'"));
});

test("a long text is read in pieces that cut no word, and other work is done in between", async () => {
  const words = Array.from({ length: 6_000 }, (_, n) => `word${n}é東京都${n}`);
  let turns = 0;
  const turn = () => {
    turns++;
    timer = setImmediate(turn);
  };
  let timer = setImmediate(turn);
  const whole = await documentOf(words.join(" "));
  clearImmediate(timer);
  expect(turns).toBeGreaterThan(3);
  const found = whole.split(" ").map((entry) => entry.replace(/:.*/, "").slice(1, -1));
  expect(found.toSorted()).toEqual([...new Set(words.flatMap(lexemesIn))].toSorted());
  // Without a place to cut it is read at once.
  expect((await documentOf("é".repeat(20_000))).split(" ").length).toBe(1);
});

test("of HTML the text is searched, of other sources all", () => {
  const page =
    '<style>p { color: red }</style><p class="big">Some <b>text</b></p><!-- note --> 1 < 2 <STYLE>x</style >';
  expect(wordsIn(searchedText("html", page))).toEqual(["some", "text", "1", "2"]);
  // Markdown shows such a tag as text, with all that follows it.
  expect(wordsIn(searchedText("md", "The <title> of <script>a page"))).toEqual([
    "the",
    "title",
    "of",
    "script",
    "a",
    "page",
  ]);
  expect(wordsIn(searchedText("jsx", "Array<string>"))).toEqual(["array", "string"]);
});

test("hostile sources are read in one pass", () => {
  for (const source of ["<", "<a", "<style", "<style>", "</style", "<!--"]) {
    const text = source.repeat(256 * 1024);
    expect(searchedText("html", text).length).toBeLessThanOrEqual(text.length);
  }
});

test("every change between two times has one of their marks", () => {
  const at = (time: string) => new Date(time);
  expect(marksBetween(at("2026-03-31T23:59:59Z"), at("2026-05-01T00:00:00Z"))).toEqual([
    "+2026-03",
    "+2026-04",
    "+2026-05",
  ]);
  expect(marksBetween(at("2024-11-02T00:00:00Z"), at("2026-02-01T00:00:00Z"))).toEqual([
    "+2024-11",
    "+2024-12",
    "+2025",
    "+2026-01",
    "+2026-02",
  ]);
  expect(marksBetween(undefined, at("2021-01-15T00:00:00Z"))).toEqual(["+2020", "+2021-01"]);
  expect(marksBetween(at("0001-01-01T00:00:00Z"), at("9999-01-01T00:00:00Z")).length).toBeLessThan(100);
  expect(marksBetween(at("2026-05-01T00:00:00Z"), at("2026-03-01T00:00:00Z"))).toEqual([]);
  expect(changedMarks(at("2026-04-30T23:59:59Z"))).toEqual(["+2026", "+2026-04"]);
});
