import { expect, test } from "bun:test";

import { compareInReadingOrder, isIndexPage } from "./reading-order.ts";

const inOrder = [
  "README.md",
  "2-setup.md",
  "10-usage.md",
  "about.md",
  "guide/index.html",
  "guide/Apples.md",
  "guide/bananas.md",
  "guide/bananas/ripe.md",
  "guide/bananas/ripe.txt.md",
  "guide.v2/a.md",
  "readme-old.md",
  "zoo.md",
];

test("index pages come first, then documents and folders by name, numbers by their value", () => {
  for (let shift = 0; shift < inOrder.length; shift++) {
    const shuffled = [...inOrder.slice(shift), ...inOrder.slice(0, shift)].toReversed();
    expect(shuffled.toSorted(compareInReadingOrder)).toEqual(inOrder);
  }
});

test("it is an order: no two paths are equal, and each pair is compared one way", () => {
  for (const one of inOrder)
    for (const other of inOrder) {
      const there = Math.sign(compareInReadingOrder(one, other));
      expect([one, other, there]).toEqual([one, other, -Math.sign(compareInReadingOrder(other, one)) + 0]);
      expect(there === 0).toBe(one === other);
    }
});

test.each([
  ["README.md", true],
  ["docs/index.jsx", true],
  ["docs/readme", false],
  ["index/setup.md", false],
  ["my-index.md", false],
])("%p is an index page: %p", (path, isIndex) => {
  expect(isIndexPage(path)).toBe(isIndex);
});
