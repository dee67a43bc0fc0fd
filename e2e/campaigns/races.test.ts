// The short form of `bun run campaign races`.
import { test } from "bun:test";

import { hung } from "../harness/process.ts";
import { newSeed } from "./campaign.ts";
import { races } from "./races.ts";

test(
  races.claim,
  async () => {
    const seed = newSeed();
    console.error(`races: seed ${seed}`);
    console.error(JSON.stringify(await races.run({ count: races.shortCount, seed })));
  },
  5 * hung,
);
