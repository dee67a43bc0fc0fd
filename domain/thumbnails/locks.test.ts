// Screenshots that are claimed and stored while their artifact is deleted or purged, or another worker has the claim.
import { afterAll, expect, test } from "bun:test";

import { uuidOf } from "@plinth/db/columns";
import { holdTransaction } from "@plinth/db/test/locks";

import { screenshotKey } from "../queue/turns-of-workspaces.ts";
import { createSetupWithProject } from "../test/context.ts";
import { claimScreenshot, storeScreenshot, type CaptureResult } from "./claim.ts";
import { requestScreenshots } from "./request.ts";
import { claimVersion, storeVersion } from "./version-screenshots.ts";
import { storePlaceholders } from "./without-browser.ts";

const { setup, owner, project } = await createSetupWithProject();
afterAll(() => setup.close());

async function published() {
  const { artifactId } = await setup.publish(owner.token, project);
  return { artifactId, id: uuidOf("art", artifactId) };
}
const result: CaptureResult = {
  versionNumber: 1,
  rendererVersion: 1,
  large: new Uint8Array([1]),
  small: new Uint8Array([2]),
  failure: null,
  report: null,
};

/** In the order of deletion and purge: the lock first. */
const remove = [
  "SELECT FROM artifact WHERE artifact_id = $1 FOR UPDATE",
  "DELETE FROM artifact WHERE artifact_id = $1",
];

async function afterWaiting<Result>(
  statements: readonly string[],
  parameters: readonly unknown[],
  work: () => Promise<Result>,
): Promise<Result> {
  return holdTransaction(setup.db.url, async (held) => {
    for (const statement of statements) await held.run(statement, parameters);
    const working = work();
    await held.untilWaitedFor(working);
    await held.commit();
    return working;
  });
}

test("a claim that waits for the purge of its artifact gets nothing", async () => {
  const { id } = await published();
  expect(await afterWaiting(remove, [id], () => claimScreenshot(setup.db, id, 1))).toBeNull();
});

test("two claims of one artifact: the second one waits and gets nothing", async () => {
  const { id } = await published();
  const first = `INSERT INTO thumbnail (artifact_id, version_number, painter, claimed_until)
    VALUES ($1, 0, 1, now() + interval '20 seconds')`;
  expect(await afterWaiting([first], [id], () => claimScreenshot(setup.db, id, 1))).toBeNull();
});

test("a screenshot that waits for the purge of its artifact is not stored", async () => {
  const { id } = await published();
  const claim = await claimScreenshot(setup.db, id, 1);
  if (claim === null) throw new Error("there is no claim");
  await afterWaiting(remove, [id], () => storeScreenshot(setup.db, claim, result));
  expect(await setup.db.run("SELECT FROM thumbnail WHERE artifact_id = $1", [id])).toHaveLength(0);
});

test("a screenshot whose claim passes to another worker while it waits is not stored", async () => {
  const { id } = await published();
  const claim = await claimScreenshot(setup.db, id, 1);
  if (claim === null) throw new Error("there is no claim");
  const pass = "UPDATE thumbnail SET claimed_until = now() + interval '40 seconds' WHERE artifact_id = $1";
  await afterWaiting([pass], [id], () => storeScreenshot(setup.db, claim, result));
  const [row] = await setup.db.run<{ kept: boolean }>(
    "SELECT large IS NOT NULL AS kept FROM thumbnail WHERE artifact_id = $1",
    [id],
  );
  expect(row?.kept).toBe(false);
});

test("two claims of one version: the second one waits and gets nothing", async () => {
  const { id } = await published();
  await setup.db.run("INSERT INTO version_picture (artifact_id, version_number) VALUES ($1, 1)", [id]);
  const first = "UPDATE version_picture SET claimed_until = now() + interval '20 seconds' WHERE artifact_id = $1";
  expect(await afterWaiting([first], [id], () => claimVersion(setup.db, id, 1))).toBeNull();
});

test("an artifact that is purged while it is marked as without a browser has no row", async () => {
  const { artifactId, id } = await published();
  await afterWaiting(remove, [id], () => storePlaceholders(setup.db, [artifactId]));
  expect(await setup.db.run("SELECT FROM thumbnail WHERE artifact_id = $1", [id])).toHaveLength(0);
});

/** Purging locks the artifact and, by cascade, its versions before its screenshots. */
for (const [name, claimIt, store] of [
  ["the latest version", (id: string) => claimScreenshot(setup.db, id, 1), storeScreenshot],
  ["an older version", (id: string) => claimVersion(setup.db, id, 1), storeVersion],
] as const)
  test(`storing a screenshot of ${name} locks the artifact first: no deadlock with its purge`, async () => {
    const { id } = await published();
    await setup.db.run("INSERT INTO version_picture (artifact_id, version_number) VALUES ($1, 1)", [id]);
    const claim = await claimIt(id);
    if (claim === null) throw new Error("there is no claim");
    await holdTransaction(setup.db.url, async (held) => {
      await held.run("SELECT FROM artifact WHERE artifact_id = $1 FOR UPDATE", [id]);
      await held.run("SELECT FROM version WHERE artifact_id = $1 FOR UPDATE", [id]);
      const report = { errors: [], console: [] };
      const working = store(setup.db, claim, { ...result, report }).then(
        () => "done",
        (error: Error) => error.message,
      );
      await held.untilWaitedFor(working);
      await held.run("DELETE FROM artifact WHERE artifact_id = $1", [id]);
      await held.commit();
      expect(await working).toBe("done");
    });
    expect(await setup.db.run("SELECT FROM page_report WHERE artifact_id = $1", [id])).toHaveLength(0);
  });

test("requesting screenshots locks keys in one order: no deadlock with another request", async () => {
  const made = [await published(), await published()].toSorted((a, b) => (a.artifactId < b.artifactId ? -1 : 1));
  const [first, second] = made.map(({ artifactId }) => artifactId);
  if (first === undefined || second === undefined) throw new Error("there are no artifacts");
  const insert = `INSERT INTO outbox (job_id, kind, payload, dedupe_key, workspace_id)
    VALUES (gen_random_uuid(), 'thumbnail', '{}', $1, $2)`;
  const workspace = uuidOf("wsp", owner.workspaceId);
  await holdTransaction(setup.db.url, async (held) => {
    await held.run(insert, [screenshotKey(first), workspace]);
    const requesting = requestScreenshots(setup.db, [second, first]).then(
      (accepted) => accepted.size,
      (error: Error) => error.message,
    );
    await held.untilWaitedFor(requesting);
    // If the request had inserted the second key already, this would wait for it and PostgreSQL would end one of the two.
    await held.run(insert, [screenshotKey(second), workspace]);
    await held.commit();
    expect(await requesting).toBe(0);
  });
});
