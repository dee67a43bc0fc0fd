// The end of what can't come back: artifacts deleted long ago, and what is past its day.
import { afterAll, expect, test } from "bun:test";

import { uuidOf } from "@plinth/db/columns";

import { createSetupWithProject } from "../test/context.ts";
import { pruneVersions } from "./prune-versions.ts";
import { purge } from "./purge.ts";
import { violations, isStored, prunedOf, waitsOr } from "./test/old-artifacts.ts";
import { noDeadline } from "./deadline.ts";

const { setup, owner, project } = await createSetupWithProject();
afterAll(() => setup.close());

async function deleted(content: string, days = 31): Promise<string> {
  const { artifactId } = await setup.publish(owner.token, project, { content });
  await setup.call("artifact.delete", { artifactId }, { as: owner.token });
  await setup.db.run("UPDATE artifact SET deleted_at = now() - make_interval(days => $2) WHERE artifact_id = $1", [
    uuidOf("art", artifactId),
    days,
  ]);
  return artifactId;
}

test("purging ends artifacts deleted more than 30 days ago, with their versions and texts, audited", async () => {
  const gone = await deleted("only theirs");
  const recent = await deleted("still to be had", 29);
  await purge(setup.db, "purge-request");
  const left = await setup.db.run("SELECT 1 FROM version WHERE artifact_id = $1", [uuidOf("art", gone)]);
  expect(left).toHaveLength(0);
  expect(await isStored(setup, "only theirs")).toBe(false);
  expect(await isStored(setup, "still to be had")).toBe(true);
  await setup.call("artifact.undelete", { artifactId: recent }, { as: owner.token });
  const events = await setup.db.run("SELECT kind, actor, target_id FROM audit_event WHERE request_id = $1", [
    "purge-request",
  ]);
  expect(events).toEqual([
    { kind: "artifact.purged", actor: { type: "system", id: "system", label: "Plinth" }, target_id: gone },
  ]);
  const [before] = await setup.db.run<{ rows: number }>("SELECT count(*)::int AS rows FROM audit_event");
  await purge(setup.db, "again");
  expect(await setup.count("audit_event")).toBe(before?.rows ?? 0);
});

test("a text that something else still has stays, one that only tombstones have goes", async () => {
  await deleted("shared");
  await deleted("in a tombstone");
  const kept = await setup.publish(owner.token, project, { content: "shared" });
  const other = await setup.publish(owner.token, project, { content: "in a tombstone" });
  await setup.call("version.create", { artifactId: other.artifactId, content: "now" }, { as: owner.token });
  await pruneVersions(setup.db, new Date(Date.now() + 730 * 86_400_000), "pruned", noDeadline);
  await purge(setup.db, "shared");
  expect(await isStored(setup, "shared")).toBe(true);
  expect(await isStored(setup, "in a tombstone")).toBe(false);
  await setup.answer("version.content", { artifactId: kept.artifactId });
});

test("a text that is being published again while it is purged is there afterwards", async () => {
  const content = "gone and come again";
  await deleted(content);
  const access = { publicView: true, publicEdit: false };
  const input = { projectSlug: project, slug: "again", type: "md", title: "T", content, access };
  let purging = Promise.resolve<unknown>(undefined);
  await setup.db.transaction(async (db) => {
    // The statement has run and found the text in the store; other transactions do not see its writes yet.
    await setup.answerOf({ ...setup.instance, db }, "artifact.create", input, { as: owner.token });
    purging = Promise.all([purge(setup.db, "racing"), purge(setup.db, "racing")]);
    await waitsOr(setup, purging);
  });
  await purging;
  expect(await isStored(setup, content)).toBe(true);
  expect(await violations(setup)).toEqual([]);
});

