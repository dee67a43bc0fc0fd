// Owns the seed of what tests choose by chance: TEST_SEED, or a new one, which is printed so that a run can be repeated.

function seedOfRun(): number {
  const given = process.env["TEST_SEED"];
  if (given !== undefined) return Number(given);
  const seed = Math.floor(Math.random() * 0x7fffffff);
  console.error(`TEST_SEED=${seed} repeats what the tests chose`);
  process.env["TEST_SEED"] = String(seed);
  return seed;
}

export const testSeed = seedOfRun();

/** Whether tests take whole sets instead of samples. */
export const takesAll = process.env["TEST_SAMPLES"] === "all";

/** This many of the names by the seed of the run; all of them if tests take whole sets. */
export const sampleOfRun = (names: readonly string[], count: number): string[] =>
  takesAll ? [...names] : sampleBySeed(names, count);

/** This many of the names, the same for the same seed, independent of the other names. */
export function sampleBySeed(names: readonly string[], count: number, seed = testSeed): string[] {
  const places = new Map(names.map((name) => [name, Bun.hash.xxHash32(name, seed)]));
  return names.toSorted((one, other) => (places.get(one) ?? 0) - (places.get(other) ?? 0)).slice(0, count);
}
