// Publishing and reading, each beside its baseline.
import { decodeId, type IdPrefix } from "@plinth/contract/ids";
import { join } from "node:path";
import { reservePort } from "@plinth/support/reserved-port";

import { jobsLeftOut, newReport, projectSlug, username, type Account } from "./account.ts";
import type { Instance } from "../harness/instance.ts";

import { compare, load, runProgram, startServer, type LoadResult, type Run, type Target } from "./measure.ts";
import { buildPageBaseline } from "./page-baseline.ts";
import type { PublishBaselineJob } from "./publish-baseline.ts";

export interface Bench extends Run {
  readonly instance: Instance;
  readonly account: Account;
  /** The instance's own database. */
  readonly databaseUrl: string;
}

export const warmUpMs = 300;
/** Reads have as many connections. */
export const connections = 32;
/** More than any machine publishes in a second. */
const mostPerSecond = { one: 6000, many: 12_000, bytes: 24_000 } as const;
let published = 0;

/** The connections of the pool of an instance with an embedded database (server/database.ts). */
const embeddedConnections = 6;

export interface PublishBaseline {
  readonly databaseUrl: string;
  readonly account: Account;
}

const publishTargets: Readonly<Record<number, Target>> = {
  1: { ratio: 0.6 },
  16: { ratio: 0.8, perSecond: 1000 },
};

/**
 * Publishing, alternating with the bare driver, which inserts the same rows or only the same bytes into a database of the same
 * server. Jobs still queued after a round are deleted, because they take ten times as long as the round.
 */
export async function publishFigure(
  { report, rounds, measureMs, instance, account, databaseUrl: own }: Bench,
  atOnce: number,
  { databaseUrl, account: owner }: PublishBaseline,
  inserts: PublishBaselineJob["inserts"],
): Promise<void> {
  const isRows = inserts === "rows";
  const perSecond = atOnce === 1 ? mostPerSecond.one : mostPerSecond[isRows ? "many" : "bytes"];
  const atMost = Math.ceil((perSecond * (warmUpMs + measureMs)) / 1000);
  const from = () => (published += atMost) - atMost;
  const bare = (prefix: IdPrefix, id: string) => decodeId(prefix, id) ?? "";
  const name = `publish, ${atOnce} at once${isRows ? "" : ", beside its bytes"}`;
  const baseline = isRows ? "one statement" : "bytes alone";
  const target = isRows ? publishTargets[atOnce] : undefined;
  await compare(
    report,
    { name, baseline, rounds, target },
    {
      async product() {
        const result = await load({
          url: instance.origin,
          method: "POST",
          paths: ["/api/artifacts"],
          headers: { authorization: account.authorization },
          publish: { from: from(), atMost, body: newReport },
          status: 201,
          connections: atOnce,
          warmUpMs,
          measureMs,
        });
        await jobsLeftOut(instance, own);
        return result;
      },
      baseline: () =>
        runProgram<LoadResult>("publish-baseline.ts", {
          databaseUrl,
          inserts,
          connections: atOnce,
          pool: embeddedConnections,
          from: from(),
          atMost,
          warmUpMs,
          measureMs,
          projectId: bare("prj", owner.projectId),
          workspaceId: bare("wsp", owner.workspaceId),
          userId: bare("usr", owner.userId),
        } satisfies PublishBaselineJob),
    },
  );
}

interface Read {
  readonly name: string;
  readonly paths: readonly string[];
  readonly headersOf?: readonly Readonly<Record<string, string>>[];
  readonly status: number;
  /** In Elysia's notation, with `:key` for the part in which the paths differ. */
  readonly route: string;
  readonly connections: number;
  readonly target?: Target | undefined;
}

export const artifactPath = (artifactId: string): string => `/api/artifacts/${artifactId}`;
export const contentPath = (artifactId: string): string => `/api/artifacts/${artifactId}/content`;
export const contentRoute = "/api/artifacts/:key/content";
export const byPathPath = (slug: string): string => `/api/by-path/${username}/${projectSlug}/${slug}`;
export const byPathRoute = "/api/by-path/:owner/:project/:key";

/** Anonymous reads by this client, alternating with a bare route that answers the same. */
export async function readFigure(
  { report, rounds, measureMs }: Pick<Run, "report" | "rounds" | "measureMs">,
  { origin }: Pick<Instance, "origin">,
  { name, target, route, paths, headersOf, ...read }: Read,
  by: typeof load,
): Promise<void> {
  const held = headersOf === undefined ? {} : { headersOf };
  const job = { url: origin, paths, route, ...held };
  const baseline = await startServer(join(import.meta.dir, "route-baseline.ts"), job);
  const of = (url: string) => () => by({ url, paths, ...read, ...held, warmUpMs, measureMs });
  const figure = { name: `${name}, ${read.connections} connections`, baseline: "bare route", rounds, target };
  try {
    await compare(report, figure, { product: of(origin), baseline: of(baseline.url) });
  } finally {
    baseline.stop();
  }
}

/** What the server holds of each path, as a client sends it. */
export const heldTags = (origin: string, paths: readonly string[]): Promise<Record<string, string>[]> =>
  Promise.all(paths.map(async (path) => ({ "if-none-match": (await fetch(origin + path)).headers.get("etag") ?? "" })));

/** A read with a credential, alternating with the same anonymous read. */
export async function credentialFigure(
  { report, rounds, measureMs, instance }: Bench,
  name: string,
  paths: readonly string[],
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  const job = { url: instance.origin, paths, status: 200, connections, warmUpMs, measureMs };
  const target = { ratio: 0.6 };
  await compare(
    report,
    { name: `${name}, ${connections} connections`, baseline: "anonymous", rounds, target },
    {
      product: () => load({ ...job, headers }),
      baseline: () => load(job),
    },
  );
}

/** The artifact page, alternating with a bare page of the same framework. */
export async function pageFigure(
  { report, rounds, measureMs, instance, place }: Bench,
  paths: readonly string[],
): Promise<void> {
  const directory = place("page");
  buildPageBaseline(directory);
  const baseline = await startServer(join(directory, "serve.ts"), null, { PORT: `${reservePort()}` });
  const job = { paths, status: 200, connections, warmUpMs, measureMs, headers: { accept: "text/html" } };
  const of = (url: string) => () => load({ url, ...job });
  try {
    await compare(
      report,
      { name: `artifact page, ${connections} connections`, baseline: "bare page", rounds },
      {
        product: of(instance.origin),
        baseline: of(baseline.url),
      },
    );
  } finally {
    baseline.stop();
  }
}
