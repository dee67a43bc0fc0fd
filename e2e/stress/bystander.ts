// While one attack after the other runs, an author and a reader in another workspace keep reading, opening pages and
// publishing. `count` is the seconds of each phase; idle is measured on the same instance before, between and after its
// attacks. The attackers and the bystander are separate processes. Where times are measured the attackers run at `nice`
// 19, and they send bodies that were built beforehand: on a machine of two cores the measured delay is the server's, not
// the clients' use of the processor. Every request passes as through a proxy, so that attackers and bystander have different addresses.
import { startInstance, type Instance } from "../harness/instance.ts";
import { createArtifact, createPerson, createProject } from "../harness/people.ts";
import { hung, withScreenshots } from "../harness/process.ts";
import { sample } from "../harness/test-seed.ts";
import { computedMs, processorTimes } from "../harness/processor-time.ts";
import { attacks, type Attack, type Condition } from "./bystander-attacks.ts";
import type { AttackJob, AttackOutcome } from "./bystander-attacker.ts";
import {
  cellsOf,
  kinds,
  publishedText,
  together,
  type BystanderJob,
  type BystanderOutcome,
  type Compared,
  type Kind,
  type Measured,
} from "./bystander-figures.ts";
import { watchMemory } from "./bystander-memory.ts";
import { startSites } from "./bystander-sites.ts";
import { randomFrom } from "../harness/random.ts";
import { assert, type StressTest } from "./stress-test.ts";

/** p95 under attack is at most so many times the idle one. */
const mostTimesIdle = 3;
/** Of the server's main process, resident; the whole tree is printed beside it. */
const mostMainBytes = 600e6;

const addresses = { attacker: "198.51.100.7", bystander: "203.0.113.9" } as const;
/** 180 writes and 840 reads a minute: within the default limits of one caller. */
const steady: Readonly<Record<Kind, number>> = { read: 100, page: 250, publish: 500, jsx: 1000 };
/** A bystander's request of a timed run has failed after so long. */
const timeoutMs = 30_000;
/** Before idle is measured: code is loaded and the rendering processes run. */
const warmUp = { seconds: 2, least: 4 } as const;
/** Of each kind in a phase: where times are measured, and where requests are only counted. */
const least = { timed: 6, counted: 2 } as const;
/** Attacks of a run that only counts, others in each run. */
const countedAttacks = 2;
/** Between requests of one kind, where they are only counted. */
const countedEveryMs = 100;

const environments: Readonly<Record<Condition, Readonly<Record<string, string>>>> = {
  limits: { RATE_LIMIT_READS: "", RATE_LIMIT_WRITES: "" },
  "no limits": {},
  screenshots: { RATE_LIMIT_READS: "", RATE_LIMIT_WRITES: "", ...withScreenshots },
};

export const bystander: StressTest = {
  claim: "while one attacks, a reader and an author elsewhere are served: p95 within 3 times idle, none failed",
  count: 20,
  shortCount: 1,
  async run({ count: seconds, seed, only, timed = false }) {
    const named = attacks.filter(({ name }) => only === undefined || name === only);
    const chosen = timed ? named : sample(named, countedAttacks, randomFrom(seed));
    assert(chosen.length > 0, () => `there is no attack ${only}: ${attacks.map(({ name }) => name).join(", ")}`);
    const conditions = [...new Set(chosen.flatMap((attack) => conditionsOf(attack, timed)))];
    const rows: Compared[] = [];
    for (const condition of conditions) {
      const random = randomFrom(seed);
      const inOrder = chosen
        .filter((attack) => conditionsOf(attack, timed).includes(condition))
        .map((attack) => ({ attack, turn: random() }))
        .sort((a, b) => a.turn - b.turn)
        .map(({ attack }) => attack);
      const each = countedEveryMs;
      const phase: Phase = timed
        ? { seconds, least: least.timed, everyMs: steady, timeoutMs }
        : {
            seconds: 0,
            least: least.counted,
            everyMs: { read: each, page: each, publish: each, jsx: each },
            timeoutMs: hung,
          };
      rows.push(...(await underAttacks(condition, inOrder, phase, timed)));
    }
    const faults = rows.flatMap((row) => faultsOf(row, timed));
    console.error(`\n${Bun.inspect.table(rows.map(cellsOf))}`);
    assert(faults.length === 0, () => faults.join("\n"));
    return { phases: rows.length };
  },
};

