// The short form of `bun run stress hostile`: four of sixteen payloads, one of each family, by the seed of the run.
// `TEST_SAMPLES=all bun run test e2e/stress/hostile.test` tries all sixteen.
import { test } from "bun:test";

import { hung } from "../harness/process.ts";
import { sample, testRandom } from "../harness/test-seed.ts";
import { choose } from "./hostile-cases.ts";
import { attackWith, hostile } from "./hostile.ts";
import { randomFrom } from "./stress-test.ts";

/** The same payloads to choose from each time, so that each has passed before; `bun run stress hostile` tries others. */
const seed = 535_265_213;
const inOneRun = 4;

test(
  hostile.claim,
  async () => {
    const known = choose(hostile.shortCount, randomFrom(seed));
    const chosen = sample(known, inOneRun, testRandom("hostile"));
    console.error(`hostile: ${chosen.map(({ name }) => name).join(", ")}`);
    console.error(JSON.stringify(await attackWith(chosen)));
  },
  5 * hung,
);
