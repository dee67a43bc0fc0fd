// The short form of `bun run stress addresses`.
import { expect, setDefaultTimeout, test } from "bun:test";

import { hung } from "../harness/process.ts";
import { addresses } from "./addresses.ts";
import { runShortForm } from "./short-form.ts";

setDefaultTimeout(hung);

test(addresses.claim, async () => {
  const { lookups } = await runShortForm("addresses", addresses);
  expect(lookups).toBeGreaterThan(2 * addresses.shortCount);
});
