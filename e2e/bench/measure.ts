// How a figure is taken: product and floor in turns, so that what else the machine does falls on both alike.
import { join } from "node:path";

/** What the load client is told. */
export interface LoadJob {
  readonly url: string;
  readonly method?: string;
  /** Asked for in turn. */
  readonly paths: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  /** Beside those, by the place in `paths`. */
  readonly headersOf?: readonly Readonly<Record<string, string>>[];
  /** Of each request, by the place in `paths`. */
  readonly bodies?: readonly string[];
  /** Each request publishes a document of its own, numbered from `from`, under a slug of that number. */
  readonly publish?: { readonly from: number; readonly atMost: number; readonly body: Record<string, unknown> };
  readonly status: number;
  readonly connections: number;
  readonly warmUpMs: number;
  readonly measureMs: number;
}

/** What a client is told that reads. */
export type ReadLoadJob = Omit<LoadJob, "method" | "headers" | "bodies" | "publish">;

export interface LoadResult {
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly sent: number;
}

export interface Figure {
  readonly name: string;
  /** Requests a second, the median of the rounds. */
  readonly product: number;
  readonly baseline: number;
  /** The median of each round's product through floor. */
  readonly ratio: number;
  readonly p50: number;
  readonly p99: number;
  readonly rounds: readonly { readonly product: number; readonly baseline: number }[];
}

export interface Sides {
  readonly product: (round: number) => Promise<LoadResult>;
  readonly baseline: (round: number) => Promise<LoadResult>;
}

/** Measures both sides in turns, the one that begins changing with each round. */
export async function compare(name: string, rounds: number, sides: Sides): Promise<Figure> {
  const taken: { product: LoadResult; baseline: LoadResult }[] = [];
  for (let round = 0; round < rounds; round++) {
    const productFirst = round % 2 === 0;
    const first = await (productFirst ? sides.product : sides.baseline)(round);
    const second = await (productFirst ? sides.baseline : sides.product)(round);
    taken.push(productFirst ? { product: first, baseline: second } : { product: second, baseline: first });
  }
  return {
    name,
    product: median(taken.map(({ product }) => product.perSecond)),
    baseline: median(taken.map(({ baseline }) => baseline.perSecond)),
    ratio: median(taken.map(({ product, baseline }) => product.perSecond / baseline.perSecond)),
    p50: median(taken.map(({ product }) => product.p50)),
    p99: median(taken.map(({ product }) => product.p99)),
    rounds: taken.map(({ product, baseline }) => ({ product: product.perSecond, baseline: baseline.perSecond })),
  };
}

export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

/** Runs one of the benchmark's own programs to its end: JSON in, JSON out. */
export async function runProgram<Result>(file: string, job: unknown): Promise<Result> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, file)], {
    stdin: Buffer.from(JSON.stringify(job)),
    stdout: "pipe",
    stderr: "inherit",
  });
  const answer = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new Error(`${file} failed`);
  return JSON.parse(answer) as Result;
}

/** By a client that takes next to nothing of the machine. */
export const load = (job: LoadJob): Promise<LoadResult> => runProgram("load.ts", job);

/** By a client as people have them (docs/decisions/testing.md, "Two benchmark clients"). */
export const ordinaryLoad = (job: ReadLoadJob): Promise<LoadResult> => runProgram("ordinary-load.ts", job);

/** Starts a program that serves and says its address in one line. */
export async function startServer(
  path: string,
  job: unknown,
  environment: Record<string, string> = {},
): Promise<Server> {
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

export interface Server {
  readonly url: string;
  stop(): void;
}
