// Views and reads by an ordinary client, autocannon: a view is a page and its framed document. Of one artifact and of a
// thousand in turns, at 32 and at 128 connections.
import type { Front } from "../harness/instance.ts";
import {
  jobsDone,
  makeAccount,
  projectSlug,
  publishReports,
  username,
  type Account,
  type Published,
} from "./account.ts";
import { byPathPath, byPathRoute, contentPath, contentRoute, heldTags, readFigure, warmUpMs } from "./figures.ts";
import { startInstance } from "../harness/instance.ts";
import { median, ordinaryLoad, type LoadResult, type ReadLoadJob, type Run } from "./measure.ts";
import { whole } from "./report.ts";

/** Of pages with their documents, each sent once: views each second, and milliseconds of an answer. */
type View = Pick<LoadResult, "perSecond" | "p50" | "p99">;

/** Views each second of a 9 KB document that anyone may see. */
const viewsPerSecond = 3500;

const documentBytes = 9 * 1024;
const many = 1000;
export const connectionCounts = [32, 128] as const;

/** Publishes public markdown documents of 9 KB, and waits for their jobs. */
export async function publishNineKilobytes(instance: Front, account: Account, count: number): Promise<Published[]> {
  const published = await publishReports(instance, account, count, { name: "view", bytes: documentBytes });
  await jobsDone(instance);
  return published;
}

const pagePath = ({ slug }: Published): string => `/${username}/${projectSlug}/${slug}`;
const framePath = ({ artifactId }: Published): string => `/_content/p/${artifactId}/1`;

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

/** Measures an instance on a new directory. */
export async function measureViews(run: Run): Promise<void> {
  const instance = await startInstance({ dataDir: run.place("views") });
  const shown = await publishNineKilobytes(instance, await makeAccount(instance), many);
  const sets = { "one artifact": shown.slice(0, 1), "a thousand in turns": shown };
  for (const [what, some] of Object.entries(sets))
    for (const connections of connectionCounts) {
      const view = await measureView(run, instance.origin, some, connections);
      addView(run, `views, ${what}, ${connections} connections`, view);
      const raw = { name: "raw", route: contentRoute, paths: some.map(({ artifactId }) => contentPath(artifactId)) };
      const byPath = { name: "by-path", route: byPathRoute, paths: some.map(({ slug }) => byPathPath(slug)) };
      for (const { name, route, paths } of [raw, byPath]) {
        const timed = { ...run, measureMs: run.shortMs };
        const target = { ratio: name === "raw" ? 0.85 : 0.6 };
        const read = { name: `${name}, ${what}`, route, paths, status: 200, connections, target };
        await readFigure(timed, instance, read, ordinaryLoad);
        const headersOf = await heldTags(instance.origin, paths);
        const unchanged = { name: `${name}, 304, ${what}`, headersOf, status: 304, target: { ratio: 0.6 } };
        await readFigure(timed, instance, { ...read, ...unchanged }, ordinaryLoad);
      }
    }
  await instance.stop();
}

/** The medians of the rounds at one origin. */
export async function measureView(
  { rounds, shortMs: measureMs }: Run,
  origin: string,
  shown: readonly Published[],
  connections: number,
  host = new URL(origin).host,
): Promise<View> {
  const job = { url: origin, ...viewJob(shown, host), connections, warmUpMs, measureMs };
  await askForEach(job);
  await ordinaryLoad(job);
  const results = [];
  for (let round = 0; round < rounds; round++) results.push(await ordinaryLoad(job));
  return {
    perSecond: median(results.map(({ perSecond }) => perSecond / 2)),
    p50: median(results.map(({ p50 }) => p50)),
    p99: median(results.map(({ p99 }) => p99)),
  };
}

export const addView = ({ report }: Run, figure: string, { perSecond, p50, p99 }: View): void =>
  report.add({
    figure,
    product: `${whole(perSecond)}/s (p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms)`,
    target: `≥ ${whole(viewsPerSecond)}/s`,
    met: perSecond >= viewsPerSecond,
  });

/** Each page and document is rendered and compressed once before it is measured: a thousand take longer than a round. */
async function askForEach({ url, paths, headersOf }: Pick<ReadLoadJob, "url" | "paths" | "headersOf">): Promise<void> {
  const left = paths.map((path, place) => ({ path, headers: headersOf?.[place] ?? {} }));
  const reader = async () => {
    for (let one = left.pop(); one !== undefined; one = left.pop())
      await (await fetch(url + one.path, { headers: one.headers })).bytes();
  };
  await Promise.all(Array.from({ length: 16 }, reader));
}
