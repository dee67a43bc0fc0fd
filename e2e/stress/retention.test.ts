// The short form of `bun run stress retention`.
import { test } from "bun:test";

import { hung } from "../harness/process.ts";
import { retention } from "./retention.ts";
import { runShortForm } from "./short-form.ts";

test(retention.claim, () => runShortForm("retention", retention), 5 * hung);
