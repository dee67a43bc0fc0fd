// Pictures of older versions: taken when somebody looks, within a bound, and gone when nobody does.
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";

import { uuidOf } from "@plinth/db/columns";

import { runJob, type JobHost } from "../jobs/run.ts";
import { purge } from "../retention/purge.ts";
import { createWorld, type TestPerson, type World } from "../test/context.ts";
import { closeThreads } from "../threads/pool.ts";
import { PaintFailure } from "./painter.ts";
import type { ThumbnailDocument } from "./show.ts";
import { testPainter, webp, type TestPainter } from "./test/renderer.ts";
import { mostAnHour } from "./version-pictures.ts";

let world: World;
let owner: TestPerson;
let project: string;
let painter: TestPainter;
let host: JobHost;
beforeAll(async () => {
  world = await createWorld();
});
beforeEach(async () => {
  owner = await world.person();
  project = (await world.project(owner.token)).slug;
  painter = testPainter();
  host = { db: world.db, config: world.instance.config, billing: null, painter };
});
afterAll(async () => {
  await closeThreads();
  await world.close();
});

/** With so many versions. */
async function publish(versions: number): Promise<string> {
  const { artifactId } = await world.publish(owner.token, project);
  for (let number = 2; number <= versions; number++)
    await world.call("version.create", { artifactId, content: `# ${number}\n` }, { as: owner.token });
  await world.db.run("DELETE FROM outbox");
  return artifactId;
}

async function look(artifactId: string, version?: number, size?: 600 | 1200): Promise<ThumbnailDocument> {
  const wanted = { artifactId, ...(version === undefined ? {} : { version }), ...(size === undefined ? {} : { size }) };
  return (await world.answer("artifact.thumbnail", wanted, { as: owner.token })).value as ThumbnailDocument;
}

interface Asked {
  readonly artifactId: string;
  readonly versionNumber: number;
}

/** What jobs are to take; takes them out. */
const asked = async () =>
  (await world.db.run<{ payload: Asked }>("DELETE FROM outbox WHERE kind = 'version-picture' RETURNING payload")).map(
    ({ payload }) => payload,
  );

async function taken(isLastTry = true): Promise<number> {
  const jobs = await asked();
  for (const job of jobs) await runJob(host, "version-picture", job, "job", isLastTry);
  return jobs.length;
}

const changed = (artifactId: string, set: string) =>
  world.db.run(`UPDATE version_picture SET ${set} WHERE artifact_id = $1`, [uuidOf("art", artifactId)]);
const rows = async (artifactId: string) =>
  (
    await world.db.run<{ n: number }>("SELECT version_number AS n FROM version_picture WHERE artifact_id = $1", [
      uuidOf("art", artifactId),
    ])
  ).map(({ n }) => n);

test("whoever looks for an older version's picture has it taken, once, in both sizes", async () => {
  const artifactId = await publish(3);
  expect((await look(artifactId, 2)).state).toBe("pending");
  expect((await look(artifactId, 2)).state).toBe("pending");
  const jobs = await asked();
  expect(jobs).toEqual([{ artifactId, versionNumber: 2 }]);
  for (const job of [...jobs, ...jobs]) await runJob(host, "version-picture", job, "job", true);
  expect(painter.painted).toHaveLength(1);
  expect(painter.painted[0]?.html).toContain(`id="2"`);
  expect(await look(artifactId, 2)).toMatchObject({ state: "ready", body: Buffer.from(webp(1)) });
  expect(await look(artifactId, 2, 600)).toMatchObject({ state: "ready", body: Buffer.from(webp(1.5)) });
  expect(await asked()).toEqual([]);
});

test("the head by its number is the same picture as without one, and nothing is asked for", async () => {
  const artifactId = await publish(2);
  expect(await look(artifactId, 2)).toEqual(await look(artifactId));
  await runJob(host, "thumbnail", { artifactId }, "job", true);
  const head = await look(artifactId);
  expect(head.state).toBe("ready");
  expect(await look(artifactId, 2)).toEqual(head);
  expect(await asked()).toEqual([]);
});

test("a version that there isn't is not found, and one past its retention says so", async () => {
  const artifactId = await publish(2);
  expect(look(artifactId, 3)).rejects.toMatchObject({ code: "not_found" });
  await world.db.run("UPDATE version SET pruned_at = now() WHERE artifact_id = $1 AND version_number = 1", [
    uuidOf("art", artifactId),
  ]);
  expect(look(artifactId, 1)).rejects.toMatchObject({ code: "version_expired" });
  expect(await asked()).toEqual([]);
});

test("a picture is not kept where its version's content was removed while it was taken", async () => {
  const artifactId = await publish(2);
  await look(artifactId, 1);
  painter.meanwhile = async () => {
    await world.db.run("UPDATE version SET pruned_at = now() WHERE artifact_id = $1 AND version_number = 1", [
      uuidOf("art", artifactId),
    ]);
  };
  expect(await taken()).toBe(1);
  expect(painter.painted).toHaveLength(1);
  const kept = await world.db.run<object>("SELECT taken_at, large FROM version_picture WHERE artifact_id = $1", [
    uuidOf("art", artifactId),
  ]);
  expect(kept).toEqual([{ taken_at: null, large: null }]);
});

test("an hour has room for so many of a workspace, and another's are as before", async () => {
  const artifactId = await publish(mostAnHour + 3);
  for (let version = 1; version <= mostAnHour + 2; version++) await look(artifactId, version);
  expect(await asked()).toHaveLength(mostAnHour);
  expect((await look(artifactId, mostAnHour + 2)).state).toBe("pending");
  await changed(artifactId, "requested_at = now() - interval '2 hours'");
  await look(artifactId, mostAnHour + 2);
  expect(await asked()).toEqual([{ artifactId, versionNumber: mostAnHour + 2 }]);

  owner = await world.person();
  project = (await world.project(owner.token)).slug;
  await look(await publish(2), 1);
  expect(await asked()).toHaveLength(1);
});

test("what can't be painted has a placeholder, is tried again after a day, and what never came after ten minutes", async () => {
  const artifactId = await publish(2);
  painter.meanwhile = () => Promise.reject(new PaintFailure("crashed", { errors: [], console: [] }));
  await look(artifactId, 1);
  expect(taken(false)).rejects.toThrow("crashed");
  await changed(artifactId, "requested_at = now() - interval '11 minutes'");
  await look(artifactId, 1);
  expect(await taken()).toBe(1);
  expect((await look(artifactId, 1)).state).toBe("placeholder");
  await purge(world.db, "req");
  expect(await rows(artifactId)).toEqual([1]);
  await changed(artifactId, "taken_at = now() - interval '25 hours'");
  await purge(world.db, "req");
  expect(await rows(artifactId)).toEqual([]);
});

test("a picture that nobody has looked for in a week goes; looking keeps it", async () => {
  const artifactId = await publish(3);
  for (const version of [1, 2]) await look(artifactId, version);
  expect(await taken()).toBe(2);
  await changed(artifactId, "asked_at = now() - interval '8 days'");
  await look(artifactId, 2);
  await purge(world.db, "req");
  expect(await rows(artifactId)).toEqual([2]);
});

test("an instance without a browser says that there is no picture", async () => {
  const artifactId = await publish(2);
  host = { ...host, painter: null };
  await look(artifactId, 1);
  await taken();
  expect((await look(artifactId, 1)).state).toBe("placeholder");
});
