// Source texts: packed once, at the latest when that is asked for.
import { expect, test } from "bun:test";

import { hashOfText, packSync } from "./pack.ts";
import { sentText, sourceText } from "./source-text.ts";

const short = "# Short";
const long = "# Long\n".repeat(4096);

const turn = () => new Promise((resolve) => setImmediate(resolve));

test("an input without a text has none", () => {
  expect(sentText({ input: { title: "T" } })).toBeNull();
  expect(
    sentText({ input: { contentSha256: hashOfText(short) }, packed: { text: short, ...packSync(short) } }),
  ).toBeNull();
});

test("a short text is packed two turns after it was sent, and once", async () => {
  const compressing = Bun.zstdCompressSync;
  let compressed = 0;
  Bun.zstdCompressSync = (...given) => (compressed++, compressing(...given));
  try {
    const text = sentText({ input: { content: short } });
    expect(compressed).toBe(0);
    await turn();
    await turn();
    expect(compressed).toBe(1);
    expect(await text?.pack()).toEqual(packSync(short));
    expect(text?.pack()).toBe(text?.pack());
    expect(compressed).toBe(2);
  } finally {
    Bun.zstdCompressSync = compressing;
  }
});

test("a short text that is asked for at once is packed at once", () => {
  const text = sentText({ input: { content: short } });
  expect(text?.hash()).toBe(hashOfText(short));
  expect(text?.pack()).toBe(text?.pack());
});

test("a long text is packed once, when that is asked for, and hashed without", async () => {
  const text = sentText({ input: { content: long } });
  expect(text?.hash()).toBe(hashOfText(long));
  const packing = text?.pack();
  expect(text?.pack()).toBe(packing);
  expect(await packing).toMatchObject({ sha256: hashOfText(long), sizeBytes: long.length });
});

test("a text that was packed before is taken as it is; another text of the request is not", async () => {
  const packed = { text: long, sha256: "of before", sizeBytes: 1, data: new Uint8Array() };
  expect(sentText({ input: { content: long }, packed })?.hash()).toBe("of before");
  expect(sentText({ input: { content: long }, packed })?.pack()).toBe(packed);
  const other = sentText({ input: { content: `${long}.` }, packed });
  expect(other?.hash()).toBe(hashOfText(`${long}.`));
  expect(await other?.pack()).toMatchObject({ sizeBytes: long.length + 1 });
});

test("a text of an upload is packed when that is asked for", async () => {
  expect(await sourceText(short).pack()).toEqual(packSync(short));
});
