// The short form of `bun run campaign hostile`: a payload of each family as one type.
import { test } from "bun:test";

import { hung } from "../harness/process.ts";
import { hostile } from "./hostile.ts";
import { runShortForm } from "./short-form.ts";

test(hostile.claim, () => runShortForm("hostile", hostile), 5 * hung);
