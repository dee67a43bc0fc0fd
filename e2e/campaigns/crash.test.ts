// The short form of `bun run campaign crash`.
import { test } from "bun:test";

import { hung } from "../harness/process.ts";
import { newSeed } from "./campaign.ts";
import { crash } from "./crash.ts";

test(
  crash.claim,
  async () => {
    const seed = newSeed();
    console.error(`crash: seed ${seed}`);
    console.error(JSON.stringify(await crash.run({ count: crash.shortCount, seed })));
  },
  5 * hung,
);
