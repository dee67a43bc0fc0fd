import { sample, testRandom } from "../../harness/test-seed.ts";
import { choose } from "../hostile-cases.ts";
import { attackWith, hostile } from "../hostile.ts";
import { randomFrom } from "../../harness/random.ts";
import { inTurn } from "./turns.ts";

/**
 * Four of sixteen payloads, which are of sixteen families. They come from the same sixteen each time, so that each has
 * passed before; `bun run stress hostile` tries others.
 */
inTurn("hostile", {
  ...hostile,
  run() {
    const known = choose(hostile.shortCount, randomFrom(535_265_213));
    return attackWith(sample(known, 4, testRandom("hostile")));
  },
});
