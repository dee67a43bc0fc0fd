// Measures a figure: product and baseline alternate, so that other load on the machine affects both equally.
import { join } from "node:path";

export interface PublishLoad {
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

export interface Figure {
  readonly name: string;
  /** Requests per second, the median of the rounds. */
  readonly product: number;
  readonly baseline: number;
  /** The median of product divided by baseline over the rounds. */
  readonly ratio: number;
  readonly p50: number;
  readonly p99: number;
  readonly rounds: readonly { readonly product: number; readonly baseline: number }[];
}

export interface Sides {
  readonly product: (round: number) => Promise<LoadResult>;
  readonly baseline: (round: number) => Promise<LoadResult>;
}

/** Measures both sides alternately; each round starts with the other side. */
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

/** Runs one of the benchmark's programs to its end: JSON in, JSON out. */
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

/** Uses a client that needs very little processor time. */
export const load = (job: LoadJob): Promise<LoadResult> => runProgram("load.ts", job);

/** Uses a client of the kind that people have (docs/decisions/testing.md, "Two benchmark clients"). */
export const ordinaryLoad = (job: ReadLoadJob): Promise<LoadResult> => runProgram("ordinary-load.ts", job);

/** Starts a server program, which prints its URL in one line. */
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
