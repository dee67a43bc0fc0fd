// The short form of `bun run campaign backup`.
import { test } from "bun:test";

import { hung } from "../harness/process.ts";
import { newSeed } from "./campaign.ts";
import { backup } from "./backup.ts";

test(
  backup.claim,
  async () => {
    const seed = newSeed();
    console.error(`backup: seed ${seed}`);
    console.error(JSON.stringify(await backup.run({ count: backup.shortCount, seed })));
  },
  5 * hung,
);
