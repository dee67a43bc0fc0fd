// The short form of `bun run campaign revocations`.
import { test } from "bun:test";

import { hung } from "../harness/process.ts";
import { newSeed } from "./campaign.ts";
import { revocations } from "./revocations.ts";

test(
  revocations.claim,
  async () => {
    const seed = newSeed();
    console.error(`revocations: seed ${seed}`);
    console.error(JSON.stringify(await revocations.run({ count: revocations.shortCount, seed })));
  },
  5 * hung,
);
