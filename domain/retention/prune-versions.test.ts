// The content of versions past their plan's days goes: of the oldest first, of no head, of none that is being restored.
import { afterAll, beforeAll, expect, test } from "bun:test";

import { retentionNoticeDays } from "@plinth/contract/plans";
import { uuidOf } from "@plinth/db/columns";
import type { Database } from "@plinth/db/connection";

import { keptUntil } from "../plans/days.ts";
import { createSetup, operatorToken, type TestPerson, type Setup } from "../test/context.ts";
import { pruneVersions } from "./prune-versions.ts";
import { daysAgo, violations, isStored, prunedOf, publishOld, waitsOr } from "./test/old-artifacts.ts";
import { noDeadline } from "./deadline.ts";

let setup: Setup;
let owner: TestPerson;
let project: string;
beforeAll(async () => {
  setup = await createSetup();
  owner = await setup.person({ plan: "free" });
  project = (await setup.project(owner.token)).slug;
});
afterAll(() => setup.close());

const run = (db: Database = setup.db, requestId = "retention") => pruneVersions(db, new Date(), requestId, noDeadline);

const events = (requestId: string) =>
  setup.db.run<{ target_id: string; before: { versionNumber: number; throughVersion?: number } }>(
    "SELECT target_id, before FROM audit_event WHERE kind = 'version.pruned' AND request_id = $1 ORDER BY event_id",
    [requestId],
  );

const free = { plan: "free", planKept: null, planKeptUntil: null } as const;

/** Free: 30 days. What came next is what counts. */
const ages = [100, 60, 31, 20, 10];

test("a version goes when its days since the next one are over, and says when it will", async () => {
  const artifactId = await publishOld(setup, owner, project, ages);
  const before = (await setup.call("version.list", { artifactId })).versions;
  await run(setup.db, "first");
  expect(await prunedOf(setup, artifactId)).toEqual([1, 2]);
  const after = (await setup.call("version.list", { artifactId })).versions;
  expect(after.map(({ expiresAt, prunedAt }) => [expiresAt !== null, prunedAt !== undefined])).toEqual([
    [false, false],
    [true, false],
    [true, false],
    [false, true],
    [false, true],
  ]);
  expect(after[1]?.expiresAt).toBe(keptUntil(free, new Date(after[0]?.createdAt ?? "")).toISOString());
  expect(before.filter(({ expiresAt }) => expiresAt !== null && Date.parse(expiresAt) <= Date.now())).toHaveLength(2);
  expect([...(await events("first"))]).toEqual([
    { target_id: artifactId, before: { versionNumber: 1, throughVersion: 2 } },
  ]);
  await run(setup.db, "again");
  expect(await events("again")).toHaveLength(0);
  expect(await violations(setup)).toEqual([]);
});

test("not a moment before", async () => {
  const artifactId = await publishOld(setup, owner, project, [50, 20]);
  const [, first] = (await setup.call("version.list", { artifactId })).versions;
  const end = Date.parse(first?.expiresAt ?? "");
  await pruneVersions(setup.db, new Date(end - 1), "early", noDeadline);
  expect(await prunedOf(setup, artifactId)).toEqual([]);
  await pruneVersions(setup.db, new Date(end + 1), "due", noDeadline);
  expect(await prunedOf(setup, artifactId)).toEqual([1]);
});

test("the head stays however old it is, and what is published later is kept from then on", async () => {
  const artifactId = await publishOld(setup, owner, project, [900, 800]);
  await run();
  expect(await prunedOf(setup, artifactId)).toEqual([1]);
  await setup.answer("version.content", { artifactId });
  await setup.call("version.create", { artifactId, content: "three" }, { as: owner.token });
  await run();
  expect(await prunedOf(setup, artifactId)).toEqual([1]);
  expect(await violations(setup)).toEqual([]);
});

