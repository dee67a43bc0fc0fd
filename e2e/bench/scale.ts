// What a request costs among a thousand artifacts and among very many, in turns over HTTP; then the plans of the statements
// it really sends. What is asked is the same on either side, and so is what the caller owns.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { operatorOf } from "../harness/people.ts";
import { median } from "./measure.ts";
import { drawn, explainingSide, pagesOf, planModes, plansOf, scannedWhole, type Planned } from "./scale-plans.ts";
import { asks, askSide, openSide, type Side } from "./scale-side.ts";

const few = { artifacts: 1000, versionsEach: 10, workspaces: 20 } as const;
const versionsEach = 10;
/** Of either side: what a host of a million artifacts gives, and not what the embedded default is content with. */
const serverMemory = { shared_buffers: "512MB", effective_cache_size: "4GB" } as const;
/** Requests of each side before anything is measured, and in a round. */
const warming = 10;
const asked = 20;
/** Jobs that go through what grows. */
const upkeep = ["retention", "purge"] as const;

export interface ScaleFigure {
  readonly name: string;
  /** Milliseconds, the median of the rounds. */
  readonly few: number;
  readonly many: number;
  /** The median of each round's many through few. */
  readonly ratio: number;
  /** That its statements read, the most of both plans; null for a job. */
  readonly pages: { readonly few: number; readonly many: number } | null;
}

/** @throws where a request reads a growing table from beginning to end */
export async function measureScale(folder: string, artifacts: number, rounds: number): Promise<ScaleFigure[]> {
  const workspaces = Math.min(1000, Math.max(400, artifacts / 1000));
  let small = await openSide(join(folder, "scale-few"), few, serverMemory);
  const started = performance.now();
  let large = await openSide(join(folder, "scale-many"), { artifacts, versionsEach, workspaces }, serverMemory);
  console.error(
    `scale: ${artifacts} artifacts seeded and served after ${Math.round((performance.now() - started) / 1000)} s`,
  );
  try {
    const times = new Map<string, Omit<ScaleFigure, "pages">>();
    for (const name of Object.keys(asks)) {
      const figure = await inTurns(name, small, large, rounds);
      console.error(
        `scale, ${name}: ${figure.few.toFixed(2)} → ${figure.many.toFixed(2)} ms, ${figure.ratio.toFixed(2)}`,
      );
      times.set(name, figure);
    }
    const explained: string[] = [];
    const pages = { few: new Map<string, number>(), many: new Map<string, number>() };
    const jobs: ScaleFigure[] = [];
    for (const mode of planModes) {
      small = await explainingSide(small, mode);
      large = await explainingSide(large, mode);
      for (const name of Object.keys(asks)) {
        for (const [which, side] of [
          ["few", small],
          ["many", large],
        ] as const) {
          const plans = await plansFor(side, name);
          const read = plans.reduce((sum, { plan }) => sum + pagesOf(plan), 0);
          pages[which].set(name, Math.max(read, pages[which].get(name) ?? 0));
          if (which === "many") explained.push(...plans.map((planned) => described(`${name}, ${mode}`, planned)));
        }
      }
      for (const kind of upkeep) jobs.push(await jobFigure(`${kind}, ${mode}`, kind, small, large, explained));
    }
    const path = writePlans(explained);
    const scans = explained.filter((text) => text.includes("READS ALL OF"));
    if (scans.length > 0) throw new Error(`growing tables are read whole (${path}):\n${scans.join("\n\n")}`);
    const figures = [...times].map(([name, figure]) => ({
      ...figure,
      pages: { few: pages.few.get(name) ?? 0, many: pages.many.get(name) ?? 0 },
    }));
    return [...figures, ...jobs];
  } finally {
    await small.stop();
    await large.stop();
  }
}

