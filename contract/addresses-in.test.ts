import { expect, test } from "bun:test";

import { addressesIn } from "./addresses-in.ts";

test("addresses are found with names and separators around them", () => {
  for (const [text, addresses] of [
    ["ada@example.org", ["ada@example.org"]],
    ["ada@example.org, bo@example.org;cy@example.org\ndi@example.org  ed@example.org,", "ada bo cy di ed"],
    ["Ada Lovelace <ada@example.org>, bo@example.org", "ada bo"],
    ['bo@example.org, "Lovelace, Ada" <ada@example.org>; Cy <cy@example.org>', "bo ada cy"],
    ["<ada@example.org>", "ada"],
    ["bo@example.org\nAda < ada@example.org >\ncy@example.org", "bo ada cy"],
    ["ada@Bücher.example, bo@例え.jp", ["ada@xn--bcher-kva.example", "bo@xn--r8jz45g.jp"]],
    ["", []],
    [" , ;\n", []],
    // The schema refuses these by their places.
    ["ada", ["ada"]],
    ["Ada <ada@example.org", ["Ada", "<ada@example.org"]],
    ["ada@exa mple.org", ["ada@exa", "mple.org"]],
    ["ada@ü ber.example", ["ada@xn--tda", "ber.example"]],
  ] as const) {
    const wanted =
      typeof addresses === "string" ? addresses.split(" ").map((name) => `${name}@example.org`) : addresses;
    expect([text, addressesIn(text)]).toEqual([text, [...wanted]]);
  }
});

test("a long text of brackets is read once", () => {
  expect(addressesIn("<".repeat(100_000))).toHaveLength(1);
  expect(addressesIn("<>".repeat(100_000))).toEqual([]);
  expect(addressesIn(`${'"'.repeat(100_000)}<a@b.c>`).at(-1)).toBe("a@b.c");
});
