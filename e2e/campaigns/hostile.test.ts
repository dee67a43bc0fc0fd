// The short form of `bun run campaign hostile`.
import { test } from "bun:test";

import { hung } from "../harness/process.ts";
import { newSeed } from "./campaign.ts";
import { hostile } from "./hostile.ts";

test(
  hostile.claim,
  async () => {
    const seed = newSeed();
    console.error(`hostile: seed ${seed}`);
    console.error(JSON.stringify(await hostile.run({ count: hostile.shortCount, seed })));
  },
  5 * hung,
);