/** All of them where times are measured; otherwise one, without limits where the attack must be bounded without them. */
const conditionsOf = ({ conditions }: Attack, timed: boolean): readonly Condition[] =>
  timed ? conditions : [conditions.includes("no limits") ? "no limits" : "limits"];

type Phase = Pick<BystanderJob, "seconds" | "least" | "everyMs" | "timeoutMs">;

/** One instance: warm-up, then idle and the attacks, each after the server has finished the work that the last one left. */
async function underAttacks(
  condition: Condition,
  chosen: readonly Attack[],
  phase: Phase,
  timed: boolean,
): Promise<Compared[]> {
  const sites = startSites();
  const env = { TRUSTED_PROXIES: "127.0.0.1", ...sites.env, ...environments[condition] };
  const instance = await startInstance({ env });
  const place = { instance, imagesOrigin: sites.imagesOrigin };
  try {
    const job = await settleBystander(instance);
    if (timed) await measurePhase(place, { ...job, ...phase, ...warmUp }, { condition, attack: null, timed });
    const phases: Measured[] = [];
    const idle = () => phases.filter(({ attack }) => attack === "idle");
    const half = Math.ceil(chosen.length / 2);
    const order = timed ? [null, ...chosen.slice(0, half), null, ...chosen.slice(half), null] : [null, ...chosen];
    for (const attack of order) {
      await untilQuiet(instance, timed ? quiet : quietCounted);
      const measured = await measurePhase(place, { ...job, ...phase }, { condition, attack, timed });
      phases.push(measured);
      const idleSoFar = together(idle(), phase.everyMs);
      console.error(Object.values(cellsOf({ ...measured, idle: idleSoFar })).join("  "));
    }
    const allIdle = together(idle(), phase.everyMs);
    return phases.map((measured) => ({ ...measured, idle: allIdle }));
  } finally {
    await instance.stop();
    await sites.stop();
  }
}

/** The bystander's workspace with what it reads and publishes. */
async function settleBystander(instance: Instance): Promise<Omit<BystanderJob, keyof Phase>> {
  const person = await createPerson(instance);
  const { slug } = await createProject(person);
  const [read, publish, jsx] = await Promise.all([
    createArtifact(person, slug, { content: publishedText("publish", "a text to read") }),
    createArtifact(person, slug, { content: publishedText("publish", "a first version") }),
    createArtifact(person, slug, { type: "jsx", content: publishedText("jsx", "a first version") }),
  ]);
  return {
    origin: instance.origin,
    token: person.token,
    address: addresses.bystander,
    artifactIds: { read: read.artifactId, publish: publish.artifactId, jsx: jsx.artifactId },
    pagePath: new URL(publish.url).pathname,
  };
}

interface Place {
  readonly instance: Instance;
  readonly imagesOrigin: string;
}

/** Measures the bystander while one attack runs; the attack ends after the bystander's last request. */
async function measurePhase(
  { instance, imagesOrigin }: Place,
  job: BystanderJob,
  { condition, attack, timed }: { condition: Condition; attack: Attack | null; timed: boolean },
): Promise<Measured> {
  const attackers = attack === null ? null : await startAttackers({ instance, imagesOrigin }, attack, timed);
  const memory = watchMemory(instance.pid);
  const client = startProgram("bystander-client.ts", job);
  const outcome = JSON.parse(await client.rest()) as BystanderOutcome;
  const bytes = memory.stop();
  const answers = attackers === null ? {} : await attackers.stop();
  const { read, page, publish, jsx } = outcome;
  const phase = { took: { read: read.took, page: page.took, publish: publish.took, jsx: jsx.took } };
  return {
    condition,
    attack: attack?.name ?? "idle",
    ...phase,
    latencies: together([phase], job.everyMs),
    failures: kinds.flatMap((kind) => outcome[kind].failures.map((failure) => `${kind}: ${failure}`)),
    answers,
    ...bytes,
  };
}

