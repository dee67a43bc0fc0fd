// A publish that waits for another change of its artifact: it sees what that change did before it writes.
import { afterAll, expect, test } from "bun:test";

import { uuidOf } from "@plinth/db/columns";
import { holdTransaction } from "@plinth/db/test/locks";

import { createSetupWithProject, outcome } from "../test/context.ts";

const { setup, owner, project } = await createSetupWithProject();
afterAll(() => setup.close());

async function versionsOf(artifactId: string): Promise<number[]> {
  const rows = await setup.db.run<{ n: number }>(
    "SELECT version_number AS n FROM version WHERE artifact_id = $1 ORDER BY 1",
    [uuidOf("art", artifactId)],
  );
  return rows.map(({ n }) => n);
}

test("a publish that waits for the deletion of its artifact gets not_found and writes nothing", async () => {
  const { artifactId } = await setup.publish(owner.token, project);
  await holdTransaction(setup.db.url, async (held) => {
    await held.run("UPDATE artifact SET deleted_at = now() WHERE artifact_id = $1", [uuidOf("art", artifactId)]);
    const publishing = outcome(setup.call("version.create", { artifactId, content: "late" }, { as: owner.token }));
    await held.untilWaitedFor(publishing);
    await held.commit();
    expect(await publishing).toBe("not_found");
  });
  expect(await versionsOf(artifactId)).toEqual([1]);
});

test("a publish that waits for a deletion that is rolled back is done", async () => {
  const { artifactId } = await setup.publish(owner.token, project);
  await holdTransaction(setup.db.url, async (held) => {
    await held.run("UPDATE artifact SET deleted_at = now() WHERE artifact_id = $1", [uuidOf("art", artifactId)]);
    const publishing = outcome(setup.call("version.create", { artifactId, content: "kept" }, { as: owner.token }));
    await held.untilWaitedFor(publishing);
    await held.rollback();
    expect(await publishing).toBe("done");
  });
  expect(await versionsOf(artifactId)).toEqual([1, 2]);
});

test("a publish with an expected version that waits for another publish gets version_conflict", async () => {
  const { artifactId } = await setup.publish(owner.token, project);
  await holdTransaction(setup.db.url, async (held) => {
    await held.run("UPDATE artifact SET latest_version = 2 WHERE artifact_id = $1", [uuidOf("art", artifactId)]);
    await held.run(
      `INSERT INTO version (artifact_id, version_number, sha256, size_bytes, created_by)
       SELECT artifact_id, 2, sha256, size_bytes, created_by FROM version WHERE artifact_id = $1`,
      [uuidOf("art", artifactId)],
    );
    const publishing = outcome(
      setup.call("version.create", { artifactId, content: "late", expectedLatestVersion: 1 }, { as: owner.token }),
    );
    await held.untilWaitedFor(publishing);
    await held.commit();
    expect(await publishing).toBe("version_conflict");
  });
  expect(await versionsOf(artifactId)).toEqual([1, 2]);
});

test("a new version enqueues one head job for its artifact", async () => {
  const { artifactId } = await setup.publish(owner.token, project);
  const headJobs = async () =>
    (
      await setup.db.run("SELECT FROM outbox WHERE kind = 'head' AND payload = $1::text::jsonb", [
        JSON.stringify({ artifactIds: [artifactId] }),
      ])
    ).length;
  const before = await headJobs();
  await setup.call("version.create", { artifactId, content: "two" }, { as: owner.token });
  expect(await headJobs()).toBe(before + 1);
  await setup.call("version.restore", { artifactId, versionNumber: 1 }, { as: owner.token });
  expect(await headJobs()).toBe(before + 2);
});
