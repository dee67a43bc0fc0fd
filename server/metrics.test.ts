import { afterAll, beforeAll, expect, test } from "bun:test";
import { testDatabase, type TestDatabase } from "@plinth/db/test/database";
import type { JobQueue } from "@plinth/domain/queue/queue";
import { ObjectTrouble } from "@plinth/domain/storage/object-trouble";
import { emit } from "@plinth/domain/telemetry";
import { closeThreads, placesLoad, runInThread } from "@plinth/domain/threads/pool";
import { comparison, fill, occupy, work } from "@plinth/domain/threads/test/work";
import { threadStates } from "@plinth/domain/threads/thread-processes";
import { emptyQueue } from "@plinth/domain/test/context";

import { startMetrics } from "./metrics.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(async () => {
  await closeThreads();
  await db.drop();
});

async function read(work: () => void, queue: JobQueue = emptyQueue): Promise<string[]> {
  const metrics = startMetrics({ version: "1.2.3", db, queue, databaseTrouble: () => null, watching: null });
  work();
  const text = await metrics.text();
  metrics.stop();
  return text.split("\n").filter((line) => !line.startsWith("#"));
}

const request = {
  requestId: "r",
  operation: null,
  ms: 20,
  mainThread: null,
  surface: "api",
  principal: null,
  bytes: null,
} as const;

test("requests are counted by route, method and class of status; an unknown method gets no separate series", async () => {
  const lines = await read(() => {
    for (const status of [200, 204, 404, 503]) emit("request", { ...request, method: "GET", route: "/x/:y", status });
    for (const method of ["BREW", "A".repeat(500)])
      emit("request", { ...request, method, route: "unmatched", status: 404 });
  });
  expect(lines).toContain('plinth_requests_total{route="/x/:y",method="GET",status="2xx"} 2');
  expect(lines).toContain('plinth_requests_total{route="/x/:y",method="GET",status="5xx"} 1');
  expect(lines).toContain('plinth_requests_total{route="unmatched",method="other",status="4xx"} 2');
  expect(lines).toContain('plinth_request_duration_seconds_bucket{le="0.025",route="/x/:y",method="GET"} 4');
});

test("requests to object storage are counted by what was asked and whether it was done", async () => {
  const lines = await read(() => {
    emit("object", { action: "get", trouble: null });
    emit("object", { action: "put", trouble: new ObjectTrouble("AccessDenied") });
  });
  expect(lines).toContain('plinth_object_requests_total{action="get",outcome="done"} 1');
  expect(lines).toContain('plinth_object_requests_total{action="put",outcome="failed"} 1');
});

test("metrics count renderings, jobs and screenshots by kind and outcome", async () => {
  const lines = await read(() => {
    emit("rendering", { renderer: "markdown", outcome: "late", ms: 2000 });
    emit("job", {
      kind: "purge",
      queue: "upkeep",
      jobId: "j",
      attempt: 1,
      ms: 5,
      outcome: "failed",
      error: new Error("no"),
    });
    emit("screenshot", { outcome: "took too long", ms: 8000 });
  });
  expect(lines).toContain('plinth_renders_total{renderer="markdown",outcome="late"} 1');
  expect(lines).toContain('plinth_jobs_total{kind="purge",outcome="failed"} 1');
  expect(lines).toContain('plinth_thumbnails_total{outcome="took too long"} 1');
  expect(lines.join()).not.toContain("event");
});

