// The short form of `bun run stress hostile`.
import { test } from "bun:test";

import { hung } from "../harness/process.ts";
import { hostile } from "./hostile.ts";

/** The same payloads each time, so that only a change can cause a failure; `bun run stress hostile` tries others. */
const seed = 535_265_213;

test(
  hostile.claim,
  async () => {
    console.error(`hostile: seed ${seed}`);
    console.error(JSON.stringify(await hostile.run({ count: hostile.shortCount, seed })));
  },
  5 * hung,
);