test("a longer plan in time saves a version, a shorter one takes it when its notice is over", async () => {
  const person = await setup.person({ plan: "free" });
  const { slug } = await setup.project(person.token);
  const artifactId = await publishOld(setup, person, slug, ages);
  const take = async (plan: "free" | "pro", inDays = 0) => {
    await setup.call("operator.setPlan", { workspaceId: person.workspaceId, plan }, { as: operatorToken });
    await pruneVersions(setup.db, daysAgo(-inDays), "retention", noDeadline);
    return prunedOf(setup, artifactId);
  };
  expect(await take("pro")).toEqual([]);
  expect(await take("free")).toEqual([]);
  expect(await take("free", retentionNoticeDays)).toEqual([1, 2]);
  expect(await take("pro")).toEqual([1, 2]);
});

test("many are taken a few at a time, and each is in one event", async () => {
  const artifactId = await publishOld(setup, owner, project, [200, 199]);
  const uuid = uuidOf("art", artifactId);
  await setup.db.run(
    `WITH added AS (
       INSERT INTO version (artifact_id, version_number, sha256, size_bytes, created_by, created_at)
       SELECT $1, n, v.sha256, v.size_bytes, v.created_by, v.created_at + n * interval '1 second'
       FROM version v, generate_series(3, 450) n WHERE v.artifact_id = $1 AND v.version_number = 2
     ) UPDATE artifact SET latest_version = 450 WHERE artifact_id = $1`,
    [uuid],
  );
  await run(setup.db, "many");
  expect(await prunedOf(setup, artifactId)).toEqual(Array.from({ length: 449 }, (_, index) => index + 1));
  const taken = (await events("many")).map(({ before }) => [before.versionNumber, before.throughVersion]);
  expect(taken).toEqual([
    [1, 100],
    [101, 200],
    [201, 300],
    [301, 400],
    [401, 449],
  ]);
});

test("large texts are taken a few at a time as well", async () => {
  const artifactId = await publishOld(setup, owner, project, [200, 199, 198, 197, 100]);
  const grow = "UPDATE version SET size_bytes = size_bytes + $2 WHERE artifact_id = $1";
  const nineMegabytes = 9 * 1024 * 1024;
  await setup.db.run(grow, [uuidOf("art", artifactId), nineMegabytes]);
  await run(setup.db, "large");
  await setup.db.run(grow, [uuidOf("art", artifactId), -nineMegabytes]);
  expect((await events("large")).map(({ before }) => before.versionNumber)).toEqual([1, 2, 3, 4]);
});

test("deletes the thumbnail's report with the version, and the versions of a deleted artifact", async () => {
  const artifactId = await publishOld(setup, owner, project, ages);
  const other = (await setup.publish(owner.token, project)).artifactId;
  for (const [of, number] of [
    [artifactId, 1],
    [artifactId, 4],
    [other, 1],
  ] as const)
    await setup.db.run("INSERT INTO page_report (artifact_id, version_number, report) VALUES ($1, $2, '{}')", [
      uuidOf("art", of),
      number,
    ]);
  await setup.call("artifact.delete", { artifactId }, { as: owner.token });
  await run();
  expect(await prunedOf(setup, artifactId)).toEqual([1, 2]);
  const reports = await setup.db.run<object>("SELECT artifact_id, version_number FROM page_report ORDER BY 2");
  expect(reports).toEqual([
    { artifact_id: uuidOf("art", other), version_number: 1 },
    { artifact_id: uuidOf("art", artifactId), version_number: 4 },
  ]);
  await setup.call("artifact.undelete", { artifactId }, { as: owner.token });
});

test("one that is being restored stays, and so does what comes after it, until the next run", async () => {
  const artifactId = await publishOld(setup, owner, project, [100, 90, 80, 70], (n) => `being restored ${n}`);
  await setup.db.transaction(async (db) => {
    await setup.answerOf(
      { ...setup.instance, db },
      "version.restore",
      { artifactId, versionNumber: 2 },
      { as: owner.token },
    );
    // The artifact is being changed: all of it is left alone, and nothing waits.
    await run();
    expect(await prunedOf(setup, artifactId)).toEqual([]);
  });
  await setup.db.transaction(async (db) => {
    await db.run("SELECT 1 FROM version WHERE artifact_id = $1 AND version_number = 2 FOR SHARE", [
      uuidOf("art", artifactId),
    ]);
    await run();
    expect(await prunedOf(setup, artifactId)).toEqual([1]);
  });
  expect(await violations(setup)).toEqual([]);
  await run();
  expect(await prunedOf(setup, artifactId)).toEqual([1, 2, 3]);
  expect(await isStored(setup, "being restored 2")).toBe(true);
  expect(await isStored(setup, "being restored 3")).toBe(false);
  const { bytes } = (await setup.answer("version.content", { artifactId })).value as { bytes: Uint8Array };
  expect(new TextDecoder().decode(bytes)).toBe("being restored 2");
});