async function startAttackers({ instance, imagesOrigin }: Place, attack: Attack, timed: boolean) {
  const person = await createPerson(instance);
  const { slug: projectSlug } = await createProject(person);
  const { artifactId } = await attack.prepare({ person, projectSlug });
  const target = { token: person.token, artifactId, imagesOrigin, address: addresses.attacker };
  const job: AttackJob = { attack: attack.name, port: instance.port, target };
  // Beside other tests a `nice` process can starve until the server closes its idle connections.
  const program = startProgram("bystander-attacker.ts", job, timed ? ["nice", "-n", "19"] : []);
  await program.begun();
  return {
    async stop() {
      program.endInput();
      return (JSON.parse(await program.rest()) as AttackOutcome).answers;
    },
  };
}

/** Starts a program of this folder that reads its job as one line and prints its outcome. */
function startProgram(file: string, job: unknown, before: readonly string[] = []) {
  const child = Bun.spawn([...before, process.execPath, `${import.meta.dir}/${file}`], {
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
  });
  void child.stdin.write(`${JSON.stringify(job)}\n`);
  void child.stdin.flush();
  const reader = child.stdout.getReader();
  const decoder = new TextDecoder();
  return {
    /** Resolves with the program's first output. */
    begun: async () => void (await reader.read()),
    endInput: () => void child.stdin.end(),
    async rest() {
      let text = "";
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        text += decoder.decode(value, { stream: true });
      }
      if ((await child.exited) !== 0) throw new Error(`${file} failed`);
      return text;
    },
  };
}

interface Quiet {
  readonly everyMs: number;
  readonly mostIntervals: number;
}

/** The server has finished what an attack left when it computes less than this share of one core in an interval. */
const quietShare = 0.1;
const quiet: Quiet = { everyMs: 1000, mostIntervals: 90 };
const quietCounted: Quiet = { everyMs: 250, mostIntervals: 12 };

async function untilQuiet({ pid }: Instance, { everyMs, mostIntervals }: Quiet): Promise<void> {
  for (let left = mostIntervals; left > 0; left--) {
    const before = processorTimes([pid]);
    await Bun.sleep(everyMs);
    if (computedMs(before, processorTimes([pid])) < quietShare * everyMs) return;
  }
}

/** The bounds that a phase missed. */
function faultsOf(row: Compared, timed: boolean): string[] {
  const where = `${row.condition}, ${row.attack}`;
  const faults = row.failures.length === 0 ? [] : [`${where}: ${row.failures.length} failed, ${row.failures[0]}`];
  if (row.mainBytes > mostMainBytes) faults.push(`${where}: the server took ${Math.round(row.mainBytes / 1e6)} MB`);
  if (timed && row.attack !== "idle") {
    for (const kind of kinds) {
      const ratio = row.latencies[kind].p95 / row.idle[kind].p95;
      // Without a single answer there is no p95.
      if (!(ratio <= mostTimesIdle)) faults.push(`${where}: p95 of ${kind} is ${ratio.toFixed(1)} times idle`);
    }
  }
  const attack = attacks.find(({ name }) => name === row.attack);
  if (attack === undefined) return faults;
  const wrong = Object.keys(row.answers).filter((status) => !attack.statuses.some((one) => String(one) === status));
  if (wrong.length > 0) faults.push(`${where}: the attack was answered ${JSON.stringify(row.answers)}`);
  // The body of a slow upload is still on its way when the phase ends.
  if (attack.manner !== "trickle" && Object.keys(row.answers).length === 0)
    faults.push(`${where}: no request of the attack was answered`);
  return faults;
}
