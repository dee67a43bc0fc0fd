// Screenshots of older versions: captured on request, within a limit, and deleted when no reader uses them.
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";

import { uuidOf } from "@plinth/db/columns";

import { runJob, type JobHost } from "../jobs/run.ts";
import { purge } from "../retention/purge.ts";
import { createSetup, type TestPerson, type Setup } from "../test/context.ts";
import { closeThreads } from "../threads/pool.ts";
import { CaptureError } from "./renderer.ts";
import type { ThumbnailDocument } from "./show.ts";
import { testRenderer, webp, type TestRenderer } from "./test/renderer.ts";
import { maxPerHour } from "./version-screenshots.ts";

let setup: Setup;
let owner: TestPerson;
let project: string;
let renderer: TestRenderer;
let host: JobHost;
beforeAll(async () => {
  setup = await createSetup();
});
beforeEach(async () => {
  owner = await setup.person();
  project = (await setup.project(owner.token)).slug;
  renderer = testRenderer();
  host = { db: setup.db, config: setup.instance.config, billing: null, renderer };
});
afterAll(async () => {
  await closeThreads();
  await setup.close();
});

/** With so many versions. */
async function publish(versions: number): Promise<string> {
  const { artifactId } = await setup.publish(owner.token, project);
  for (let number = 2; number <= versions; number++)
    await setup.call("version.create", { artifactId, content: `# ${number}\n` }, { as: owner.token });
  await setup.db.run("DELETE FROM outbox");
  return artifactId;
}

async function show(artifactId: string, version?: number, size?: 600 | 1200): Promise<ThumbnailDocument> {
  const wanted = { artifactId, ...(version === undefined ? {} : { version }), ...(size === undefined ? {} : { size }) };
  return (await setup.answer("artifact.thumbnail", wanted, { as: owner.token })).value as ThumbnailDocument;
}

interface RequestedVersion {
  readonly artifactId: string;
  readonly versionNumber: number;
}

/** Deletes the jobs from the outbox, and returns their versions. */
const takeRequested = async () =>
  (
    await setup.db.run<{ payload: RequestedVersion }>(
      "DELETE FROM outbox WHERE kind = 'version-picture' RETURNING payload",
    )
  ).map(({ payload }) => payload);

async function runRequested(isLastTry = true): Promise<number> {
  const jobs = await takeRequested();
  for (const job of jobs) await runJob(host, "version-picture", job, "job", isLastTry);
  return jobs.length;
}

const update = (artifactId: string, set: string) =>
  setup.db.run(`UPDATE version_picture SET ${set} WHERE artifact_id = $1`, [uuidOf("art", artifactId)]);
const rows = async (artifactId: string) =>
  (
    await setup.db.run<{ n: number }>("SELECT version_number AS n FROM version_picture WHERE artifact_id = $1", [
      uuidOf("art", artifactId),
    ])
  ).map(({ n }) => n);

test("a request for an older version's screenshot: one capture, in both sizes", async () => {
  const artifactId = await publish(3);
  expect((await show(artifactId, 2)).state).toBe("pending");
  expect((await show(artifactId, 2)).state).toBe("pending");
  const jobs = await takeRequested();
  expect(jobs).toEqual([{ artifactId, versionNumber: 2 }]);
  for (const job of [...jobs, ...jobs]) await runJob(host, "version-picture", job, "job", true);
  expect(renderer.captured).toHaveLength(1);
  expect(renderer.captured[0]?.html).toContain(`id="2"`);
  expect(await show(artifactId, 2)).toMatchObject({ state: "ready", body: Buffer.from(webp(1)) });
  expect(await show(artifactId, 2, 600)).toMatchObject({ state: "ready", body: Buffer.from(webp(1.5)) });
  expect(await takeRequested()).toEqual([]);
});

test("the latest version by its number: the same screenshot as without a number, and no request", async () => {
  const artifactId = await publish(2);
  expect(await show(artifactId, 2)).toEqual(await show(artifactId));
  await runJob(host, "thumbnail", { artifactId }, "job", true);
  const head = await show(artifactId);
  expect(head.state).toBe("ready");
  expect(await show(artifactId, 2)).toEqual(head);
  expect(await takeRequested()).toEqual([]);
});

test("a version that does not exist is not found, and a pruned one is expired", async () => {
  const artifactId = await publish(2);
  expect(show(artifactId, 3)).rejects.toMatchObject({ code: "not_found" });
  await setup.db.run("UPDATE version SET pruned_at = now() WHERE artifact_id = $1 AND version_number = 1", [
    uuidOf("art", artifactId),
  ]);
  expect(show(artifactId, 1)).rejects.toMatchObject({ code: "version_expired" });
  expect(await takeRequested()).toEqual([]);
});

test("a version that is pruned during its capture: the screenshot is not stored", async () => {
  const artifactId = await publish(2);
  await show(artifactId, 1);
  renderer.duringCapture = async () => {
    await setup.db.run("UPDATE version SET pruned_at = now() WHERE artifact_id = $1 AND version_number = 1", [
      uuidOf("art", artifactId),
    ]);
  };
  expect(await runRequested()).toBe(1);
  expect(renderer.captured).toHaveLength(1);
  const kept = await setup.db.run<object>("SELECT taken_at, large FROM version_picture WHERE artifact_id = $1", [
    uuidOf("art", artifactId),
  ]);
  expect(kept).toEqual([{ taken_at: null, large: null }]);
});

test("the hourly limit of one workspace does not limit another one", async () => {
  const artifactId = await publish(maxPerHour + 3);
  for (let version = 1; version <= maxPerHour + 2; version++) await show(artifactId, version);
  expect(await takeRequested()).toHaveLength(maxPerHour);
  expect((await show(artifactId, maxPerHour + 2)).state).toBe("pending");
  await update(artifactId, "requested_at = now() - interval '2 hours'");
  await show(artifactId, maxPerHour + 2);
  expect(await takeRequested()).toEqual([{ artifactId, versionNumber: maxPerHour + 2 }]);

  owner = await setup.person();
  project = (await setup.project(owner.token)).slug;
  await show(await publish(2), 1);
  expect(await takeRequested()).toHaveLength(1);
});

test("a failed capture has a placeholder for a day, and a request without a result is repeated after ten minutes", async () => {
  const artifactId = await publish(2);
  renderer.duringCapture = () => Promise.reject(new CaptureError("crashed", { errors: [], console: [] }));
  await show(artifactId, 1);
  expect(runRequested(false)).rejects.toThrow("crashed");
  await update(artifactId, "requested_at = now() - interval '11 minutes'");
  await show(artifactId, 1);
  expect(await runRequested()).toBe(1);
  expect((await show(artifactId, 1)).state).toBe("placeholder");
  await purge(setup.db, "req");
  expect(await rows(artifactId)).toEqual([1]);
  await update(artifactId, "taken_at = now() - interval '25 hours'");
  await purge(setup.db, "req");
  expect(await rows(artifactId)).toEqual([]);
});

test("a screenshot without a reader for a week is deleted, and a read one stays", async () => {
  const artifactId = await publish(3);
  for (const version of [1, 2]) await show(artifactId, version);
  expect(await runRequested()).toBe(2);
  await update(artifactId, "asked_at = now() - interval '8 days'");
  await show(artifactId, 2);
  await purge(setup.db, "req");
  expect(await rows(artifactId)).toEqual([2]);
});

test("an instance without a browser shows a placeholder", async () => {
  const artifactId = await publish(2);
  host = { ...host, renderer: null };
  await show(artifactId, 1);
  await runRequested();
  expect((await show(artifactId, 1)).state).toBe("placeholder");
});
