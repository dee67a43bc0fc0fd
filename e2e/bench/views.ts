// Views and reads by an ordinary client, autocannon: a view is a page and its framed document. Of one artifact and of a
// thousand in turns, at 32 and at 128 connections.
import { join } from "node:path";

import type { Front } from "../harness/instance.ts";
import { jobsDone, makeAccount, newReport, projectSlug, send, username, type Account } from "./account.ts";
import { document } from "./documents.ts";
import { byPathPath, byPathRoute, contentPath, contentRoute } from "./figures.ts";
import { startInstance } from "../harness/instance.ts";
import { compare, median, ordinaryLoad, startServer, type Figure, type ReadLoadJob } from "./measure.ts";

export interface ViewFigure {
  readonly name: string;
  /** Views each second: of a page and its document, each sent once. The median of the rounds. */
  readonly perSecond: number;
  /** Of an answer, in ms. */
  readonly p50: number;
  readonly p99: number;
}

export interface Published {
  readonly artifactId: string;
  readonly slug: string;
}

const documentBytes = 9 * 1024;
const many = 1000;
export const connectionCounts = [32, 128] as const;

/** Publishes public markdown documents of 9 KB, and waits for their jobs. */
export async function publishNineKilobytes(instance: Front, account: Account, count: number): Promise<Published[]> {
  const published: Published[] = [];
  let next = 0;
  const publisher = async () => {
    for (let n = next++; n < count; n = next++) {
      const content = document(-1 - n).slice(0, documentBytes);
      const body = { ...newReport, slug: `view-${n}`, content };
      published[n] = await send<Published>(instance, account.authorization, "/api/artifacts", body);
    }
  };
  await Promise.all(Array.from({ length: 16 }, publisher));
  await jobsDone(instance);
  return published;
}

export const pagePath = ({ slug }: Published): string => `/${username}/${projectSlug}/${slug}`;
export const framePath = ({ artifactId }: Published): string => `/_content/p/${artifactId}/1`;

const asBrowser = { accept: "text/html,application/xhtml+xml", "accept-encoding": "gzip, deflate, br" };

/** A page and its document in turns, as a browser asks for them at that host. */
export function viewJob(
  shown: readonly Published[],
  host: string,
): Pick<ReadLoadJob, "paths" | "headersOf" | "status"> {
  const page = { ...asBrowser, host };
  return {
    paths: shown.flatMap((each) => [pagePath(each), framePath(each)]),
    headersOf: shown.flatMap(() => [page, { ...page, "sec-fetch-dest": "iframe" }]),
    status: 200,
  };
}

interface Measured {
  readonly rounds: number;
  readonly measureMs: number;
  readonly view: (figure: ViewFigure) => void;
  readonly read: (figure: Figure) => void;
}

const warmUpMs = 300;

/** Measures an instance on a new directory. */
export async function measureViews(dataDir: string, measured: Measured): Promise<void> {
  const instance = await startInstance({ dataDir });
  const shown = await publishNineKilobytes(instance, await makeAccount(instance), many);
  const sets = { "one artifact": shown.slice(0, 1), "a thousand in turns": shown };
  for (const [what, some] of Object.entries(sets))
    for (const connections of connectionCounts) {
      const name = `${what}, ${connections} connections`;
      measured.view(await viewFigure(instance.origin, `views, ${name}`, some, connections, measured));
      for (const kind of ["raw", "by-path", "raw, 304", "by-path, 304"] as const)
        measured.read(await readFigure(instance.origin, `${kind}, ${name}`, { kind, some, connections }, measured));
    }
  await instance.stop();
}

/** Views of one origin. */
export async function viewFigure(
  origin: string,
  name: string,
  shown: readonly Published[],
  connections: number,
  {
    rounds,
    measureMs,
    host = new URL(origin).host,
  }: Pick<Measured, "rounds" | "measureMs"> & { readonly host?: string },
): Promise<ViewFigure> {
  const job = { url: origin, ...viewJob(shown, host), connections, warmUpMs };
  await askForEach(job);
  await ordinaryLoad({ ...job, measureMs });
  const results = [];
  for (let round = 0; round < rounds; round++) results.push(await ordinaryLoad({ ...job, measureMs }));
  return {
    name,
    perSecond: median(results.map(({ perSecond }) => perSecond / 2)),
    p50: median(results.map(({ p50 }) => p50)),
    p99: median(results.map(({ p99 }) => p99)),
  };
}

/** Each page and document is rendered and compressed once before it is measured: a thousand take longer than a round. */
async function askForEach({ url, paths, headersOf }: Pick<ReadLoadJob, "url" | "paths" | "headersOf">): Promise<void> {
  const left = paths.map((path, place) => ({ path, headers: headersOf?.[place] ?? {} }));
  const reader = async () => {
    for (let one = left.pop(); one !== undefined; one = left.pop())
      await (await fetch(url + one.path, { headers: one.headers })).bytes();
  };
  await Promise.all(Array.from({ length: 16 }, reader));
}

interface Read {
  readonly kind: "raw" | "by-path" | "raw, 304" | "by-path, 304";
  readonly some: readonly Published[];
  readonly connections: number;
}

/** A read that alternates with a bare route that answers the same. */
async function readFigure(
  origin: string,
  name: string,
  { kind, some, connections }: Read,
  { rounds, measureMs }: Pick<Measured, "rounds" | "measureMs">,
): Promise<Figure> {
  const isRaw = kind.startsWith("raw");
  const paths = some.map(({ artifactId, slug }) => (isRaw ? contentPath(artifactId) : byPathPath(slug)));
  const isUnchanged = kind.endsWith("304");
  const headersOf = isUnchanged ? await Promise.all(paths.map((path) => heldTag(origin + path))) : undefined;
  const held = headersOf === undefined ? {} : { headersOf };
  const route = isRaw ? contentRoute : byPathRoute;
  const baseline = await startServer(join(import.meta.dir, "route-baseline.ts"), {
    url: origin,
    paths,
    route,
    ...held,
  });
  try {
    const status = isUnchanged ? 304 : 200;
    const of = (url: string) => () => ordinaryLoad({ url, paths, status, connections, warmUpMs, measureMs, ...held });
    return await compare(name, rounds, { product: of(origin), baseline: of(baseline.url) });
  } finally {
    baseline.stop();
  }
}

async function heldTag(url: string): Promise<Record<string, string>> {
  return { "if-none-match": (await fetch(url)).headers.get("etag") ?? "" };
}
