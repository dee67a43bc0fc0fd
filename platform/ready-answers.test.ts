import { expect, test } from "bun:test";
import { heapStats } from "bun:jsc";
import { brotliDecompressSync } from "node:zlib";

import { createReadyAnswers } from "./ready-answers.ts";

const asking = (headers: Record<string, string> = {}) => ({ headers: new Headers(headers) });
const text = "<p>some words</p>".repeat(1000);
const made = (body = text) => ({
  body,
  headers: [
    ["content-type", "text/html"],
    ["etag", '"one"'],
    ["vary", "Accept"],
  ] as const,
});

test("an answer has the coding that its reader accepts, its length, and the headers of its request", async () => {
  const answers = createReadyAnswers("readyReads", 1_000_000);
  answers.keep("key", made());
  const find = () => answers.find("key") ?? expect.unreachable();
  const plain = find().answer(asking(), { "x-request-id": "first-one" });
  expect(Object.fromEntries(plain.headers)).toEqual({
    "content-type": "text/html",
    etag: '"one"',
    vary: "Accept, Accept-Encoding",
    "content-length": String(text.length),
    "x-request-id": "first-one",
  });
  expect(await plain.text()).toBe(text);
  const br = find().answer(asking({ "accept-encoding": "gzip, br" }));
  expect([br.headers.get("content-encoding"), br.headers.get("etag")]).toEqual(["br", 'W/"one"']);
  expect(br.headers.has("x-request-id")).toBe(false);
  const bytes = await br.bytes();
  expect(br.headers.get("content-length")).toBe(String(bytes.length));
  expect(brotliDecompressSync(bytes).toString()).toBe(text);
  const gzip = find().answer(asking({ "accept-encoding": "gzip" }));
  expect(new TextDecoder().decode(Bun.gunzipSync(await gzip.bytes()))).toBe(text);
});

test("a reader who has any form of it gets 304 without a body and without headers of one", async () => {
  const answers = createReadyAnswers("readyReads", 1_000_000);
  const ready = answers.keep("key", made());
  for (const held of ['"one"', 'W/"one"', '"x", W/"one"', "*"]) {
    const unchanged = ready.answer(asking({ "if-none-match": held, "accept-encoding": "br" }));
    expect([unchanged.status, unchanged.headers.get("etag"), await unchanged.text()]).toEqual([304, '"one"', ""]);
    for (const name of ["content-type", "content-length", "content-encoding"])
      expect(unchanged.headers.has(name)).toBe(false);
  }
  for (const held of ['"two"', '"on', ""]) expect(ready.answer(asking({ "if-none-match": held })).status).toBe(200);
});

test("each form is made once, and only the forms that are asked for are kept", async () => {
  const answers = createReadyAnswers("readyReads", 1_000_000);
  const ready = answers.keep("key", made());
  const before = answers.keptBytes;
  ready.answer(asking({ "accept-encoding": "br" }));
  const compressed = answers.keptBytes;
  expect(compressed).toBeLessThan(before - text.length / 2);
  ready.answer(asking({ "accept-encoding": "br" }));
  expect(answers.keptBytes).toBe(compressed);
  expect(await ready.answer(asking()).text()).toBe(text);
  expect(answers.keptBytes).toBe(compressed + text.length);
});

test("the bytes of all answers stay below the bound, and the answer that was asked for last stays", () => {
  const answers = createReadyAnswers("readyReads", 100_000);
  for (let n = 0; n < 50; n++) {
    answers.keep(`key ${n}`, made()).answer(asking());
    answers.find("key 0")?.answer(asking());
    expect(answers.keptBytes).toBeLessThanOrEqual(100_000);
  }
  expect([answers.find("key 0") === null, answers.find("key 1"), answers.find("key 49") === null]).toEqual([
    false,
    null,
    false,
  ]);
});

test.each([100, 1000, 9000, 20_000])("plain answers of %i bytes take at most the bytes that are counted", (length) => {
  const answers = createReadyAnswers("readyReads", 20 * 1024 * 1024);
  const keep = (n: number) => {
    const body = new Uint8Array(length);
    const headers = new Headers({ etag: `"${n}"`, "content-type": "text/html", "content-length": String(length) });
    const ready = answers.keepPlain(`/api/artifacts/${n}`, { body, headers });
    ready.answer(asking({ "if-none-match": `"${n}"` }));
  };
  keep(0);
  Bun.gc(true);
  const before = heapStats().heapSize;
  for (let n = 0; n < 2000; n++) keep(n);
  Bun.gc(true);
  expect(heapStats().heapSize - before).toBeLessThan(answers.keptBytes);
});
