// Measures a figure: product and baseline alternate, so that other load on the machine affects both equally.
import { resolve } from "node:path";

import { whole, type Report } from "./report.ts";

interface PublishLoad {
  readonly from: number;
  readonly atMost: number;
  /** The other members of the JSON body; null where the document alone is the body. */
  readonly body: Readonly<Record<string, unknown>> | null;
  /** The beginning of each document. */
  readonly before?: string;
  /** The length of each document; the usual one unless given. */
  readonly bytes?: number;
}

/** The job of the load client. */
export interface LoadJob {
  readonly url: string;
  readonly method?: string;
  /** Requested in turn. */
  readonly paths: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  /** Additional headers, by the index in `paths`. */
  readonly headersOf?: readonly Readonly<Record<string, string>>[];
  /** The body of each request, by the index in `paths`. */
  readonly bodies?: readonly string[];
  /** Each request publishes a different document, numbered from `from`, with a slug of that number. */
  readonly publish?: PublishLoad;
  readonly status: number;
  readonly connections: number;
  readonly warmUpMs: number;
  readonly measureMs: number;
}

/** The job of a client that reads. */
export type ReadLoadJob = Omit<LoadJob, "method" | "headers" | "bodies" | "publish">;

export interface LoadResult {
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly sent: number;
}

export interface Run {
  readonly report: Report;
  readonly rounds: number;
  /** Of each measurement; shorter where a run has very many. */
  readonly measureMs: number;
  readonly shortMs: number;
  /** As many artifacts as are asked for, or else this many. */
  readonly artifacts: (usual: number) => number;
  /** Makes an empty directory. */
  readonly place: (name: string) => string;
}

/** A figure beside its baseline, both per second. */
interface Comparison {
  readonly name: string;
  readonly baseline: string;
  readonly rounds: number;
  readonly target?: Target | undefined;
}

/** At least: of the product divided by the baseline, and of the product each second. */
export interface Target {
  readonly ratio: number;
  readonly perSecond?: number;
}

interface Sides {
  readonly product: () => Promise<LoadResult>;
  readonly baseline: () => Promise<LoadResult>;
}

/** Measures both sides alternately; each round starts with the other side. A figure is the median of the rounds. */
export async function compare(
  report: Report,
  { name, baseline, rounds, target }: Comparison,
  sides: Sides,
): Promise<void> {
  const taken: { product: LoadResult; baseline: LoadResult }[] = [];
  for (let round = 0; round < rounds; round++) {
    const isProductFirst = round % 2 === 0;
    const first = await (isProductFirst ? sides.product : sides.baseline)();
    const second = await (isProductFirst ? sides.baseline : sides.product)();
    taken.push(isProductFirst ? { product: first, baseline: second } : { product: second, baseline: first });
  }
  const perSecond = median(taken.map(({ product }) => product.perSecond));
  const ratio = median(taken.map(({ product, baseline: bare }) => product.perSecond / bare.perSecond));
  const p99 = median(taken.map(({ product }) => product.p99));
  const { ratio: least = 0, perSecond: leastPerSecond = 0 } = target ?? {};
  const targets = [`≥ ${least}`, ...(leastPerSecond === 0 ? [] : [`≥ ${whole(leastPerSecond)}/s`])].join(", ");
  report.add({
    figure: name,
    product: `${whole(perSecond)}/s (p99 ${p99.toFixed(1)} ms)`,
    baseline: `${whole(median(taken.map(({ baseline: bare }) => bare.perSecond)))}/s ${baseline}`,
    ratio: ratio.toFixed(2),
    ...(target && { target: targets, met: ratio >= least && perSecond >= leastPerSecond }),
  });
}

export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

/** The value that this share of the numbers is at most. */
export function percentile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** What a client measured of its requests, from their times in ms. */
export const resultOf = (times: readonly number[], { measureMs }: Pick<LoadJob, "measureMs">, sent: number) => ({
  perSecond: times.length / (measureMs / 1000),
  p50: percentile(times, 0.5),
  p99: percentile(times, 0.99),
  sent,
});

/** Runs a program of this folder, or of an absolute path, to its end: JSON in, JSON out. */
export async function runProgram<Result>(file: string, job: unknown): Promise<Result> {
  const child = Bun.spawn([process.execPath, resolve(import.meta.dir, file)], {
    stdin: Buffer.from(JSON.stringify(job)),
    stdout: "pipe",
    stderr: "inherit",
  });
  const answer = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new Error(`${file} failed`);
  return JSON.parse(answer) as Result;
}

/** Uses a client that needs very little processor time. */
export const load = (job: LoadJob): Promise<LoadResult> => runProgram("load.ts", job);

/** Uses a client of the kind that people have (docs/decisions/testing.md, "Two benchmark clients"). */
export const ordinaryLoad = (job: ReadLoadJob): Promise<LoadResult> => runProgram("ordinary-load.ts", job);

/** Starts a server program, which prints its URL in one line. */
export async function startServer(
  path: string,
  job: unknown,
  environment: Record<string, string> = {},
): Promise<{ readonly url: string; stop(): void }> {
  const child = Bun.spawn([process.execPath, path], {
    env: { ...process.env, ...environment },
    stdin: Buffer.from(JSON.stringify(job)),
    stdout: "pipe",
    stderr: "inherit",
  });
  const { value } = await child.stdout.getReader().read();
  if (value === undefined) throw new Error(`${path} did not start`);
  return { url: new TextDecoder().decode(value).trim(), stop: () => child.kill() };
}
