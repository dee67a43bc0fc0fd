// Redis away under load, twice: it hangs, and it is killed and comes back empty. Publishing and reading keep their
// pace, limits still hold, and afterwards every job is done and the scheduled ones run again.
import { rm } from "node:fs/promises";

import { scaledOut } from "../harness/database.ts";
import { send } from "../harness/http.ts";
import { startInstance, type Instance } from "../harness/instance.ts";
import { clientOf, createPerson, operatorOf } from "../harness/people.ts";
import { startPostgres } from "../harness/postgres.ts";
import { eventually, temporaryFolder, withoutScreenshots } from "../harness/process.ts";
import { startRedis } from "../harness/redis.ts";
import { randomFrom } from "../harness/random.ts";
import { type StressTest, assert, atShare } from "./stress-test.ts";
import { checkLedger, Ledger } from "./crash-ledger.ts";
import { doctorIsContent } from "./doctor.ts";
import { makePlace, startLoad, countOutcomes, type LoadPlace, type Outcome } from "./fault-load.ts";
import { foundBy } from "../harness/found.ts";
import { jobsSettled } from "../harness/jobs-settled.ts";

const people = 4;
const artifacts = 3;
/** Of one person: more than the load sends, and soon reached by an attempt. */
const writesAMinute = 500;
/** The highest factor by which a median can grow while Redis is away. */
const paceFactor = 2;
/** Scheduled jobs, which must run again after Redis has forgotten them. */
const scheduled = ["purge", "renderings", "retention", "thumbnails"];

type Phase = readonly [from: number, to: number];

export const redisAway: StressTest = {
  claim: "Redis hangs, and is gone and comes back empty: every publish and read succeeds at its pace, and jobs follow",
  count: 120,
  shortCount: 3,

  async run({ count: seconds, seed, timed = false }) {
    const random = randomFrom(seed);
    const folder = await temporaryFolder("redis-away");
    const server = await startPostgres(folder);
    const redis = await startRedis();
    const env = {
      ...scaledOut(server.url),
      ...withoutScreenshots,
      REDIS_URL: redis.url,
      RATE_LIMIT_WRITES: `${writesAMinute}`,
      RATE_LIMIT_READS: "100000",
    };
    const instance = await startInstance({ env });
    const ledger = new Ledger();
    try {
      const places: LoadPlace[] = [];
      for (let n = 0; n < people; n++)
        places.push(await makePlace(instance.origin, await createPerson(instance), ledger, artifacts));
      const loads = places.map((place) => startLoad(place, { workers: 1, random, pauseMs: 100 }));
      const phases: Record<string, Phase> = {};
      try {
        phases["there"] = await during(Math.min(seconds, 30));
        redis.pause();
        phases["hanging"] = await during(seconds);
        const limitedAfter = { hanging: await limitedAt(instance), gone: 0 };
        redis.resume();
        await headsAreFound(places);
        await redis.end();
        phases["gone"] = await during(seconds);
        limitedAfter.gone = await limitedAt(instance);
        for (const [when, at] of Object.entries(limitedAfter))
          assert(at <= writesAMinute + 1, () => `with Redis ${when} nobody is limited after ${at} writes`);
      } finally {
        redis.resume();
        for (const load of loads) await load.stop();
      }
      await redis.start();
      await headsAreFound(places);
      await jobsSettled(instance);
      await schedulesAreBack(instance);
      const outcomes = loads.flatMap((load) => load.outcomes);
      for (const outcome of outcomes)
        assert(outcome.status >= 200 && outcome.status < 300, () => JSON.stringify(outcome));
      const medianMs = Object.fromEntries(Object.entries(phases).map(([name, phase]) => [name, pace(outcomes, phase)]));
      if (timed)
        for (const when of ["hanging", "gone"])
          for (const act of ["publish", "content"] as const)
            assert(
              (medianMs[when]?.[act] ?? Infinity) <= paceFactor * (medianMs["there"]?.[act] ?? 0),
              () => `${act} while Redis is ${when}: ${JSON.stringify(medianMs)}`,
            );
      for (const { person } of places.slice(0, 1)) await checkLedger(instance.origin, person.token, ledger);
      await doctorIsContent({ DATABASE_URL: server.url });
      const logged = loggedOfRedis(instance);
      // It is lost twice; each time logs a line at the beginning, one a minute, and one at the end.
      assert(logged.length >= 2 && logged.length <= 2 * (2 + Math.ceil((2 * seconds) / 60)), () => logged.join("\n"));
      // BullMQ can log afterwards that Redis has forgotten a job's lock.
      const latest = logged.findLast((line) => line.includes('"redis":'));
      assert(latest?.includes('"redis":"well"') === true, () => logged.join("\n"));
      return { awaySeconds: seconds, requests: countOutcomes(outcomes), medianMs, logged: logged.length };
    } finally {
      await instance.stop();
      await redis.end();
      await server.end("SIGINT");
      await rm(folder, { recursive: true, force: true });
    }
  },
};

async function during(seconds: number): Promise<Phase> {
  const from = performance.now();
  await Bun.sleep(seconds * 1000);
  return [from, performance.now()];
}

/** Every log line that the missing Redis has caused. */
const loggedOfRedis = (instance: Instance): string[] =>
  instance
    .stderr()
    .split("\n")
    .filter((line) => /redis|queue of jobs|ECONNREFUSED|"database":/i.test(line));

/** How many writes a person can send before a 429. */
async function limitedAt(instance: Instance): Promise<number> {
  const { token } = await createPerson(instance);
  for (let sent = 1; sent <= 2 * writesAMinute; sent++) {
    const { status } = await send(`${instance.origin}/api/projects`, { method: "POST", token, body: {} });
    if (status === 429) return sent;
    assert(status === 400, () => `an empty project got ${status}`);
  }
  return Infinity;
}

/** Later changes are found: the waiting jobs are done, and new ones are. */
async function headsAreFound(places: readonly LoadPlace[]): Promise<void> {
  for (const { origin, person, artifactIds } of places) {
    const here = { ...person, client: clientOf(origin, person.token) };
    for (const artifactId of artifactIds) {
      const title = `found${crypto.randomUUID().replaceAll("-", "")}`;
      await here.client.call("artifact.patch", { artifactId, title });
      await foundBy(here, title, artifactId);
    }
  }
}

/** Each has a next turn in the queue. */
async function schedulesAreBack(instance: Instance): Promise<void> {
  const areBack = async () => {
    const { jobs } = await operatorOf(instance).call("operator.listJobs", { limit: 100 });
    return scheduled.every((kind) => jobs.some((job) => job.kind === kind));
  };
  await eventually(areBack, () => `nothing schedules one of ${scheduled.join(", ")} any more`);
}

/** The median of the requests sent and answered in a phase, by act, in ms. */
function pace(outcomes: readonly Outcome[], [from, to]: Phase): Record<string, number> {
  const timesOf = (act: Outcome["act"]) =>
    outcomes
      .filter((outcome) => outcome.act === act && outcome.sentAt >= from && outcome.sentAt < to)
      .map(({ ms }) => 10 * ms);
  const acts = ["publish", "content", "artifact", "search"] as const;
  return Object.fromEntries(acts.map((act) => [act, atShare(timesOf(act), 0.5) / 10]));
}
