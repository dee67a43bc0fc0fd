// The short form of `bun run stress backup`.
import { test } from "bun:test";

import { hung } from "../harness/process.ts";
import { backup } from "./backup.ts";
import { runShortForm } from "./short-form.ts";

test(backup.claim, () => runShortForm("backup", backup), 5 * hung);