test("places for rendering are shown with what has them and what waits, threads by what they do", async () => {
  // Another test file in this process may have left threads.
  await closeThreads();
  expect(await read(() => undefined)).toContain('plinth_render_threads{state="ready"} 0');
  const release = await occupy("a");
  const inUse = placesLoad().in_use;
  const waiting = fill("a");
  const lines = await read(() => undefined);
  expect(inUse).toBeGreaterThan(0);
  expect(lines).toContain(`plinth_render_places{state="size"} ${placesLoad().size}`);
  expect(lines).toContain(`plinth_render_places{state="in_use"} ${inUse}`);
  expect(lines).toContain('plinth_render_places{state="waiting"} 32');
  await release();
  await waiting;
  const metrics = startMetrics({
    version: "1.2.3",
    db,
    queue: emptyQueue,
    databaseTrouble: () => null,
    watching: null,
  });
  await runInThread("diff", comparison("a", "b"), { work: work(), cpuMs: 2_000 });
  while (threadStates().ready < 2) await Bun.sleep(5);
  const text = await metrics.text();
  metrics.stop();
  expect(text).toContain('plinth_render_cold_starts_total{renderer="diff"} 1\n');
  expect(text).toContain('plinth_render_places{state="waiting"} 0\n');
  expect(text).toContain('plinth_render_threads{state="ready"} 2\n');
  expect(text).toContain('plinth_render_threads{state="busy"} 0\n');
}, 60_000);

test("the database and the queue are read when the metrics are requested", async () => {
  const waiting = { quick: 3, thumbnail: 2, billing: 0, upkeep: 1, packages: 0, images: 0 };
  const counts = (waiting: number) => ({ waiting, active: 0, failed: 7 });
  await db.run(
    "INSERT INTO outbox (job_id, kind, payload, created_at) VALUES (gen_random_uuid(), 'purge', '{}', now() - interval '90 s')",
  );
  await db.run(
    "INSERT INTO outbox (job_id, kind, payload, created_at) VALUES (gen_random_uuid(), 'thumbnail', '{}', now() - interval '900 s')",
  );
  const queue = {
    ...emptyQueue,
    countsByQueue: () =>
      Promise.resolve({
        quick: counts(waiting.quick),
        thumbnail: counts(waiting.thumbnail),
        billing: counts(waiting.billing),
        upkeep: counts(waiting.upkeep),
        images: counts(waiting.images),
        packages: counts(waiting.packages),
      }),
  };
  const lines = await read(() => undefined, queue);
  expect(lines).toContain('plinth_queue_jobs{queue="thumbnail",state="waiting"} 2');
  expect(lines).toContain('plinth_queue_jobs{queue="upkeep",state="failed"} 7');
  const age = Number(
    lines.find((line) => line.startsWith('plinth_outbox_oldest_seconds{work="other"} '))?.split(" ")[1],
  );
  expect(age).toBeGreaterThanOrEqual(90);
  // The alarm uses this age, and screenshots may wait longer.
  expect(age).toBeLessThan(900);
  expect(lines).toContain("plinth_database_writable 1");
  expect(lines).toContain('plinth_database_connections{state="size"} 16');
});

test("a source that can't be had is left out and counted, and the rest is told", async () => {
  const queue = { ...emptyQueue, countsByQueue: () => Promise.reject(new Error("away")) };
  const metrics = startMetrics({ version: "1.2.3", db, queue, databaseTrouble: () => null, watching: null });
  await metrics.text();
  const text = await metrics.text();
  metrics.stop();
  expect(text).not.toContain("plinth_queue_jobs{");
  expect(text).toContain('plinth_metrics_unread_total{metric="queue_jobs"}');
  expect(text).toContain('plinth_build_info{version="1.2.3"} 1');
});

test("work on the database is counted while it goes on, in Drizzle's queries, statements and transactions alike", async () => {
  const held = "SELECT pg_advisory_xact_lock(7)";
  const [holds, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const under = db.transaction(async (tx) => {
    await tx.run(held);
    holds.resolve();
    await release.promise;
  });
  await holds.promise;
  const slow = db.run(held);
  // Drizzle starts the query only when it is awaited.
  const drizzled = Promise.resolve(db.orm.execute(held));
  while (db.load().in_use < 3) await Bun.sleep(1);
  expect(db.load()).toEqual({ size: 16, in_use: 3, waiting: 0 });
  release.resolve();
  await Promise.all([under, slow, drizzled]);
  expect(db.load()).toEqual({ size: 16, in_use: 0, waiting: 0 });
});
