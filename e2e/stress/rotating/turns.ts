// The short forms of stress tests, three of them in each run, by its seed: each takes half a minute. `TEST_SAMPLES=all bun
// run test e2e/stress/rotating` has all, `bun run stress <name>` the full form of one.
import { expect, test } from "bun:test";

import { hung } from "../harness/process.ts";
import { sample, testRandom } from "../harness/test-seed.ts";
import { backup } from "./backup.ts";
import { busy } from "./busy.ts";
import { bystander } from "./bystander.ts";
import { crash } from "./crash.ts";
import { databaseRestart } from "./database-restart.ts";
import { databaseStopped } from "./database-stopped.ts";
import { diskFull } from "./disk-full.ts";
import { choose } from "./hostile-cases.ts";
import { attackWith, hostile } from "./hostile.ts";
import { jobsTwice } from "./jobs-twice.ts";
import { leases } from "./leases.ts";
import { retention } from "./retention.ts";
import { revocations } from "./revocations.ts";
import { runShortForm } from "./short-form.ts";
import { sigterm } from "./sigterm.ts";
import { randomFrom, type StressTest } from "./stress-test.ts";
import { thumbnails } from "./thumbnails.ts";
import { uploads } from "./uploads.ts";
import { workerKill } from "./worker-kill.ts";

const inOneRun = 3;

/**
 * Four of sixteen payloads, which are of sixteen families. They come from the same sixteen each time, so that each has
 * passed before; `bun run stress hostile` tries others.
 */
const fewHostile: StressTest = {
  ...hostile,
  run() {
    const known = choose(hostile.shortCount, randomFrom(535_265_213));
    return attackWith(sample(known, 4, testRandom("hostile")));
  },
};

/** Only root can mount the small disk; as root, a failed mount fails the test. */
const ofRoot: Readonly<Record<string, StressTest>> = process.getuid?.() === 0 ? { "disk-full": diskFull } : {};

const stressTests: Readonly<Record<string, StressTest>> = {
  backup,
  bystander,
  busy,
  crash,
  "database-restart": databaseRestart,
  "database-stopped": databaseStopped,
  hostile: fewHostile,
  "jobs-twice": jobsTwice,
  leases,
  retention,
  revocations,
  sigterm,
  thumbnails,
  uploads,
  "worker-kill": workerKill,
  ...ofRoot,
};

/** What the outcome must have, where a stress test does not judge all of it. */
const outcomes: Readonly<Record<string, object>> = {
  busy: { jsx: 4, md: 8, invalidSource: 0, shownAsSource: 0 },
};

test.each(sample(Object.entries(stressTests), inOneRun, testRandom("stress tests")))(
  "%s",
  async (name, stressTest) => {
    console.error(stressTest.claim);
    expect(await runShortForm(name, stressTest)).toMatchObject(outcomes[name] ?? {});
  },
  5 * hung,
);
