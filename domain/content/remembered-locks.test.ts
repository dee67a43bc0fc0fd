// The locks in memory: a document decides how large its lock is, and never how much memory the locks of all take.
import { expect, test } from "bun:test";

import { knownImages, rememberImages } from "./image-documents.ts";
import { knownLock, rememberLock } from "./package-documents.ts";

const version = (versionNumber: number) => ({ artifactId: "art_test", versionNumber, sha256: "0" });
const url = (characters: number) => `https://unpkg.com/${"a".repeat(characters)}`;
const missing = { code: "too-many", detail: "" } as const;
const packages = (characters: number) => ({
  entries: [{ url: url(characters), use: "script", files: [], missing }] as const,
  isComplete: true,
});
const images = (characters: number) => ({
  entries: [{ url: url(characters), image: null, missing }] as const,
  isComplete: true,
});

test("large locks take the places of others, so that all together have a bound", () => {
  for (let number = 1; number <= 40; number++) {
    rememberLock(version(number), packages(900_000));
    rememberImages(version(number), images(900_000));
  }
  for (const known of [knownLock, knownImages]) {
    expect(known(version(40))).toBeDefined();
    expect(Array.from({ length: 40 }, (_, at) => known(version(at + 1))).filter(Boolean).length).toBeLessThan(20);
  }
});

test("a lock too large to remember is read each time", () => {
  expect(rememberLock(version(50), packages(2_000_000))).toMatchObject({ isComplete: true });
  expect(knownLock(version(50))).toBeUndefined();
});
