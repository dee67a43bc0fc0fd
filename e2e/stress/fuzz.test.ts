// The short form of `bun run stress fuzz`.
import { test } from "bun:test";

import { hung } from "../harness/process.ts";
import { fuzz } from "./fuzz.ts";
import { runShortForm } from "./short-form.ts";

test(fuzz.claim, async () => void (await runShortForm("fuzz", fuzz)), 5 * hung);
