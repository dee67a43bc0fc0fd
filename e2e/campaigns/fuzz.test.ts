// The short form of `bun run campaign fuzz`.
import { test } from "bun:test";

import { hung } from "../harness/process.ts";
import { newSeed } from "./campaign.ts";
import { fuzz } from "./fuzz.ts";

test(
  fuzz.claim,
  async () => {
    const seed = newSeed();
    console.error(`fuzz: seed ${seed}`);
    console.error(JSON.stringify(await fuzz.run({ count: fuzz.shortCount, seed })));
  },
  5 * hung,
);
