// The short form of `bun run stress revocations`.
import { test } from "bun:test";

import { hung } from "../harness/process.ts";
import { revocations } from "./revocations.ts";
import { runShortForm } from "./short-form.ts";

test(revocations.claim, () => runShortForm("revocations", revocations), 5 * hung);
