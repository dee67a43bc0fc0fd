// The short form of `bun run stress busy`.
import { expect, test } from "bun:test";

import { hung } from "../harness/process.ts";
import { busy } from "./busy.ts";

test(
  busy.claim,
  async () => {
    const outcome = await busy.run({ count: busy.shortCount, seed: 0 });
    expect(outcome).toMatchObject({ jsx: 4, md: 8, invalidSource: 0, shownAsSource: 0 });
  },
  5 * hung,
);
