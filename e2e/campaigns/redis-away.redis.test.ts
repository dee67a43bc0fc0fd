// The short form of `bun run campaign redis-away`, which starts a Redis of its own.
import { test } from "bun:test";

import { hung } from "../harness/process.ts";
import { newSeed } from "./campaign.ts";
import { redisAway } from "./redis-away.ts";

test(
  redisAway.claim,
  async () => {
    const seed = newSeed();
    console.error(`redis-away: seed ${seed}`);
    console.error(JSON.stringify(await redisAway.run({ count: redisAway.shortCount, seed })));
  },
  5 * hung,
);
