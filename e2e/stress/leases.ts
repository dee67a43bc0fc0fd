// Leases: new versions, revocations and deletions beside 64 readers in three processes on one database, while processes are
// stopped and killed, connections are ended, and the database is restarted. No read that begins after the answer to a write gives
// what was before it.
import { rm } from "node:fs/promises";

import { SQL } from "bun";

import { scaledOut } from "../harness/database.ts";
import { startInstance, type Instance } from "../harness/instance.ts";
import { clientOf, createArtifact, createPerson, createProject, type Person } from "../harness/people.ts";
import { startPostgres, type PostgresServer } from "../harness/postgres.ts";
import { temporaryFolder, withinHung, withoutScreenshots } from "../harness/process.ts";
import { LeaseLedger } from "./leases-ledger.ts";
import { randomFrom } from "../harness/random.ts";
import { type StressTest, assert, spreadOf } from "./stress-test.ts";

const processes = 3;
const readers = 64;
const writers = 4;
/** The longest lease (docs/architecture/leases.md), in ms. */
const longestLeaseMs = 2000;
/** A write that is repeated because its first answer was lost is answered by this many tries. */
const triesAtMost = 200;

interface Process {
  readonly port: number;
  readonly dataDir: string;
  instance: Instance;
  /** It is stopped or being started again. */
  isAway: boolean;
}

interface Watched {
  artifactId: string;
  ledger: LeaseLedger;
}

interface Place {
  readonly all: readonly Process[];
  readonly env: Readonly<Record<string, string>>;
  readonly folder: string;
  server: PostgresServer;
  readonly random: () => number;
}

const pick = <Item>(items: readonly Item[], random: () => number): Item => {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error("there is nothing to choose from");
  return item;
};

