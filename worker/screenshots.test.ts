// The whole path of screenshots: the job of a published artifact passes outbox, relay and queue to the renderer. A
// document whose screenshot fails gets a placeholder, and no job is dead.
import { afterAll, beforeAll, expect, test } from "bun:test";

import { uuidOf } from "@plinth/db/columns";
import type { OpenQueue } from "@plinth/domain/queue/open-queue";
import { openedQueue } from "@plinth/domain/test/opened-queue";
import { startRelay } from "@plinth/domain/queue/relay";
import { createSetup, type Setup } from "@plinth/domain/test/context";
import { CaptureError } from "@plinth/domain/thumbnails/renderer";
import { testRenderer, type TestRenderer } from "@plinth/domain/thumbnails/test/renderer";
import { closeThreads } from "@plinth/domain/threads/pool";

import { startWorker } from "./worker.ts";

let setup: Setup;
let queue: OpenQueue;
let renderer: TestRenderer;
let as: string;
let project: string;
const faults: unknown[] = [];
const ends: (() => Promise<void>)[] = [];

beforeAll(async () => {
  setup = await createSetup();
  renderer = testRenderer();
  ({ token: as } = await setup.person());
  project = (await setup.project(as)).slug;
  const place = { databaseUrl: setup.db.url };
  const onError = (error: unknown) => faults.push(error);
  queue = await openedQueue(place, onError);
  const worker = startWorker({
    host: { db: setup.db, config: setup.instance.config, billing: null, renderer },
    place,
    onError,
  });
  ends.push(
    () => worker.close(),
    () => queue.close(),
    closeThreads,
    () => setup.close(),
  );
});
afterAll(async () => {
  for (const end of ends) await end();
});

/** The screenshot's row, once it exists and nothing is pending. */
async function settled(artifactId: string, version: number) {
  for (let tries = 0; tries < 600; tries++) {
    const [row] = await setup.db.run<{ version: number; failure: string | null; taken: boolean }>(
      "SELECT version_number AS version, failure, large IS NOT NULL AS taken FROM thumbnail WHERE artifact_id = $1",
      [uuidOf("art", artifactId)],
    );
    const { waiting, active } = await queue.counts();
    if (row?.version === version && waiting + active + (await setup.count("outbox")) === 0) return row;
    await Bun.sleep(100);
  }
  throw new Error("no screenshot settled within a minute");
}

test("ten versions at once: one screenshot, of the last version", async () => {
  const { artifactId } = await setup.publish(as, project);
  for (let n = 2; n <= 10; n++) await setup.call("version.create", { artifactId, content: `# ${n}` }, { as });
  // Started only now, because the time of publishing does not matter here.
  const relay = startRelay(setup.db, queue, (error) => faults.push(error));
  ends.unshift(() => relay.stop());
  expect(await settled(artifactId, 10)).toEqual({ version: 10, failure: null, taken: true });
  expect(renderer.captured).toHaveLength(1);
  expect(faults).toEqual([]);
}, 90_000);

test("a document that cannot be captured: three tries, then a placeholder and no dead job", async () => {
  renderer.captured.length = 0;
  renderer.duringCapture = () => Promise.reject(new CaptureError("took too much memory", renderer.report));
  const { artifactId } = await setup.publish(as, project);
  expect(await settled(artifactId, 1)).toEqual({ version: 1, failure: "took too much memory", taken: false });
  expect(renderer.captured).toHaveLength(3);
  expect((await queue.counts()).failed).toBe(0);
}, 90_000);
