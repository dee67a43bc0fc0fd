// Random samples of large sets for tests: different ones in each run, by a seed that is printed. TEST_SEED=<seed>
// repeats them, TEST_SAMPLES=all takes the whole sets.
import { takesAll, testSeed as seed } from "@plinth/support/test-seed";

import { randomFrom } from "./random.ts";

export { takesAll };

const printed = new Set<string>();

/** The seed of this run's samples; prints once for each subject how to repeat them. */
export function testSeed(subject: string): number {
  if (!printed.has(subject)) console.error(`${subject}: TEST_SEED=${seed}`);
  printed.add(subject);
  return seed;
}

/** Random numbers of the run's seed. Those of a part do not depend on which other parts run. */
export const testRandom = (subject: string, part = ""): (() => number) =>
  randomFrom(Bun.hash.xxHash32(part, testSeed(subject)));

/** Picks `count` of the items in their order; all of them if tests take whole sets. */
export function sample<Item>(items: readonly Item[], count: number, random: () => number): Item[] {
  if (takesAll) return [...items];
  const turns = items.map((item, at) => ({ item, at, turn: random() }));
  const chosen = turns.toSorted((one, other) => one.turn - other.turn).slice(0, count);
  return chosen.toSorted((one, other) => one.at - other.at).map(({ item }) => item);
}

/** The first item, which says most, and `count - 1` others at random; all of them if tests take whole sets. */
export function sampleWithFirst<Item>(items: readonly Item[], count: number, random: () => number): Item[] {
  return [...items.slice(0, 1), ...sample(items.slice(1), count - 1, random)];
}

/** The color scheme of a test that holds in both: one of them, or both if tests take whole sets. */
export const colorSchemesOf = (subject: string): ("light" | "dark")[] =>
  sample(["light", "dark"] as const, 1, testRandom(subject, "color scheme"));

/**
 * For `describe.each` and `test.each`: the name in one of so many runs, by the seed, and always if tests take whole sets.
 * For tests of much that rarely changes, like the image.
 */
export const oneRunIn = (runs: number, name: string): string[] =>
  takesAll || testRandom("turns", name)() < 1 / runs ? [name] : [];

/** Picks one item at random. */
export function pick<Item>(items: readonly Item[], random: () => number): Item {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error("there is nothing to pick from");
  return item;
}
