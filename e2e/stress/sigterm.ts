// SIGTERM under load: requests that have reached the server are answered, unanswered ones have no effect, and the
// process ends within ten seconds.
import { connect, type Socket } from "node:net";
import { rm } from "node:fs/promises";

import { openEvents } from "../harness/events.ts";
import { startInstance, type Instance } from "../harness/instance.ts";
import { clientOf, createPerson } from "../harness/people.ts";
import { temporaryFolder, withinHung, withoutScreenshots } from "../harness/process.ts";
import { randomFrom } from "../harness/random.ts";
import { assert, type StressTest } from "./stress-test.ts";
import { checkLedger, Ledger } from "./crash-ledger.ts";
import { doctorIsContent } from "./doctor.ts";
import { makePlace, startLoad, countOutcomes, type LoadPlace, type Outcome } from "./fault-load.ts";
import { jobsSettled } from "../harness/jobs-settled.ts";

const artifacts = 6;
/** Half-sent requests at the time of the signal. */
const half = 4;
/** From the signal to the process's end (docs/reference/security.md §4). */
const exitMs = 10_000;

export const sigterm: StressTest = {
  claim: "told to end under load, the server answers whatever it had accepted, is gone within 10 s, and loses nothing",
  count: 20,
  shortCount: 1,

  async run({ count, seed, timed = false }) {
    const random = randomFrom(seed);
    const dataDir = await temporaryFolder("sigterm");
    const ledger = new Ledger();
    const all: Outcome[] = [];
    const exits: number[] = [];
    let instance = await startInstance({ dataDir, env: withoutScreenshots });
    try {
      const person = await createPerson(instance);
      const { artifactIds } = await makePlace(instance.origin, person, ledger, artifacts);
      for (let round = 0; round < count; round++) {
        const { origin } = instance;
        const place: LoadPlace = { origin, person, artifactIds, ledger };
        const load = startLoad(place, { workers: 8, random, pauseMs: 10, apart: true });
        const stream = await openEvents(origin, artifactIds[0] ?? "", { token: person.token });
        await Bun.sleep(200 + random() * 400);
        const begun = await Promise.all(Array.from({ length: half }, (_, n) => beginPublish(place, n)));
        await Bun.sleep(random() * 100);
        const signalledAt = performance.now();
        process.kill(instance.pid, "SIGTERM");
        await Bun.sleep(50 + random() * 300);
        for (const one of begun) await one.finish();
        const status = await withinHung(instance.exited, () => "the process did not end");
        exits.push(performance.now() - signalledAt);
        assert(status === 0, () => `it ended with ${status}\n${instance.stderr().slice(-2000)}`);
        await withinHung(stream.ended, () => "a stream was left open");
        await load.stop();
        all.push(...load.outcomes);
        instance = await startInstance({ dataDir, env: withoutScreenshots });
        await nothingUnanswered(instance, place, load.outcomes);
      }
      for (const outcome of all) assert(outcome.status === 0 || outcome.status < 300, () => JSON.stringify(outcome));
      if (timed) for (const ms of exits) assert(ms <= exitMs, () => `it took ${ms} ms to end`);
      await checkLedger(instance.origin, person.token, ledger);
      await jobsSettled({ ...instance });
      await doctorIsContent({ DATA_DIR: dataDir });
      return { signals: count, halfSent: count * half, exitMs: exits.map(Math.round), requests: countOutcomes(all) };
    } finally {
      await instance.stop();
      await rm(dataDir, { recursive: true, force: true });
    }
  },
};

/** A request without an answer was not accepted and has no effect. A client that was never connected sent nothing. */
async function nothingUnanswered(instance: Instance, place: LoadPlace, outcomes: readonly Outcome[]): Promise<void> {
  const client = clientOf(instance.origin, place.person.token);
  const unanswered = outcomes.flatMap(({ status, code, published }) =>
    status === 0 && code !== "ECONNREFUSED" && published !== undefined ? [published] : [],
  );
  for (const [artifactId, sent] of Map.groupBy(unanswered, (published) => published.artifactId)) {
    const { versions } = await client.call("version.list", { artifactId, limit: 100 });
    const done = new Set(versions.map(({ sha256 }) => sha256));
    for (const { sha256 } of sent)
      assert(!done.has(sha256), () => `a publish to ${artifactId} was done and not answered`);
  }
}

/** A publish of which the head and half of the body have reached the server's machine, and so are accepted. */
async function beginPublish({ origin, person, artifactIds, ledger }: LoadPlace, n: number) {
  const artifactId = artifactIds[n % artifactIds.length] ?? "";
  const content = `# Half sent ${crypto.randomUUID()}\n`;
  const entry = ledger.entry(artifactId);
  entry.sent.add(content);
  const body = JSON.stringify({ content });
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  const answer = answerOf(socket);
  const head = [
    `POST /api/artifacts/${artifactId}/versions HTTP/1.1`,
    `host: ${hostname}:${port}`,
    `authorization: Bearer ${person.token}`,
    "content-type: application/json",
    `content-length: ${body.length}`,
    "connection: close",
  ];
  const sent = Promise.withResolvers<void>();
  socket.write(`${head.join("\r\n")}\r\n\r\n${body.slice(0, 10)}`, () => sent.resolve());
  await withinHung(sent.promise, () => "nobody took the beginning of a publish");
  return {
    async finish(): Promise<void> {
      socket.write(body.slice(10));
      const text = await withinHung(answer, () => "a publish that was begun was never answered");
      assert(
        text.startsWith("HTTP/1.1 201 "),
        () => `a publish that was begun got ${JSON.stringify(text.slice(0, 300))}`,
      );
      const { versionNumber } = JSON.parse(text.slice(text.indexOf("\r\n\r\n") + 4)) as { versionNumber: number };
      entry.versions.set(versionNumber, content);
    },
  };
}

/** Everything received until the server closes or resets the connection. */
function answerOf(socket: Socket): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  let text = "";
  socket.setEncoding("utf8");
  socket.on("data", (chunk: string) => (text += chunk));
  socket.on("error", (error) => resolve(text === "" ? String(error) : text));
  socket.on("close", () => resolve(text));
  return promise;
}
