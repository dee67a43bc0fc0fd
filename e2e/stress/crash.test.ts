// The short form of `bun run stress crash`.
import { test } from "bun:test";

import { hung } from "../harness/process.ts";
import { crash } from "./crash.ts";
import { runShortForm } from "./short-form.ts";

test(crash.claim, () => runShortForm("crash", crash), 5 * hung);
