// The short form of `bun run stress races`.
import { test } from "bun:test";

import { hung } from "../harness/process.ts";
import { races } from "./races.ts";
import { runShortForm } from "./short-form.ts";

test(races.claim, async () => void (await runShortForm("races", races)), 5 * hung);
