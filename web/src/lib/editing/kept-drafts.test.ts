// Drafts on a device: each account's and artifact's own, until they are cleared, beside anything else in the storage.
import { describe, expect, test } from "bun:test";

import { keptDrafts } from "./kept-drafts.ts";

const draft = { text: "# Mine\n", note: "a note", baseVersion: 4, keptAt: "2026-11-22T10:32:00.000Z" };

function storage(roomFor = Number.POSITIVE_INFINITY) {
  const items = new Map<string, string>();
  return {
    items,
    getItem: (key: string) => items.get(key) ?? null,
    setItem(key: string, value: string) {
      if (value.length > roomFor) throw new DOMException("full", "QuotaExceededError");
      items.set(key, value);
    },
    removeItem: (key: string) => void items.delete(key),
  };
}
const of = (store: ReturnType<typeof storage>, account: string | null = "usr_a", artifactId = "art_a") =>
  keptDrafts({ artifactId, account }, () => store);

describe("a draft", () => {
  test("is found again by the same account at the same artifact alone", () => {
    const store = storage();
    expect(of(store).read()).toBeNull();
    expect(of(store).keep(draft)).toBe(true);
    expect(of(store).read()).toEqual(draft);
    for (const other of [of(store, "usr_b"), of(store, null), of(store, "usr_a", "art_b")])
      expect(other.read()).toBeNull();
    of(store, null).clear();
    expect(of(store).read()).toEqual(draft);
    of(store).clear();
    expect(of(store).read()).toBeNull();
    expect(store.items.size).toBe(0);
  });

  test("that there is no room for leaves the one before it, and says so", () => {
    const store = storage(200);
    expect(of(store).keep(draft)).toBe(true);
    expect(of(store).keep({ ...draft, text: "x".repeat(300) })).toBe(false);
    expect(of(store).read()).toEqual(draft);
  });

  test("where nothing may be kept is none, and nothing fails", () => {
    const forbidden = keptDrafts({ artifactId: "art_a", account: null }, () => {
      throw new DOMException("forbidden", "SecurityError");
    });
    expect([forbidden.read(), forbidden.keep(draft)]).toEqual([null, false]);
    forbidden.clear();
  });

  test.each([
    "",
    "{",
    "null",
    "[]",
    "{}",
    JSON.stringify({ ...draft, baseVersion: 0 }),
    JSON.stringify({ ...draft, baseVersion: 1.5 }),
    JSON.stringify({ ...draft, text: 1 }),
    JSON.stringify({ ...draft, keptAt: "yesterday" }),
  ])("is not what else lies in its place: %p", (stored) => {
    const store = storage();
    of(store).keep(draft);
    for (const key of store.items.keys()) store.items.set(key, stored);
    expect(of(store).read()).toBeNull();
  });
});