async function inTurns(name: string, small: Side, large: Side, rounds: number): Promise<Omit<ScaleFigure, "pages">> {
  const ask = asks[name];
  if (ask === undefined) throw new Error(`nobody asks for ${name}`);
  let n = 0;
  const once = (side: Side) => askSide(side, ask(side, n++));
  // Until PostgreSQL has settled on a plan, and what everybody reads is in memory.
  for (let time = 0; time < warming; time++) for (const side of [small, large]) await once(side);
  const taken: { few: number; many: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    const ms: { few: number[]; many: number[] } = { few: [], many: [] };
    for (let time = 0; time < asked; time++)
      for (const which of time % 2 === 0 ? (["few", "many"] as const) : (["many", "few"] as const))
        ms[which].push(await once(which === "few" ? small : large));
    taken.push({ few: median(ms.few), many: median(ms.many) });
  }
  return {
    name,
    few: median(taken.map((round) => round.few)),
    many: median(taken.map((round) => round.many)),
    ratio: median(taken.map((round) => round.many / round.few)),
  };
}

/** Of a second asking, when what a process reads once has been read; without what others do at the same time. */
async function plansFor(side: Side, name: string): Promise<Planned[]> {
  const ask = asks[name];
  if (ask === undefined) throw new Error(`nobody asks for ${name}`);
  await askSide(side, ask(side, 1));
  await Bun.sleep(200);
  return (await plansOf(side, () => askSide(side, ask(side, 2)))).filter(isOfRequest);
}

/** The queue's, the relay's and the streams' own statements come all the time. */
const isOfRequest = ({ statement }: Planned): boolean =>
  !/bullmq|Job counts by state|FROM (?:job|scheduler|meta)\b|^\s*(?:DELETE FROM outbox|SELECT\s+\(SELECT count)|pg_notify|worker_process|last_used_at/.test(
    statement,
  );

/** How long a job's statements took, told apart by when they came; what there is to do is the same on either side. */
async function jobFigure(
  name: string,
  kind: (typeof upkeep)[number],
  small: Side,
  large: Side,
  explained: string[],
): Promise<ScaleFigure> {
  const timeOf = async (side: Side) => {
    const plans = await plansOf(side, () => runJob(side, kind));
    const own = plans.filter(isOfRequest);
    if (side === large)
      explained.push(...own.map((planned) => `${name}, a job\n${planned.statement}\n${drawn(planned.plan)}`));
    return own.reduce((sum, { ms }) => sum + ms, 0);
  };
  const [took, tookMany] = [await timeOf(small), await timeOf(large)];
  console.error(`scale, ${name}: ${took.toFixed(2)} → ${tookMany.toFixed(2)} ms`);
  return { name: `job ${name}`, few: took, many: tookMany, ratio: tookMany / took, pages: null };
}

/** Has a job run, and waits until it has. */
async function runJob({ instance }: Side, kind: (typeof upkeep)[number]): Promise<void> {
  const operator = operatorOf(instance);
  await operator.call("operator.runJob", { kind });
  const dueSoon = Date.now() + 60_000;
  for (;;) {
    await Bun.sleep(500);
    const { jobs } = await operator.call("operator.listJobs", { limit: 100 });
    const { outbox } = await operator.call("operator.stats", {});
    const left = jobs.filter((job) => job.kind === kind && job.state !== "delayed" && job.state !== "failed");
    if (outbox.rows === 0 && left.length === 0) return;
    if (Date.now() > dueSoon + 600_000) throw new Error(`${kind} does not end`);
  }
}

function described(name: string, { statement, ms, plan }: Planned): string {
  const whole = scannedWhole(plan);
  const mark = whole.length === 0 ? "" : `\nREADS ALL OF ${whole.join(", ")}`;
  return `── ${name}, ${ms} ms${mark}\n${statement}\n${drawn(plan)}`;
}

/** Beside the results; where. */
function writePlans(explained: readonly string[]): string {
  const directory = join(import.meta.dir, "results");
  mkdirSync(directory, { recursive: true });
  const path = join(directory, `plans-${new Date().toISOString().replaceAll(":", "-")}.txt`);
  writeFileSync(path, `${explained.join("\n\n")}\n`);
  console.error(`plans written to ${path}`);
  return path;
}
