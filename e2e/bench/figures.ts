// The figures of the benchmark, each with its baseline.
import { decodeId, type IdPrefix } from "@plinth/contract/ids";
import { join } from "node:path";
import { reservePort } from "@plinth/support/reserved-port";

import { jobsLeftOut, newReport, projectSlug, username, type Account } from "./account.ts";
import type { Instance } from "../harness/instance.ts";

import { compare, load, runProgram, startServer, type Figure, type LoadResult } from "./measure.ts";
import { buildPageBaseline } from "./page-baseline.ts";
import type { PublishBaselineJob } from "./publish-baseline.ts";

export interface Bench {
  readonly instance: Instance;
  readonly account: Account;
  readonly rounds: number;
  readonly measureMs: number;
  /** A directory for builds. */
  readonly directory: string;
  /** The instance's own database. */
  readonly databaseUrl: string;
}

const warmUpMs = 300;
/** More than any machine publishes in a second. */
const mostPerSecond = { one: 6000, many: 12_000, bytes: 24_000 } as const;
let published = 0;

/** The connections of the pool of an instance with an embedded database (server/database.ts). */
const embeddedConnections = 6;

export interface PublishBaseline {
  readonly databaseUrl: string;
  readonly account: Account;
}

/**
 * Publishing, alternating with the bare driver, which inserts the same rows or only the same bytes into a database of the same
 * server. Jobs still queued after a round are deleted, because they take ten times as long as the round.
 */
export async function publishFigure(
  bench: Bench,
  connections: number,
  { databaseUrl, account: owner }: PublishBaseline,
  inserts: PublishBaselineJob["inserts"],
): Promise<Figure> {
  const { instance, account, rounds, measureMs } = bench;
  const perSecond = connections === 1 ? mostPerSecond.one : mostPerSecond[inserts === "bytes" ? "bytes" : "many"];
  const atMost = Math.ceil((perSecond * (warmUpMs + measureMs)) / 1000);
  const from = () => (published += atMost) - atMost;
  const bare = (prefix: IdPrefix, id: string) => decodeId(prefix, id) ?? "";
  return compare(`publish, ${connections} at once${inserts === "bytes" ? ", beside its bytes" : ""}`, rounds, {
    async product() {
      const result = await load({
        url: instance.origin,
        method: "POST",
        paths: ["/api/artifacts"],
        headers: { authorization: account.authorization },
        publish: { from: from(), atMost, body: newReport },
        status: 201,
        connections,
        warmUpMs,
        measureMs,
      });
      await jobsLeftOut(instance, bench.databaseUrl);
      return result;
    },
    baseline() {
      const job: PublishBaselineJob = {
        databaseUrl,
        inserts,
        connections,
        pool: embeddedConnections,
        from: from(),
        atMost,
        warmUpMs,
        measureMs,
        projectId: bare("prj", owner.projectId),
        workspaceId: bare("wsp", owner.workspaceId),
        userId: bare("usr", owner.userId),
      };
      return runProgram<LoadResult>("publish-baseline.ts", job);
    },
  });
}

interface Read {
  readonly name: string;
  readonly paths: readonly string[];
  readonly headersOf?: readonly Readonly<Record<string, string>>[];
  readonly status: number;
  /** In Elysia's notation, with `:key` for the part in which the paths differ. */
  readonly route: string;
}

export const artifactPath = (artifactId: string): string => `/api/artifacts/${artifactId}`;
export const contentPath = (artifactId: string): string => `/api/artifacts/${artifactId}/content`;
export const contentRoute = "/api/artifacts/:key/content";
export const byPathPath = (slug: string): string => `/api/by-path/${username}/${projectSlug}/${slug}`;
export const byPathRoute = "/api/by-path/:owner/:project/:key";

/**
 * Anonymous reads, alternating with a bare route that answers the same; with the lean client unless another is given.
 */
export async function readFigure(bench: Bench, read: Read, by = load): Promise<Figure> {
  const { paths, headersOf, route, status } = read;
  const connections = 32;
  const { instance, rounds, measureMs } = bench;
  const baseline = await startServer(join(import.meta.dir, "route-baseline.ts"), {
    url: instance.origin,
    paths,
    headersOf,
    route,
  });
  try {
    const of = (url: string) => () =>
      by({ url, paths, status, connections, warmUpMs, measureMs, ...(headersOf === undefined ? {} : { headersOf }) });
    return await compare(`${read.name}, ${connections} connections`, rounds, {
      product: of(instance.origin),
      baseline: of(baseline.url),
    });
  } finally {
    baseline.stop();
  }
}

/** A read with a credential, alternating with the same anonymous read. */
export async function credentialFigure(
  bench: Bench,
  read: {
    readonly name: string;
    readonly paths: readonly string[];
    readonly headers: Readonly<Record<string, string>>;
  },
  connections = 32,
): Promise<Figure> {
  const { instance, rounds, measureMs } = bench;
  const job = { url: instance.origin, paths: read.paths, status: 200, connections, warmUpMs, measureMs };
  return compare(`${read.name}, ${connections} connections`, rounds, {
    product: () => load({ ...job, headers: read.headers }),
    baseline: () => load(job),
  });
}

/** The artifact page, alternating with a bare page of the same framework. */
export async function pageFigure(bench: Bench, paths: readonly string[], connections = 32): Promise<Figure> {
  buildPageBaseline(bench.directory);
  const baseline = await startServer(join(bench.directory, "serve.ts"), null, { PORT: `${reservePort()}` });
  try {
    const of = (url: string) => () =>
      load({
        url,
        paths,
        status: 200,
        connections,
        warmUpMs,
        measureMs: bench.measureMs,
        headers: { accept: "text/html" },
      });
    return await compare(`artifact page, ${connections} connections`, bench.rounds, {
      product: of(bench.instance.origin),
      baseline: of(baseline.url),
    });
  } finally {
    baseline.stop();
  }
}