/** What can happen to the processes. */
const faults: Readonly<Record<string, (place: Place) => Promise<void>>> = {
  async stopped({ all, random }) {
    const one = pick(all, random);
    one.isAway = true;
    process.kill(one.instance.pid, "SIGSTOP");
    await Bun.sleep(300 + random() * 3500);
    process.kill(one.instance.pid, "SIGCONT");
    one.isAway = false;
  },
  async killed({ all, env, random }) {
    const one = pick(all, random);
    one.isAway = true;
    await one.instance.kill();
    await Bun.sleep(random() * 500);
    one.instance = await startInstance({ env, port: one.port, dataDir: one.dataDir });
    one.isAway = false;
  },
  async connections({ server, random }) {
    const sql = new SQL(server.url, { max: 1 });
    for (let times = 1 + Math.floor(3 * random()); times > 0; times--) {
      await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                WHERE application_name = 'plinth-leases' AND random() < 0.7`;
      await Bun.sleep(random() * 600);
    }
    await sql.close();
  },
  async restarted(place) {
    await place.server.end(pick(["SIGINT", "SIGQUIT", "SIGKILL"] as const, place.random));
    await Bun.sleep(place.random() * 1000);
    place.server = await startPostgres(place.folder);
  },
};

/** Reads until told to stop; counts its reads. @throws where a read is old */
async function readOn(place: Place, watched: readonly Watched[], counts: Counts, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const { artifactId, ledger } = pick(watched, place.random);
    const { instance } = pick(place.all, place.random);
    const beganAt = performance.now();
    const answer = await fetch(`${instance.origin}/api/artifacts/${artifactId}/content`, {
      signal: AbortSignal.timeout(20_000),
    }).then(
      async (response) => ({ status: response.status, text: await response.text() }),
      () => null,
    );
    if (answer === null || (answer.status !== 200 && answer.status !== 404)) {
      counts.unanswered++;
      await Bun.sleep(20);
      continue;
    }
    counts.reads++;
    const fault = ledger.faultOf(answer.status === 200 ? answer.text : null, beganAt, performance.now());
    if (fault !== null) throw new Error(`${artifactId}: ${fault}`);
  }
}

interface Counts {
  reads: number;
  unanswered: number;
  /** How long answered writes took whose first try was answered, in ms. */
  readonly writeMs: number[];
  readonly writes: Record<string, number>;
}

/** Sends a write until it is answered. A repeated deletion may get a 404, which does not wait. */
async function write(
  place: Place,
  person: Person,
  counts: Counts,
  request: { path: string; method: string; body?: object },
) {
  for (let tries = 1; tries <= triesAtMost; tries++) {
    const { instance } = pick(
      place.all.filter(({ isAway }) => !isAway || tries > 1),
      place.random,
    );
    const beganAt = performance.now();
    const answer = await fetch(`${instance.origin}/api/artifacts/${request.path}`, {
      method: request.method,
      headers: { authorization: `Bearer ${person.token}`, "content-type": "application/json" },
      signal: AbortSignal.timeout(20_000),
      ...(request.body !== undefined && { body: JSON.stringify(request.body) }),
    }).then(
      async (response) => ({ status: response.status, text: await response.text() }),
      () => null,
    );
    if (answer !== null && answer.status < 300) {
      if (tries === 1) counts.writeMs.push(performance.now() - beganAt);
      return;
    }
    if (answer?.status === 404 && request.method === "DELETE" && tries > 1) {
      await Bun.sleep(longestLeaseMs);
      return;
    }
    assert(
      answer === null || answer.status >= 500 || answer.status === 429,
      () => `${request.method} ${request.path}: ${answer?.status} ${answer?.text}`,
    );
    await Bun.sleep(20 + 100 * place.random());
  }
  throw new Error(`${request.method} ${request.path} was not answered`);
}

const publicly = { publicView: true, publicEdit: false, viewerEmails: [] };
const privately = { ...publicly, publicView: false };

/** One artifact's life: new versions, revocations and their ends, and at last its deletion, after which another takes its place. */
async function changeOnce(
  place: Place,
  person: Person,
  projectSlug: string,
  one: Watched,
  counts: Counts,
): Promise<void> {
  const { artifactId, ledger } = one;
  const text = () => `# ${artifactId} ${Math.floor(place.random() * 1e9)}\n`;
  const count = (kind: string) => (counts.writes[kind] = (counts.writes[kind] ?? 0) + 1);
  const chance = place.random();
  if (chance < 0.6) {
    const content = text();
    const answered = ledger.begin(content);
    await write(place, person, counts, { path: `${artifactId}/versions`, method: "POST", body: { content } });
    answered();
    count("version");
  } else if (chance < 0.85) {
    const hidden = ledger.begin(null);
    await write(place, person, counts, { path: `${artifactId}/access`, method: "PATCH", body: privately });
    hidden();
    count("revocation");
    await Bun.sleep(place.random() * 100);
    const content = text();
    // While it is hidden, so that what is shown again is known.
    await write(place, person, counts, { path: `${artifactId}/versions`, method: "POST", body: { content } });
    const shown = ledger.begin(content);
    await write(place, person, counts, { path: `${artifactId}/access`, method: "PATCH", body: publicly });
    shown();
  } else {
    const deleted = ledger.begin(null);
    await write(place, person, counts, { path: artifactId, method: "DELETE" });
    deleted();
    count("deletion");
    await Bun.sleep(place.random() * 100);
    Object.assign(one, await watch(place, person, projectSlug));
  }
}

/** A new artifact; repeated until it is created. */
async function watch(place: Place, person: Person, projectSlug: string): Promise<Watched> {
  for (;;) {
    const { instance } = pick(
      place.all.filter(({ isAway }) => !isAway),
      place.random,
    );
    const content = `# First ${place.random()}\n`;
    try {
      const there = { ...person, client: clientOf(instance.origin, person.token) };
      const { artifactId } = await createArtifact(there, projectSlug, { content });
      return { artifactId, ledger: new LeaseLedger(content, performance.now()) };
    } catch {
      await Bun.sleep(100);
    }
  }
}

export const leases: StressTest = {
  claim:
    "no read after the answer to a write gives what was before it, in three processes that are stopped, killed and cut off",
  count: 1_000,
  shortCount: 40,

  async run({ count, seed, timed = false }) {
    const random = randomFrom(seed);
    const folder = await temporaryFolder("leases");
    const server = await startPostgres(folder);
    const env = { ...scaledOut(server.url), ...withoutScreenshots };
    const all: Process[] = [];
    for (let n = 0; n < processes; n++) {
      const dataDir = await temporaryFolder("leases-process");
      const instance = await startInstance({ env, dataDir });
      all.push({ port: instance.port, dataDir, instance, isAway: false });
    }
    const place: Place = { all, env, folder, server, random };
    const counts: Counts = { reads: 0, unanswered: 0, writeMs: [], writes: {} };
    const happened: Record<string, number> = {};
    let left = count;
    let isOver = false;
    try {
      const first = all[0];
      assert(first !== undefined, () => "there is no process");
      const person = await createPerson(first.instance);
      const { slug } = await createProject(person);
      const watched = await Promise.all(Array.from({ length: writers }, () => watch(place, person, slug)));
      const stopOnError = async (work: Promise<void>) => {
        try {
          await work;
        } finally {
          if (left > 0) isOver = true;
        }
      };
      const reading = Array.from({ length: readers }, () => stopOnError(readOn(place, watched, counts, () => isOver)));
      const writing = watched.map((one) =>
        stopOnError(
          (async () => {
            while (left-- > 0 && !isOver) {
              await changeOnce(place, person, slug, one, counts);
              await Bun.sleep(random() * 150);
            }
          })(),
        ),
      );
      const faulting = stopOnError(
        (async () => {
          const names = Object.keys(faults);
          for (let n = Math.floor(random() * names.length); left > 0 && !isOver; n++) {
            const name = names[n % names.length] ?? "stopped";
            await faults[name]?.(place);
            happened[name] = (happened[name] ?? 0) + 1;
            await Bun.sleep(500 + random() * 2500);
          }
        })(),
      );
      const settled = Promise.allSettled([...writing, faulting]).then(() => (isOver = true));
      await withinHungFor(count, Promise.all([...reading, ...writing, faulting, settled]));
    } finally {
      isOver = true;
      for (const { instance, dataDir } of all) {
        try {
          process.kill(instance.pid, "SIGCONT");
        } catch {
          // It has ended.
        }
        await instance.stop();
        await rm(dataDir, { recursive: true, force: true });
      }
      await place.server.end("SIGINT");
      await rm(folder, { recursive: true, force: true });
    }
    const writeMs = spreadOf(counts.writeMs);
    // A write waits for a lease at most; the rest is the database's restart and a busy machine.
    if (timed)
      assert(writeMs.median < longestLeaseMs, () => `half of the writes took longer than ${writeMs.median} ms`);
    const { reads, unanswered, writes } = counts;
    return { reads, unanswered, writes, faults: happened, writeMs };
  },
};

/** The time for so many changes among faults; longer is hung. */
const withinHungFor = async (count: number, work: Promise<unknown>): Promise<void> => {
  if (count <= 100) await withinHung(work, () => "the changes do not end");
  else await work;
};
