// The argument of docs/architecture/leases.md, tried: the real code in three processes on simulated time, clocks, network and
// database, in schedules of pauses, kills, lost and late connections, and restarts of the database.
import { expect, test } from "bun:test";
import * as fc from "fast-check";

import { testSeed } from "@plinth/support/test-seed";

import { createLeases } from "./leases.ts";
import { isFresh, withoutStep, type Omission } from "./test/schedules.ts";
import { simulate } from "./test/simulation.ts";

const minutes = 60_000;

test(
  "no schedule of three processes gives an old answer after a write was answered",
  async () => {
    await fc.assert(isFresh({ createLeases }), { seed: testSeed, numRuns: 2000 });
  },
  5 * minutes,
);

test("when all is well most reads come from memory, and a write waits for two messages", async () => {
  const writes = Array.from({ length: 10 }, (_, n) => ({ at: 500 + 500 * n, process: n % 3, artifact: n % 2 }));
  const outcome = await simulate({ createLeases }, { seed: 7, rates: [1, 1, 1], faults: [], writes });
  expect(outcome).toMatchObject({ old: [], answered: 10 });
  expect(outcome.fromMemory).toBeGreaterThan(500);
  expect(outcome.longestWait).toBeLessThan(1900);
});

/** Each step that the argument needs, and the program without it. */
const omissions: Readonly<Record<string, Omission>> = {
  "a row is answered for a limited time": {
    file: "memory.ts",
    step: "now < entry.readAt + times.answers && mayAnswer(now)",
    instead: "mayAnswer(now)",
  },
  "a row is answered only under a lease": {
    file: "memory.ts",
    step: "now < entry.readAt + times.answers && mayAnswer(now)",
    instead: "now < entry.readAt + times.answers",
  },
  "an answer that was made of a row is given only with that row": {
    file: "memory.ts",
    step: "entry !== undefined && entry.row === row && holds(entry)",
    instead: "entry !== undefined && holds(entry)",
  },
  "an equal row alone keeps what was made of the earlier one": {
    file: "memory.ts",
    step: "Bun.deepEquals(known.row, given.row, true)",
    instead: "true",
  },
  "the time of a row begins before its statement": {
    file: "memory.ts",
    step: "entries.set(name, { ...read, readAt, usedAt",
    instead: "entries.set(name, { ...read, readAt: clock.now(), usedAt",
  },
  "a row that was being read when it changed is not kept": {
    file: "memory.ts",
    step: 'if (reading.forgotten === "all" || reading.forgotten.has(given.artifactId)) return;',
    instead: "",
  },
  "the time of a confirmed row begins before its statement": {
    file: "memory.ts",
    step: "          entry.readAt = readAt;",
    instead: "          entry.readAt = clock.now();",
    seed: 4,
  },
  "reading begins only under a lease": {
    file: "memory.ts",
    step: "if (!mayAnswer(readAt)) return null;",
    instead: "",
  },
  "a holder registers before it answers": {
    file: "leases.ts",
    step: "if (holds) await link.register(former);",
    instead: "",
  },
  "the time of a renewal begins before its statement": {
    file: "leases.ts",
    step: "if (current === link) renewed(askedAt);",
    instead: "if (current === link) renewed(clock.now());",
  },
  "a holder that was removed cannot renew": {
    file: "leases.ts",
    step: "if (!(await link.isRegistered())) throw",
    instead: "await link.isRegistered(); if (current === null) throw",
  },
  "a holder forgets before it confirms": {
    file: "leases.ts",
    step: "    memory.forget(artifactIds);\n    void link.confirm",
    instead: "    void link.confirm",
  },
  "a write forgets in its own process": {
    file: "leases.ts",
    step: "    memory.forget(artifactIds);\n    const changedAt",
    instead: "    const changedAt",
  },
  "a write waits for confirmations": {
    file: "leases.ts",
    step: "    if (isFollowed()) return true;\n",
    instead: "    return true;\n",
  },
  "a write waits longer than a lease lasts": { file: "protocol.ts", step: "waits: 1900,", instead: "waits: 1000," },
  "a silent holder is removed only after its lease": {
    file: "leases.ts",
    step: "await sleep(Math.max(...silent.map((holder) => holder.waitsMs)));",
    instead: "",
  },
  "a message names what changed": {
    file: "leases.ts",
    step: "next.artifactIds.add(one);",
    instead: "void one;",
  },
  "a process that lost its connection holds no lease": {
    file: "leases.ts",
    step: "    heldUntil = -Infinity;\n    memory.forget(null);\n",
    instead: "",
  },
};

test.each(Object.entries(omissions))(
  "without this step there is a schedule with an old answer: %s",
  async (_step, omission) => {
    using program = await withoutStep(omission);
    const { seed = 3 } = omission;
    const { failed, numRuns } = await fc.check(isFresh(program), { seed, numRuns: 10_000, endOnFailure: true });
    console.error(`schedules tried: ${numRuns}`);
    expect(failed).toBe(true);
  },
  5 * minutes,
);
