// The short form of `bun run stress thumbnails`.
import { test } from "bun:test";

import { hung } from "../harness/process.ts";
import { thumbnails } from "./thumbnails.ts";

test(
  thumbnails.claim,
  async () => {
    console.error(JSON.stringify(await thumbnails.run({ count: thumbnails.shortCount, seed: 0 })));
  },
  5 * hung,
);
