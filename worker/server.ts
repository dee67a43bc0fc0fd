// The HTTP server of a worker process: health, and metrics. It serves nothing else and gives no access to jobs.
import type { Database } from "@plinth/db/connection";
import type { DatabaseTrouble } from "@plinth/domain/database-trouble";
import { noChromium, writing } from "@plinth/domain/health";
import type { JobKind } from "@plinth/domain/queue/kinds";
import { mayReadMetrics, type Figures } from "@plinth/domain/metrics-token";
import { on } from "@plinth/domain/telemetry";
import { withTimeout } from "@plinth/platform/with-timeout";

interface WorkerServerOptions {
  readonly port: number;
  readonly host: string;
  readonly version: string;
  readonly db: Database;
  /** The browser for screenshots; null where the worker found none. */
  readonly browser: string | null;
  /** The error of the last write to the database. */
  readonly databaseTrouble: () => DatabaseTrouble | null;
  /** Null for none. */
  readonly figures: Figures | null;
}

/** The latest job that has ended, with any outcome. */
interface LastJob {
  readonly kind: JobKind;
  readonly outcome: string;
  readonly endedAt: string;
}

const databaseTimeoutMs = 2000;

/**
 * Listens until it is closed. `GET /health` (503 where the database is unreachable; `?live` checks nothing), `GET
 * /metrics`.
 */
export function startWorkerServer(options: WorkerServerOptions): { readonly port: number; close(): Promise<void> } {
  const { port, host, figures } = options;
  const startedAt = Date.now();
  let lastJob: LastJob | null = null;
  const unsubscribe = on({
    job: ({ kind, outcome }) => (lastJob = { kind, outcome, endedAt: new Date().toISOString() }),
  });
  const server = Bun.serve({
    port,
    hostname: host,
    reusePort: false,
    maxRequestBodySize: 0,
    async fetch({ method, url, headers }) {
      const { pathname, searchParams } = new URL(url);
      if (method !== "GET" && method !== "HEAD") return json(405, { detail: "Only GET is served here" });
      if (pathname === "/health") {
        const about = { version: options.version, uptimeSeconds: Math.floor((Date.now() - startedAt) / 1000), lastJob };
        return searchParams.has("live") ? json(200, { status: "pass", ...about }) : health(options, about);
      }
      if (pathname !== "/metrics" || figures === null) return json(404, { detail: "Not found" });
      if (!mayReadMetrics(headers.get("authorization"), figures.token))
        return json(401, { detail: "The figures take the instance's METRICS_TOKEN as bearer" });
      return new Response(await figures.text(), { headers: { ...plain, "content-type": figures.contentType } });
    },
    error: () => json(500, { detail: "The fault is ours" }),
  });
  return {
    port: server.port ?? port,
    async close() {
      unsubscribe();
      await server.stop(true);
    },
  };
}

async function health({ db, browser, databaseTrouble }: WorkerServerOptions, about: object): Promise<Response> {
  const answered = db.run("SELECT 1").then(
    () => true,
    () => false,
  );
  const isThere = await withTimeout(databaseTimeoutMs, answered, () => false);
  const checks = {
    database: isThere ? writing(databaseTrouble()) : { status: "fail", detail: "can't be reached" },
    renderer: browser === null ? { status: "warn", detail: noChromium } : { status: "pass" },
  };
  const isWell = Object.values(checks).every((check) => check.status === "pass");
  const status = !isThere ? "fail" : isWell ? "pass" : "warn";
  return json(isThere ? 200 : 503, { status, ...about, checks });
}

const plain = { "cache-control": "no-store", "x-content-type-options": "nosniff" };

const json = (status: number, value: object): Response =>
  new Response(JSON.stringify(value), { status, headers: { ...plain, "content-type": "application/json" } });
