// The short form of `bun run campaign retention`.
import { test } from "bun:test";

import { hung } from "../harness/process.ts";
import { newSeed } from "./campaign.ts";
import { retention } from "./retention.ts";

test(
  retention.claim,
  async () => {
    const seed = newSeed();
    console.error(`retention: seed ${seed}`);
    console.error(JSON.stringify(await retention.run({ count: retention.shortCount, seed })));
  },
  5 * hung,
);
