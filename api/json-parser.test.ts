// Large bodies, which the worker parses, have the same results as small ones.
import { describe, expect, test } from "bun:test";

import { pack } from "@plinth/domain/storage/pack";

import { parseJson } from "./json-parser.ts";
import { parsePieces } from "./json-pieces.ts";

const bounds = { depth: 3, values: 20 };
const parse = (pieces: readonly Uint8Array[]) => parseJson(pieces, bounds);

const padding = " ".repeat(300_000);
const bytesOf = (text: string) => new TextEncoder().encode(text);
/** The text in pieces of so many bytes, each with its own buffer. */
const inPieces = (bytes: Uint8Array, size: number): Uint8Array[] =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) => bytes.slice(n * size, (n + 1) * size));

const texts = [
  `{"content":"${"\\u00fc".repeat(60_000)}","title":"ü😀","n":[1,-2.5e300,true,null,{}]}`,
  `{"__proto__":{"isAdmin":true},"constructor":"x","2":1,"1":2,"":3}`,
  `"${"😀".repeat(80_000)}"`,
  "[]",
  "",
  "{",
  '{"a":1}x',
  '"\\ud800"',
  "\ufeff{}",
  "[[[[]]]]",
  `[${"1,".repeat(20)}1]`,
  "[[[[",
];

describe("a large text", () => {
  test.each(texts.map((text) => [text.slice(0, 40), text]))(
    "%s has the value that the parser gives",
    async (_, text) => {
      const expected = parsePieces([bytesOf(text)], bounds);
      const { packed: _packed, ...parsed } = {
        packed: null,
        ...(await parse(inPieces(bytesOf(text + padding), 60_001))),
      };
      expect(parsed).toStrictEqual(expected);
      expect(JSON.stringify(parsed)).toBe(JSON.stringify(expected));
    },
  );

  test("has its text packed, whether it is sent to the API or to a tool", async () => {
    const content = "é\n".repeat(200_000);
    for (const json of [{ content }, { params: { arguments: { content } } }])
      expect(await parse([bytesOf(JSON.stringify(json))])).toEqual({
        json,
        packed: { text: content, ...(await pack(content)) },
      });
    for (const json of [{ title: content }, [{ content }], { content: [content] }])
      expect(await parse([bytesOf(JSON.stringify(json))])).toEqual({ json });
    // A text that cannot be published is not packed: its bytes would be another text's.
    const broken = await parse([bytesOf(`{"content":"\\ud800${"a".repeat(300_000)}"}`)]);
    expect("json" in broken && broken.packed).toBeUndefined();
  });

  test("of which a piece is no UTF-8 is refused", async () => {
    const bytes = bytesOf(`"${"é".repeat(200_000)}"`);
    bytes[300_001] = 0xff;
    expect(await parse([bytes])).toEqual({ wrong: "is not valid UTF-8" });
  });

  test("does not take with it what shares its buffer", async () => {
    const shared = bytesOf(`[1]${padding}rest`);
    expect(await parse([shared.subarray(0, -4)])).toEqual({ json: [1] });
    expect(new TextDecoder().decode(shared.subarray(-4))).toBe("rest");
  });

  test("is answered with its own value, however many are parsed", async () => {
    const parsed = await Promise.all(
      Array.from({ length: 20 }, (_, n) => parse([bytesOf(JSON.stringify([n]) + padding)])),
    );
    expect(parsed).toEqual(Array.from({ length: 20 }, (_, n) => ({ json: [n] })));
  });
});

test("the server goes on while a large text is parsed", async () => {
  const bytes = bytesOf(`"${"\\u0061".repeat(2_000_000)}"`);
  const parsed = parse([bytes]);
  // The bytes have been transferred, and not read synchronously.
  expect(bytes).toHaveLength(0);
  expect(await parsed).toEqual({ json: "a".repeat(2_000_000) });
});
