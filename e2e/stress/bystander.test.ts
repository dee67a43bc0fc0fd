// The short form of `bun run stress bystander`: without times. Under each attack every request of the bystander
// succeeds, the attack gets the statuses it should, and the server's memory stays bounded.
import { test } from "bun:test";

import { hung } from "../harness/process.ts";
import { bystander } from "./bystander.ts";
import { newSeed } from "./stress-test.ts";

test(
  "bystander: under each attack no request of another workspace fails and memory stays bounded",
  async () => {
    const seed = newSeed();
    console.error(`bystander: seed ${seed}`);
    console.error(JSON.stringify(await bystander.run({ count: bystander.shortCount, seed })));
  },
  5 * hung,
);