test("one with many versions loses them first, and no purge is told of each", async () => {
  const { artifactId } = await setup.publish(owner.token, project, { content: "many: the first" });
  for (let n = 2; n <= 4; n++)
    await setup.call("version.create", { artifactId, content: `many: ${n}` }, { as: owner.token });
  await setup.db.run(
    `WITH added AS (
       INSERT INTO version (artifact_id, version_number, sha256, size_bytes, created_by, created_at)
       SELECT $1, n, v.sha256, v.size_bytes, v.created_by, now() - interval '40 days'
       FROM version v, generate_series(5, 250) n WHERE v.artifact_id = $1 AND v.version_number = 4
     ) UPDATE artifact SET latest_version = 250, deleted_at = now() - interval '31 days' WHERE artifact_id = $1`,
    [uuidOf("art", artifactId)],
  );
  let asked = 0;
  expect(await purge(setup.db, "many", { hasPassed: () => asked++ > 0 })).toBe(false);
  expect(await prunedOf(setup, artifactId)).toHaveLength(100);
  expect(await violations(setup)).toEqual([]);
  expect(await purge(setup.db, "many")).toBe(true);
  expect(await prunedOf(setup, artifactId)).toEqual([]);
  const events = await setup.db.run("SELECT kind, target_id FROM audit_event WHERE request_id = 'many'");
  expect([...events]).toEqual([{ kind: "artifact.purged", target_id: artifactId }]);
  expect(await isStored(setup, "many: the first")).toBe(false);
  expect(await isStored(setup, "many: 4")).toBe(false);
  expect(await violations(setup)).toEqual([]);
});

test("idempotency records go after their day", async () => {
  const manner = { as: owner.token, idempotencyKey: "purged" };
  await setup.call("project.create", { slug: setup.name("project"), title: "P", icon: "p" }, manner);
  await purge(setup.db, "r");
  expect(await setup.count("idempotency")).toBe(1);
  await setup.db.run("UPDATE idempotency SET created_at = now() - interval '25 hours'");
  await purge(setup.db, "r");
  expect(await setup.count("idempotency")).toBe(0);
});

test("sessions and sign-in links go when they are past their time, with where they were", async () => {
  const { userId } = await setup.person();
  await setup.session(userId);
  await setup.session(userId);
  const sessions = async () =>
    (await setup.db.run("SELECT 1 FROM session WHERE user_id = $1", [uuidOf("usr", userId)])).length;
  await setup.db.run(
    "UPDATE session SET expires_at = now() WHERE id = (SELECT min(id::text)::uuid FROM session WHERE user_id = $1)",
    [uuidOf("usr", userId)],
  );
  for (const hours of [-1, 1]) {
    await setup.db.run(
      "INSERT INTO sign_in_link (hash, user_id, expires_at) VALUES ($1, $2, now() + make_interval(hours => $3))",
      [Buffer.from(String(hours)), uuidOf("usr", userId), hours],
    );
  }
  await setup.db.run(
    `INSERT INTO email_sign_in (id, email, expires_at)
     SELECT gen_random_uuid(), hours || '@example.org', now() + make_interval(hours => hours) FROM unnest(ARRAY[-1, 1]) hours`,
  );
  await purge(setup.db, "r");
  expect([...(await setup.db.run("SELECT email FROM email_sign_in"))]).toEqual([{ email: "1@example.org" }]);
  expect(await sessions()).toBe(1);
  expect([...(await setup.db.run("SELECT convert_from(hash, 'UTF8') AS hours FROM sign_in_link"))]).toEqual([
    { hours: "1" },
  ]);
});

test("events that Stripe sent go after thirty days, whether they were applied or not", async () => {
  for (const [id, days] of [
    ["evt_old", 31],
    ["evt_older_and_waiting", 400],
    ["evt_young", 29],
  ] as const)
    await setup.db.run(
      `INSERT INTO stripe_event (event_id, type, customer_id, received_at, applied_at)
       VALUES ($1, 'invoice.paid', 'cus_1', now() - make_interval(days => $2), CASE WHEN $2 = 31 THEN now() END)`,
      [id, days],
    );
  await purge(setup.db, "r");
  expect([...(await setup.db.run("SELECT event_id FROM stripe_event"))]).toEqual([{ event_id: "evt_young" }]);
});
