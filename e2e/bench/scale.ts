// Measures the cost of a request among a thousand artifacts and among very many, alternating over HTTP; then reads the
// plans of its statements. Both sides have the same requests and the same caller's artifacts; only the largest
// workspace, in which the caller is a member, differs.
import { SQL } from "bun";
import { mkdirSync, writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";

import { operatorOf } from "../harness/people.ts";
import { median, percentile, type Run } from "./measure.ts";
import type { Row } from "./report.ts";
import { computedMs, processorTimes, hasProcessorTimes } from "../harness/processor-time.ts";
import { drawn, explainingSide, pagesOf, plansOf, scannedWhole, type Planned } from "./scale-plans.ts";
import { asks, askSide, openSide, type Side } from "./scale-side.ts";

const few = { artifacts: 1000, versionsEach: 10, workspaces: 20 } as const;
const versionsEach = 10;
/** Settings for a machine of 16 GB, which the host of a million artifacts has, and not the embedded defaults. */
const serverMemory = {
  shared_buffers: "4GB",
  effective_cache_size: "12GB",
  max_wal_size: "8GB",
  checkpoint_timeout: "30min",
} as const;
/** Requests of each side before the measurement: by then the upper pages of every index are cached. */
const warming = 100;
/** Requests of each side per round. */
const asked = 20;
/** Jobs that go through growing tables, and what they search there. */
const upkeep = ["retention", "purge"] as const;

/** The highest cost among very many, relative to a thousand: of lists and searches, and of everything else. */
const highest = { lists: 1.5, others: 1.3 } as const;
/** Lists and searches by the names of their figures, as in `asks` (scale-side.ts). */
const isListOrSearch = (name: string): boolean => /^(?:mine|largest): |\b(?:list|search|audit)\b/.test(name);

type Which = "few" | "many";
/** Milliseconds on each side, the medians of the rounds, and the median of their ratios. */
type Times = Record<Which | "ratio", number>;

interface Timed {
  readonly name: string;
  readonly clock: Times;
  /**
   * The same in computed time of a side's processes, including the jobs that were caused; null if the system does not
   * report it.
   */
  readonly computed: Times | null;
}

/** @throws if a request scans a growing table */
export async function measureScale({ report, rounds, artifacts: asManyOr, place }: Run): Promise<void> {
  const artifacts = asManyOr(1_000_000);
  const folder = place("scale");
  const workspaces = Math.min(1000, Math.max(400, artifacts / 1000));
  let small = await openSide(join(folder, "scale-few"), few, serverMemory);
  const started = performance.now();
  let large = await openSide(join(folder, "scale-many"), { artifacts, versionsEach, workspaces }, serverMemory);
  console.error(
    `scale: ${artifacts} artifacts with ${artifacts * versionsEach} versions in ${workspaces} workspaces seeded and served after ` +
      `${Math.round((performance.now() - started) / 1000)} s, beside ${few.artifacts} in ${few.workspaces}; ` +
      `${await sizeOf(large)} beside ${await sizeOf(small)}, shared_buffers ${serverMemory.shared_buffers} on either side`,
  );
  try {
    const figures = Object.entries(asks).map(([name, ask]) => {
      let n = 0;
      return { name, once: (side: Side) => askSide(side, ask(side, n++)), rounds: [] as Round[] };
    });
    // Until PostgreSQL uses its final plans and has the shared pages in memory.
    for (const { once } of figures) await inTurns(small, large, warming, once);
    // The rounds of a figure are spread over time, so that a server's background work affects only some of them.
    for (let round = 0; round < rounds; round++)
      for (const figure of figures) figure.rounds.push(await inTurns(small, large, asked, figure.once));
    const times = figures.map((figure) => medianOf(figure.name, figure.rounds));
    const explained: string[] = [];
    const jobs: Timed[] = [];
    [small, large] = [await explainingSide(small), await explainingSide(large)];
    for (const kind of upkeep) {
      // The first run does the work that is due, so that the later ones measure the search alone.
      await statementsMs(small, kind, []);
      await statementsMs(large, kind, explained);
      const each = (side: Side) => statementsMs(side, kind, []).then((ms) => ms / side.size.workspaces);
      const picks: Round[] = [];
      for (let round = 0; round < rounds; round++) picks.push(await inTurns(small, large, 1, each));
      const pick = medianOf(`${kind}'s pick, for each workspace`, picks);
      // The server's time for its statements, because the process does other work while the job runs.
      jobs.push({ ...pick, computed: null });
    }
    const pages = { few: new Map<string, number>(), many: new Map<string, number>() };
    for (const name of Object.keys(asks)) {
      for (const [which, side] of [
        ["few", small],
        ["many", large],
      ] as const) {
        const plans = await plansFor(side, name);
        pages[which].set(
          name,
          plans.reduce((sum, { plan }) => sum + pagesOf(plan), 0),
        );
        if (which === "many") explained.push(...plans.map((planned) => described(name, planned)));
      }
    }
    console.error(
      `scale: the machine's load was ${loadavg()
        .map((load) => load.toFixed(1))
        .join(", ")} at the end`,
    );
    const path = writePlans(explained);
    const scans = explained.filter((text) => text.includes("READS ALL OF"));
    if (scans.length > 0) throw new Error(`growing tables are read whole (${path}):\n${scans.join("\n\n")}`);
    for (const figure of [...times, ...jobs])
      report.add(rowOf(figure, { few: pages.few.get(figure.name), many: pages.many.get(figure.name) }));
  } finally {
    await small.stop();
    await large.stop();
  }
}

async function sizeOf({ server }: Side): Promise<string> {
  const database = new SQL(server.url, { max: 1 });
  const [row] = (await database.unsafe("SELECT pg_size_pretty(pg_database_size(current_database())) AS size")) as {
    size: string;
  }[];
  await database.close();
  return row?.size ?? "";
}

/** One round of a side: milliseconds of the clock, and of computing per request. */
interface Round {
  readonly taken: Record<Which, number>;
  readonly computed: Record<Which, number>;
}

/** Runs each side `times` times alternately; `once` returns the ms. */
async function inTurns(small: Side, large: Side, times: number, once: (side: Side) => Promise<number>): Promise<Round> {
  const timesOf = ({ instance, server }: Side) => processorTimes([instance.pid, server.pid]);
  const before = { few: timesOf(small), many: timesOf(large) };
  const ms: Record<Which, number[]> = { few: [], many: [] };
  for (let time = 0; time < times; time++)
    for (const which of time % 2 === 0 ? (["few", "many"] as const) : (["many", "few"] as const))
      ms[which].push(await once(which === "few" ? small : large));
  const of = (which: Which, side: Side) => computedMs(before[which], timesOf(side)) / times;
  return {
    taken: { few: undisturbed(ms.few), many: undisturbed(ms.many) },
    computed: { few: of("few", small), many: of("many", large) },
  };
}

/** The median of a figure's rounds, also printed to standard error. */
function medianOf(name: string, rounds: readonly Round[]): Timed {
  const figure = {
    name,
    clock: mediansOf(rounds.map(({ taken }) => taken)),
    computed: hasProcessorTimes ? mediansOf(rounds.map(({ computed }) => computed)) : null,
  };
  const said = ({ few, many, ratio }: Times) => `${few.toFixed(2)} → ${many.toFixed(2)} ms, ${ratio.toFixed(2)}`;
  console.error(
    `scale, ${name}: ${said(figure.clock)}${figure.computed === null ? "" : `; computed ${said(figure.computed)}`}`,
  );
  return figure;
}

/** Judged by computed time if that is known, because clock time depends on other load. A job reads no pages of a request. */
function rowOf({ name, clock, computed }: Timed, pages: Partial<Record<Which, number | undefined>>): Row {
  const target = isListOrSearch(name) ? highest.lists : highest.others;
  const side = (which: Which) => {
    const own = computed === null ? [] : [`computed ${computed[which].toFixed(2)} ms`];
    const read = pages[which] === undefined ? [] : [`${pages[which]} pages`];
    return [`${clock[which].toFixed(2)} ms`, ...own, ...read].join(", ");
  };
  return {
    figure: `scale, ${name}`,
    product: side("many"),
    baseline: side("few"),
    ratio: `${clock.ratio.toFixed(2)}${computed === null ? "" : `, computed ${computed.ratio.toFixed(2)}`}`,
    target: `≤ ${target}`,
    met: (computed ?? clock).ratio <= target,
  };
}

const mediansOf = (rounds: readonly Record<Which, number>[]): Times => ({
  few: median(rounds.map(({ few }) => few)),
  many: median(rounds.map(({ many }) => many)),
  ratio: median(rounds.map(({ few, many }) => many / few)),
});

/** The lower quartile, because other load only makes a request slower. */
function undisturbed(ms: readonly number[]): number {
  return percentile(ms, 0.25);
}

/** Of the second request, after the process has filled its caches; without statements of others. */
async function plansFor(side: Side, name: string): Promise<Planned[]> {
  const ask = asks[name];
  if (ask === undefined) throw new Error(`nobody asks for ${name}`);
  await askSide(side, ask(side, 1));
  await Bun.sleep(200);
  return (await plansOf(side, () => askSide(side, ask(side, 2)))).filter(isOfRequest);
}

/** Statements of the queue, the relay and the event streams run all the time. */
const isOfRequest = ({ statement }: Planned): boolean =>
  !/bullmq|Job counts by state|FROM (?:job|scheduler|meta)\b|^\s*(?:DELETE FROM outbox|SELECT FROM outbox)|pg_notify|worker_process|health_check|lease_holder|is_addressed|last_used_at/.test(
    statement,
  );

/** How long a job's statements took, found by their time. */
async function statementsMs(side: Side, kind: (typeof upkeep)[number], explained: string[]): Promise<number> {
  const own = (await plansOf(side, () => runJob(side, kind))).filter(isOfRequest);
  explained.push(...own.map((planned) => `── job ${kind}\n${planned.statement}\n${drawn(planned.plan)}`));
  return own.reduce((sum, { ms }) => sum + ms, 0);
}

/** Runs a job and waits for it. @throws if it takes longer than ten minutes */
async function runJob({ instance, server }: Side, kind: (typeof upkeep)[number]): Promise<void> {
  const operator = operatorOf(instance);
  // The operator's statistics count whole tables, which would count as the job's.
  const database = new SQL(server.url, { max: 1 });
  const deadline = Date.now() + 600_000;
  await operator.call("operator.runJob", { kind });
  for (;;) {
    await Bun.sleep(500);
    const { jobs } = await operator.call("operator.listJobs", { limit: 100 });
    const left = jobs.filter((job) => job.kind === kind && job.state !== "delayed" && job.state !== "failed");
    const waiting = (await database.unsafe("SELECT FROM outbox LIMIT 1")) as unknown[];
    if (waiting.length === 0 && left.length === 0) break;
    if (Date.now() > deadline) throw new Error(`${kind} does not end`);
  }
  await database.close();
}

function described(name: string, { statement, ms, plan }: Planned): string {
  const whole = scannedWhole(plan);
  const mark = whole.length === 0 ? "" : `\nREADS ALL OF ${whole.join(", ")}`;
  return `── ${name}, ${ms} ms${mark}\n${statement}\n${drawn(plan)}`;
}

/** Writes them beside the results and returns the path. */
function writePlans(explained: readonly string[]): string {
  const directory = join(import.meta.dir, "results");
  mkdirSync(directory, { recursive: true });
  const path = join(directory, `plans-${new Date().toISOString().replaceAll(":", "-")}.txt`);
  writeFileSync(path, `${explained.join("\n\n")}\n`);
  console.error(`plans written to ${path}`);
  return path;
}
