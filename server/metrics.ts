// The metrics of a process for Prometheus (docs/reference/contract.md §4). Every label comes from a closed list, so
// that no caller can create series. Values from the database or the queue are read on each scrape, and omitted where
// they are not available.
import { operations } from "@plinth/contract/registry";
import type { Connection } from "@plinth/db/connection";
import type { DatabaseTrouble } from "@plinth/domain/database-trouble";
import { oldestInOutbox } from "@plinth/domain/queue/oldest-in-outbox";
import type { JobQueue } from "@plinth/domain/queue/queue";
import { on } from "@plinth/domain/telemetry";
import { placesLoad } from "@plinth/domain/threads/pool";
import { threadStates } from "@plinth/domain/threads/thread-processes";
import type { Watching } from "@plinth/domain/services";
import { withTimeout } from "@plinth/platform/with-timeout";
import { Counter, Gauge, Histogram, Registry } from "prom-client";

interface Sources {
  readonly version: string;
  readonly db: Connection;
  readonly queue: JobQueue;
  /** The error of the last write to the database. */
  readonly databaseTrouble: () => DatabaseTrouble | null;
  /** Null where the process serves no event streams. */
  readonly watching: Watching | null;
}

export interface Metrics {
  /** In Prometheus' text format. */
  text(): Promise<string>;
  readonly contentType: string;
  stop(): void;
}

const requestSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
const mainThreadSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 2.5];
const workSeconds = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 120];
/** A slower source is omitted, in ms. */
const timeoutMs = 2000;

const methods: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", ...operations.map(({ method }) => method)]);

export function startMetrics({ version, db, queue, databaseTrouble, watching }: Sources): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const counter = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
    new Counter({ name: `plinth_${name}`, help, labelNames, registers });
  const histogram = <Label extends string>(name: string, help: string, labelNames: Label[], buckets: number[]) =>
    new Histogram({ name: `plinth_${name}`, help, labelNames, buckets, registers });
  /** Read on each scrape. A source that fails has no value in that scrape, and is counted. */
  const gauge = <Label extends string>(
    name: string,
    help: string,
    labelNames: Label[],
    read: (gauge: Gauge<Label>) => unknown,
  ) =>
    new Gauge({
      name: `plinth_${name}`,
      help,
      labelNames,
      registers,
      async collect() {
        this.reset();
        try {
          await inTime(Promise.resolve(read(this)));
        } catch {
          // The source's own callers have received the error; the scrape must return the other values.
          this.reset();
          unread.inc({ metric: name });
        }
      },
    });

  const unread = counter("metrics_unread_total", "Times that figures could not be had", ["metric"]);
  const requests = counter("requests_total", "Requests by route, method and class of status", [
    "route",
    "method",
    "status",
  ]);
  const requestTime = histogram(
    "request_duration_seconds",
    "Until an answer's headers",
    ["route", "method"],
    requestSeconds,
  );
  const mainThreadTime = histogram(
    "request_main_thread_seconds",
    "Processor time of the main thread, for which all other requests waited",
    ["operation"],
    mainThreadSeconds,
  );
  const renders = counter("renders_total", "Tasks of the rendering threads", ["renderer", "outcome"]);
  const renderTime = histogram("render_duration_seconds", "With the wait for a thread", ["renderer"], workSeconds);
  const coldStarts = counter("render_cold_starts_total", "Tasks that waited for a thread to load their code", [
    "renderer",
  ]);
  const jobs = counter("jobs_total", "Tries of jobs; failed ones are tried again, dead ones are not", [
    "kind",
    "outcome",
  ]);
  const jobTime = histogram("job_duration_seconds", "Of one try", ["kind"], workSeconds);
  const screenshots = counter("thumbnails_total", "Screenshots of documents", ["outcome"]);
  const screenshotTime = histogram("thumbnail_duration_seconds", "Duration of one screenshot", [], workSeconds);

  const objects = counter("object_requests_total", "Requests to object storage", ["action", "outcome"]);

  gauge("build_info", "Always 1", ["version"], (one) => one.set({ version }, 1));
  gauge("queue_jobs", "Jobs in the queue", ["queue", "state"], async (one) => {
    for (const [name, counts] of Object.entries(await queue.countsByQueue()))
      for (const [state, value] of Object.entries(counts)) one.set({ queue: name, state }, value);
  });
  gauge("outbox_oldest_seconds", "How long the oldest job waits to be handed to the queue", ["work"], async (one) => {
    for (const { work, seconds } of await oldestInOutbox(db)) one.set({ work }, seconds);
  });
  gauge("database_writable", "Whether the last write of this process's health check was done", [], (one) =>
    one.set(databaseTrouble() === null ? 1 : 0),
  );
  gauge("database_connections", "Of this process's pool, and work that waits for one", ["state"], (one) => {
    for (const [state, value] of Object.entries(db.load())) one.set({ state }, value);
  });
  gauge("render_places", "For tasks of the rendering threads, and tasks that wait for one", ["state"], (one) => {
    for (const [state, value] of Object.entries(placesLoad())) one.set({ state }, value);
  });
  gauge("render_threads", "Processes for rendering; ready ones are idle and have all code", ["state"], (one) => {
    for (const [state, value] of Object.entries(threadStates())) one.set({ state }, value);
  });
  if (watching !== null)
    gauge("event_streams", "Event streams that are open", [], (one) => one.set(watching.openStreams()));
  gauge("process_resident_memory_bytes", "Of this process, without the threads", [], (one) =>
    one.set(process.memoryUsage.rss()),
  );
  gauge("process_cpu_seconds", "Processor time of this process since its start", ["mode"], (one) => {
    const { user, system } = process.cpuUsage();
    one.set({ mode: "user" }, user / 1e6);
    one.set({ mode: "system" }, system / 1e6);
  });
  gauge("process_uptime_seconds", "Since the start of this process", [], (one) => one.set(process.uptime()));

  const stop = on({
    request({ route, method: asked, status, ms, operation, mainThread }) {
      const method = methods.has(asked) ? asked : "other";
      requests.inc({ route, method, status: `${Math.floor(status / 100)}xx` });
      requestTime.observe({ route, method }, ms / 1000);
      if (mainThread !== null) mainThreadTime.observe({ operation: operation ?? "none" }, mainThread.sharedMs / 1000);
    },
    rendering({ renderer, outcome, ms }) {
      renders.inc({ renderer, outcome });
      renderTime.observe({ renderer }, ms / 1000);
    },
    coldStart: ({ renderer }) => coldStarts.inc({ renderer }),
    job({ kind, outcome, ms }) {
      jobs.inc({ kind, outcome });
      jobTime.observe({ kind }, ms / 1000);
    },
    object: ({ action, trouble }) => objects.inc({ action, outcome: trouble === null ? "done" : "failed" }),
    screenshot({ outcome, ms }) {
      screenshots.inc({ outcome });
      screenshotTime.observe(ms / 1000);
    },
  });
  return { text: () => registry.metrics(), contentType: registry.contentType, stop };
}

const inTime = (work: Promise<unknown>): Promise<unknown> =>
  withTimeout(timeoutMs, work, () => {
    throw new Error("no answer in time");
  });
