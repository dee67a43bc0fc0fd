import { expect, test } from "bun:test";

import { newObjectName, objectNameIn } from "./object-name.ts";
import { packBytes } from "./pack.ts";
import { isContentOf } from "./verified-store.ts";

test("bytes are those of a content by its hash alone, and none that unpack to more than a content may have", async () => {
  const { sha256, data } = await packBytes(new TextEncoder().encode("a content"));
  expect(await isContentOf(sha256, data)).toBe(true);
  expect(await isContentOf("0".repeat(64), data)).toBe(false);
  for (const broken of [data.subarray(0, -1), new Uint8Array(), new TextEncoder().encode("a content")])
    expect(await isContentOf(sha256, broken)).toBe(false);
  // Of 32 MB, in a few kilobytes.
  const bomb = await packBytes(new Uint8Array(32_000_000));
  expect([bomb.data.length < 10_000, await isContentOf(bomb.sha256, bomb.data)]).toEqual([true, false]);
  const largest = await packBytes(new Uint8Array(20_000_000));
  expect(await isContentOf(largest.sha256, largest.data)).toBe(true);
});

test("an object's name is told from bytes under zstd, also from those of its length", async () => {
  const name = newObjectName("ab".repeat(32));
  expect(objectNameIn(Buffer.from(name))).toBe(name);
  expect(name).not.toBe(newObjectName("ab".repeat(32)));
  for (let length = 1; length < 200; length++) {
    const { data } = await packBytes(crypto.getRandomValues(new Uint8Array(length)));
    expect(objectNameIn(data)).toBeNull();
  }
  for (const other of ["", "x".repeat(97), `${"A".repeat(64)}-${"0".repeat(32)}`, `${name}\n`, name.slice(1)])
    expect(objectNameIn(Buffer.from(other))).toBeNull();
});
