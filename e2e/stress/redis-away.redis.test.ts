// The short form of `bun run stress redis-away`, which starts a separate Redis.
import { test } from "bun:test";

import { hung } from "../harness/process.ts";
import { redisAway } from "./redis-away.ts";
import { runShortForm } from "./short-form.ts";

test(redisAway.claim, () => runShortForm("redis-away", redisAway), 5 * hung);
