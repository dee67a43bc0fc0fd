// The short form of `bun run campaign pages`: each page once.
import { test } from "bun:test";

import { hung } from "../harness/process.ts";
import { newSeed } from "./campaign.ts";
import { pages } from "./pages.ts";

test(
  pages.claim,
  async () => {
    const seed = newSeed();
    console.error(`pages: seed ${seed}`);
    console.error(JSON.stringify(await pages.run({ count: pages.shortCount, seed })));
  },
  5 * hung,
);
