import { expect, test } from "bun:test";

import { digestOf } from "./request-digest.ts";

const hex = (value: unknown, packed?: Parameters<typeof digestOf>[1]) => digestOf(value, packed).toString("hex");
const sha256 = (text: string) => new Bun.CryptoHasher("sha256").update(text).digest("hex");
const long = "a".repeat(64 * 1024);

test("the digest differs wherever a short or a long text differs, or its place", () => {
  const values = [{ content: "a" }, { content: "b" }, { content: long }, { content: `${long}b` }, { title: long }];
  expect(new Set(values.map((value) => hex(value))).size).toBe(values.length);
});

test("a short text is in the digest as it is, so that records from before stay good", () => {
  expect(hex(["version.create", { content: "a" }])).toBe(sha256('["version.create",{"content":"a"}]'));
});

test("a text that was packed is not hashed again, and another one is", () => {
  let taken = 0;
  const packed = {
    text: long,
    get sha256() {
      return `${++taken}`;
    },
  };
  expect(hex({ content: long }, packed)).toBe(sha256('{"content":{"sha256":"1"}}'));
  expect(hex({ content: `${long}b` }, packed)).toBe(hex({ content: `${long}b` }));
  expect(taken).toBe(1);
});