test("a restore that comes while its version is taken waits, and finds it gone", async () => {
  const artifactId = await publishOld(setup, owner, project, [100, 90]);
  let refused = Promise.resolve<unknown>(undefined);
  await setup.db.transaction(async (db) => {
    await run(db);
    const restoring = setup.refusal("version.restore", { artifactId, versionNumber: 1 }, { as: owner.token });
    refused = restoring;
    await waitsOr(setup, restoring);
  });
  expect(await refused).toMatchObject({ code: "version_expired" });
  expect(await violations(setup)).toEqual([]);
});

test("a version published while others are taken is known to the artifact", async () => {
  const artifactId = await publishOld(setup, owner, project, [100, 90, 80]);
  let publishing = Promise.resolve<unknown>(undefined);
  await setup.db.transaction(async (db) => {
    await run(db);
    publishing = setup.call("version.create", { artifactId, content: "meanwhile" }, { as: owner.token });
    await waitsOr(setup, publishing);
  });
  await publishing;
  expect(await prunedOf(setup, artifactId)).toEqual([1, 2]);
  expect(await violations(setup)).toEqual([]);
});

test("several runs at once share the work", async () => {
  const made = await Promise.all(Array.from({ length: 30 }, () => publishOld(setup, owner, project, [90, 80, 70])));
  await Promise.all([run(setup.db, "shared"), run(setup.db, "shared"), run(setup.db, "shared")]);
  await run(setup.db, "shared");
  expect(await Promise.all(made.map((artifactId) => prunedOf(setup, artifactId)))).toEqual(made.map(() => [1, 2]));
  expect((await events("shared")).map(({ target_id }) => target_id).toSorted()).toEqual(made.toSorted());
  expect(await violations(setup)).toEqual([]);
});

test("interrupted anywhere, it leaves nothing by halves, and the next run goes on", async () => {
  const made = await Promise.all(Array.from({ length: 4 }, () => publishOld(setup, owner, project, [90, 80, 70])));
  const statements = await setup.statementsOf(() => setup.db.transaction((db) => interrupted(run(db))));
  expect(statements).toBeGreaterThan(5);
  for (let after = 0; after < statements; after++) {
    await interrupted(run(failing(setup.db, after)));
    expect(await violations(setup)).toEqual([]);
  }
  await run();
  expect(await Promise.all(made.map((artifactId) => prunedOf(setup, artifactId)))).toEqual(made.map(() => [1, 2]));
});

test("pruning stops between two batches when its deadline has passed", async () => {
  const person = await setup.person({ plan: "free" });
  const artifactId = await publishOld(setup, person, (await setup.project(person.token)).slug, ages);
  expect(await pruneVersions(setup.db, new Date(), "over", { hasPassed: () => true })).toBe(false);
  expect(await prunedOf(setup, artifactId)).toEqual([]);
  expect(await pruneVersions(setup.db, new Date(), "over", noDeadline)).toBe(true);
  expect(await prunedOf(setup, artifactId)).toEqual([1, 2]);
});

/** The work, and then what a crash leaves of it. */
const interrupted = (work: Promise<unknown>): Promise<void> =>
  work.then(
    () => undefined,
    (error: unknown) => {
      if (!(error instanceof Error) || error.message !== "interrupted") throw error;
    },
  );

/** The database, until so many statements have been sent to it. */
function failing(db: Database, after: number, sent = { count: 0 }): Database {
  return {
    ...db,
    get orm() {
      return db.orm;
    },
    run: (statement, parameters) => {
      if (sent.count++ >= after) throw new Error("interrupted");
      return db.run(statement, parameters);
    },
    transaction: (work) => db.transaction((tx) => work(failing(tx, after, sent))),
  };
}
