// The versions that a URL compares, and the URLs of further comparisons.
import { expect, test } from "bun:test";
import { addressOf, askedOf, fromOf } from "./address.ts";

const asked = (query: string) => askedOf(new URLSearchParams(query));

test("an address is read strictly, and made again as it was", () => {
  expect(asked("")).toEqual({
    pinned: null,
    to: null,
    tab: "source",
    layout: "unified",
    restores: false,
    list: null,
    by: null,
    named: false,
  });
  for (const query of [
    "?from=3&to=7&tab=rendered&layout=split&restore=&list=40",
    "?to=1",
    "?to=1&by=agt_01m8czbf8",
    "?to=4&list=9&named=1",
    "?from=9&to=2",
  ]) {
    const read = asked(query);
    if (read === null || read.to === null) throw new Error("it names a version");
    expect(addressOf({ ...read, to: read.to })).toBe(query);
  }
  for (const query of ["to=0", "to=-1", "from=1.5", "to=1e3", "to=latest", "from=9999999999"])
    expect(asked(query)).toBeNull();
  expect(asked("tab=nothing&layout=odd&by=<b>")).toMatchObject({ tab: "source", layout: "unified", by: null });
});

test("a version is compared with the one before it unless another is held", () => {
  expect(fromOf({ pinned: null, to: 7 })).toBe(6);
  expect(fromOf({ pinned: 2, to: 7 })).toBe(2);
  expect(fromOf({ pinned: null, to: 1 })).toBeNull();
});
