import { expect, test } from "bun:test";

import { readQuery } from "./query.ts";
import { searchedText } from "./source-text.ts";
import { lexemesIn, wordsIn } from "./words.ts";

test("words are runs of letters and digits with any separators", () => {
  expect(wordsIn("foo_bar.baz/Qux-1 'it' ＡＢＣ e\u0301té ÄRGER")).toEqual([
    "foo",
    "bar",
    "baz",
    "qux",
    "1",
    "it",
    "abc",
    "été",
    "ärger",
  ]);
  expect(wordsIn(" \"!?&|:*<->'' ")).toEqual([]);
  expect(wordsIn("Launch 🚀 at 12")).toEqual(["launch", "🚀", "at", "12"]);
});

test("scripts without spaces are found by any two characters, and by one", async () => {
  expect([...(await lexemesIn("東京都の天気 iPhone対応"))]).toEqual([
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
  expect(readQuery("天気")?.words).toBe("'天気':*");
  expect(readQuery("京都の 天 x")?.words).toBe("'京都' & '都の' & '天':* & 'x'");
});

test("a query has every word, the last one as a beginning, and means nothing but its words", () => {
  expect(readQuery("Quarterly Rep")).toEqual({
    words: "'quarterly' & 'rep':*",
    parts: ["%quarterly%", "%rep%"],
    indexedParts: ["%quarterly%", "%rep%", "%rep%"],
  });
  expect(readQuery("a:* | !b & 'c'\\ (d) <2> %_")?.words).toBe("'a' & 'b' & 'c' & 'd' & '2'");
  expect(readQuery("ab é")?.indexedParts).toBeNull();
  expect(readQuery("!?".repeat(100))).toBeNull();
});

test("a long word is cut alike where it is searched and where it is searched for", async () => {
  const long = "x".repeat(150);
  expect(readQuery(`${long} b`)?.words).toBe(`'${[...(await lexemesIn(long))][0]}' & 'b'`);
});

test("a long text is read in pieces that cut no word, and other work is done in between", async () => {
  const words = Array.from({ length: 6_000 }, (_, n) => `word${n}é東京都${n}`);
  let turns = 0;
  const turn = () => {
    turns++;
    timer = setImmediate(turn);
  };
  let timer = setImmediate(turn);
  const whole = await lexemesIn(words.join(" "));
  clearImmediate(timer);
  expect(turns).toBeGreaterThan(3);
  const each = await Promise.all(words.map(lexemesIn));
  expect([...whole].toSorted()).toEqual([...new Set(each.flatMap((some) => [...some]))].toSorted());
  // Without a place to cut it is read at once.
  expect((await lexemesIn("é".repeat(20_000))).size).toBe(1);
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
