// PostgreSQL restarted under load, cleanly and not: requests fail only with 503 `unavailable` and Retry-After, service
// resumes at once, no acknowledged write is lost, and event streams continue or end.
import { rm } from "node:fs/promises";

import { scaledOut } from "../harness/database.ts";
import { openEvents } from "../harness/events.ts";
import { startInstance } from "../harness/instance.ts";
import { createPerson } from "../harness/people.ts";
import { startPostgres } from "../harness/postgres.ts";
import { temporaryFolder, withinHung, withoutScreenshots } from "../harness/process.ts";
import { randomFrom } from "../harness/random.ts";
import { assert, type StressTest } from "./stress-test.ts";
import { checkLedger, Ledger } from "./crash-ledger.ts";
import { doctorIsContent } from "./doctor.ts";
import { type LoadPlace, countOutcomes, isAnswered, makePlace, publish, startLoad, untilBack } from "./fault-load.ts";
import { jobsSettled } from "../harness/jobs-settled.ts";

/** In turn, starting at a random one: fast shutdown, immediate shutdown, and kill. */
const ways = ["SIGINT", "SIGQUIT", "SIGKILL"] as const;
/** From the server's readiness to the first answer to a read and to a publish (docs/reference/security.md §4). */
const backMs = 5000;
const artifacts = 6;

export const databaseRestart: StressTest = {
  claim:
    "while PostgreSQL restarts requests are answered or get 503 with Retry-After; back within 5 s, nothing is lost",
  count: 10,
  shortCount: 2,

  async run({ count, seed, timed = false }) {
    const random = randomFrom(seed);
    const firstWay = Math.floor(random() * ways.length);
    const folder = await temporaryFolder("restart");
    let server = await startPostgres(folder);
    const instance = await startInstance({ env: { ...scaledOut(server.url), ...withoutScreenshots } });
    const ledger = new Ledger();
    const backAfter: number[] = [];
    const outages: { readonly from: number; readonly to: number }[] = [];
    const ended = { streams: 0, received: 0 };
    try {
      const person = await createPerson(instance);
      const place = await makePlace(instance.origin, person, ledger, artifacts);
      const load = startLoad(place, { workers: 6, random, pauseMs: 40 });
      try {
        for (let round = 0; round < count; round++) {
          const listening = await listen(place);
          await Bun.sleep(300 + random() * 700);
          const from = performance.now();
          await server.end(ways[(firstWay + round) % ways.length] ?? "SIGINT");
          await Bun.sleep(random() * 1000);
          server = await startPostgres(folder);
          outages.push({ from, to: performance.now() });
          backAfter.push(await untilBack(place));
          const { over, received } = await listening.afterwards();
          ended.streams += over ? 1 : 0;
          ended.received += received ? 1 : 0;
        }
      } finally {
        await load.stop();
      }
      for (const outcome of load.outcomes) assert(isAnswered(outcome), () => JSON.stringify(outcome));
      // The number of refusals is random: requests wait for the database, and only a running statement fails.
      for (const { from, to } of outages)
        assert(
          load.outcomes.some(({ sentAt, ms }) => sentAt < to && sentAt + ms > from),
          () => "no request met a restart",
        );
      if (timed) for (const ms of backAfter) assert(ms <= backMs, () => `back after ${ms} ms`);
      await checkLedger(instance.origin, person.token, ledger);
      await jobsSettled(instance);
      await doctorIsContent({ DATABASE_URL: server.url });
      return {
        restarts: count,
        requests: countOutcomes(load.outcomes),
        backMs: backAfter.map(Math.round),
        streams: ended,
      };
    } finally {
      await instance.stop();
      await server.end("SIGINT");
      await rm(folder, { recursive: true, force: true });
    }
  },
};

/** A stream of the first artifact: afterwards it has ended, or it receives a version that is published then. */
async function listen(place: LoadPlace) {
  const [artifactId = ""] = place.artifactIds;
  const stream = await openEvents(place.origin, artifactId, { token: place.person.token });
  let over = false;
  void stream.ended.then(() => (over = true));
  return {
    async afterwards(): Promise<{ over: boolean; received: boolean }> {
      const before = stream.events.length;
      const receives = async () => {
        while (!over && stream.events.length === before) {
          await publish(place, artifactId);
          await Bun.sleep(100);
        }
      };
      await withinHung(receives(), () => "a stream neither ended nor received of a version");
      stream.close();
      return { over, received: stream.events.length > before };
    },
  };
}
