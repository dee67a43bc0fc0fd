// The short form of `bun run stress lists`, which compares 10,000 sets of random data and sets both variables.
import { afterAll, beforeAll, test } from "bun:test";

import { testSeed } from "@plinth/support/test-seed";

import { createSetup, type Setup } from "../test/context.ts";
import { listsAgree } from "./test/lists-agree.ts";

const count = Number(process.env.LIST_WORLDS ?? 25);
const seed = Number(process.env.LIST_SEED ?? testSeed);
/** For one set of data, on a busy machine. */
const hungMs = 2000;

let setup: Setup;
beforeAll(async () => {
  setup = await createSetup();
});
afterAll(() => setup.close());

test(
  "lists, search and counts show what `decide` lets the caller read",
  async () => {
    console.error(`lists: ${count} setups, seed ${seed}`);
    await listsAgree(setup, { count, seed });
  },
  count * hungMs,
);
