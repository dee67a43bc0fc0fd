// The short forms of `bun run stress worker-kill`, `jobs-twice`, `database-restart`, `database-stopped`, `sigterm` and `disk-full`.
import { test } from "bun:test";

import { hung } from "../harness/process.ts";
import { databaseRestart } from "./database-restart.ts";
import { databaseStopped } from "./database-stopped.ts";
import { diskFull } from "./disk-full.ts";
import { jobsTwice } from "./jobs-twice.ts";
import { runShortForm } from "./short-form.ts";
import { sigterm } from "./sigterm.ts";
import { workerKill } from "./worker-kill.ts";

for (const [name, stressTest] of Object.entries({ workerKill, jobsTwice, databaseRestart, databaseStopped, sigterm }))
  test(stressTest.claim, () => runShortForm(name, stressTest), 5 * hung);

// Only root can mount the small disk; as root, a failed mount fails the test.
if (process.getuid?.() === 0) test(diskFull.claim, () => runShortForm("diskFull", diskFull), 5 * hung);
else console.error("diskFull: tried by root alone, who may mount a small disk");
