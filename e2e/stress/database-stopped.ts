// PostgreSQL stopped under load by SIGSTOP: it accepts connections and answers nothing. Every request is answered in
// time, acknowledged writes are kept, refused ones can be sent again with their key, and the instance serves at once
// when PostgreSQL continues.
import { rm } from "node:fs/promises";

import { signalServer } from "@plinth/support/postgres/signal-server";

import { scaledOut } from "../harness/database.ts";
import { startInstance } from "../harness/instance.ts";
import { createPerson, fresh } from "../harness/people.ts";
import { startPostgres } from "../harness/postgres.ts";
import { hung, temporaryFolder, withinHung, withoutScreenshots } from "../harness/process.ts";
import { randomFrom } from "../harness/random.ts";
import { assert, type StressTest } from "./stress-test.ts";
import { checkLedger, Ledger } from "./crash-ledger.ts";
import { doctorIsContent } from "./doctor.ts";
import { type LoadPlace, countOutcomes, isAnswered, makePlace, startLoad, untilBack } from "./fault-load.ts";
import { jobsSettled } from "../harness/jobs-settled.ts";

const artifacts = 6;
/** Seconds that PostgreSQL is stopped; the short time exceeds the deadline. */
const stoppedSeconds = { whole: 60, short: 15 } as const;
const answeredMs = 16_000;
const backMs = 5000;
const exitMs = 10_000;

export const databaseStopped: StressTest = {
  claim:
    "while PostgreSQL is stopped every request is answered within 16 s; it serves within 5 s after, nothing is lost, a write with its key is done once",
  count: 2,
  shortCount: 1,

  async run({ count, seed, timed = false }) {
    const random = randomFrom(seed);
    const folder = await temporaryFolder("stopped");
    const server = await startPostgres(folder);
    const instance = await startInstance({ env: { ...scaledOut(server.url), ...withoutScreenshots } });
    const ledger = new Ledger();
    const backAfter: number[] = [];
    let exit: number | null = null;
    let stopped = false;
    try {
      const person = await createPerson(instance);
      const place = await makePlace(instance.origin, person, ledger, artifacts);
      const load = startLoad(place, { workers: 12, random, pauseMs: 40 });
      const keyed: KeyedWrite[] = [];
      const seen = new Set<string>();
      for (let round = 0; round < count; round++) {
        await Bun.sleep(500 + random() * 500);
        const before = Array.from({ length: 3 }, () => beginKeyed(place));
        signalServer(server.pid, "SIGSTOP");
        try {
          keyed.push(...before, ...Array.from({ length: 3 }, () => beginKeyed(place)));
          const ends = performance.now() + 1000 * (timed ? stoppedSeconds.whole : stoppedSeconds.short);
          while (performance.now() < ends) {
            seen.add(await healthOf(place));
            await Bun.sleep(1000);
          }
        } finally {
          signalServer(server.pid, "SIGCONT");
        }
        backAfter.push(await untilBack(place));
      }
      await load.stop();
      for (const outcome of load.outcomes) {
        assert(isAnswered(outcome), () => JSON.stringify(outcome));
        if (timed) assert(outcome.ms <= answeredMs, () => `answered late: ${JSON.stringify(outcome)}`);
      }
      const refused = load.outcomes.filter(({ status }) => status === 503).length;
      assert(refused > 0, () => "no request met the stop");
      assert(!seen.has("pass") && seen.has("fail"), () => `health was ${[...seen].join(", ")}`);
      if (timed) for (const ms of backAfter) assert(ms <= backMs, () => `back after ${ms} ms`);
      const firstTry = await Promise.all(keyed.map(({ first }) => first));
      for (const write of keyed) await write.again();
      await checkLedger(instance.origin, person.token, ledger);
      await jobsSettled(instance);
      exit = await endWhileStopped(server.pid, instance);
      stopped = true;
      if (timed) assert(exit <= exitMs, () => `it took ${exit} ms to end`);
      await doctorIsContent({ DATABASE_URL: server.url });
      const times = load.outcomes.map(({ ms }) => ms).toSorted((a, b) => a - b);
      return {
        stops: count,
        requests: countOutcomes(load.outcomes),
        longestMs: Math.round(times.at(-1) ?? 0),
        backMs: backAfter.map(Math.round),
        exitMs: Math.round(exit),
        health: [...seen],
        keyedWrites: { first: countByStatus(firstTry), doneOnce: keyed.length },
      };
    } catch (error) {
      throw new Error(`${String(error).slice(0, 1000)}\n${instance.stderr().slice(-2000)}`, { cause: error });
    } finally {
      if (!stopped) await instance.stop();
      await server.end("SIGINT");
      await rm(folder, { recursive: true, force: true });
    }
  },
};

const countByStatus = (statuses: readonly number[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

async function healthOf({ origin }: LoadPlace): Promise<string> {
  const answer = await fetch(`${origin}/api/health`, { signal: AbortSignal.timeout(hung) });
  return ((await answer.json()) as { status: string }).status;
}

interface KeyedWrite {
  /** The status of the first try. */
  readonly first: Promise<number>;
  /** Sends it twice more with the same key. @throws if that creates another version */
  again(): Promise<void>;
}

/** Publishes a version with an Idempotency-Key. */
function beginKeyed({ origin, person, artifactIds, ledger }: LoadPlace): KeyedWrite {
  const artifactId = artifactIds[0] ?? "";
  const content = `# ${fresh("keyed")}\n`;
  const entry = ledger.entry(artifactId);
  entry.sent.add(content);
  const headers = {
    authorization: `Bearer ${person.token}`,
    "content-type": "application/json",
    "idempotency-key": crypto.randomUUID(),
  };
  const send = async () => {
    const request = { method: "POST", headers, body: JSON.stringify({ content }), signal: AbortSignal.timeout(hung) };
    const answer = await fetch(`${origin}/api/artifacts/${artifactId}/versions`, request);
    const { versionNumber } = (await answer.json()) as { versionNumber?: number };
    if (versionNumber !== undefined) entry.versions.set(versionNumber, content);
    return { status: answer.status, versionNumber };
  };
  const first = send();
  return {
    first: first.then(({ status }) => status),
    async again() {
      const [once, twice] = [await send(), await send()];
      assert(once.status === 201 && twice.status === 201, () => `a retry got ${once.status} and ${twice.status}`);
      const numbers = new Set([
        once.versionNumber,
        twice.versionNumber,
        (await first).versionNumber ?? once.versionNumber,
      ]);
      assert(numbers.size === 1, () => `one key made the versions ${[...numbers].join(", ")}`);
    },
  };
}

/** Sends SIGTERM while PostgreSQL is stopped; returns the ms until the instance has ended. */
async function endWhileStopped(pid: number, instance: { pid: number; exited: Promise<number> }): Promise<number> {
  signalServer(pid, "SIGSTOP");
  try {
    const told = performance.now();
    process.kill(instance.pid, "SIGTERM");
    await withinHung(instance.exited, () => "the instance did not end");
    return performance.now() - told;
  } finally {
    signalServer(pid, "SIGCONT");
  }
}
