// The short form of `bun run stress addresses`.
import { expect, test } from "bun:test";

import { hung } from "../harness/process.ts";
import { addresses } from "./addresses.ts";
import { runShortForm } from "./short-form.ts";

test(
  addresses.claim,
  async () => {
    const { lookups } = await runShortForm("addresses", addresses);
    expect(lookups).toBeGreaterThan(2 * addresses.shortCount);
  },
  hung,
);
