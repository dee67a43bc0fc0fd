// Changes of artifacts and projects that wait for another one: the second one sees what the first one did.
import { afterAll, beforeAll, expect, test } from "bun:test";

import { uuidOf } from "@plinth/db/columns";
import { holdTransaction } from "@plinth/db/test/locks";

import { createSetup, type TestPerson, type Setup, outcome } from "../test/context.ts";

let setup: Setup;
let owner: TestPerson;
beforeAll(async () => {
  setup = await createSetup();
  owner = await setup.person();
});
afterAll(() => setup.close());

const asOwner = () => ({ as: owner.token });

async function published() {
  const project = await setup.project(owner.token);
  const { artifactId } = await setup.publish(owner.token, project.slug);
  return { artifactId, id: uuidOf("art", artifactId), project, projectId: uuidOf("prj", project.projectId) };
}

const deleteArtifact = "UPDATE artifact SET deleted_at = now() WHERE artifact_id = $1";

/** What a call comes to that waits for the statements of another transaction. */
const afterWaiting = (statements: readonly (readonly [string, string])[], call: () => Promise<unknown>) =>
  holdTransaction(setup.db.url, async (held) => {
    for (const [statement, id] of statements) await held.run(statement, [id]);
    const calling = outcome(call());
    await held.untilWaitedFor(calling);
    await held.commit();
    return calling;
  });

test("two deletions of one artifact: the second one waits, gets not_found and records no event", async () => {
  const { artifactId, id } = await published();
  const deleting = () => setup.call("artifact.delete", { artifactId }, asOwner());
  expect(await afterWaiting([[deleteArtifact, id]], deleting)).toBe("not_found");
  const events = await setup.db.run("SELECT FROM audit_event WHERE kind = 'artifact.deleted' AND target_id = $1", [
    artifactId,
  ]);
  expect(events).toHaveLength(0);
});

test("a change of an artifact that waits for its deletion gets not_found", async () => {
  const { artifactId, id } = await published();
  const patching = () => setup.call("artifact.patch", { artifactId, title: "Late" }, asOwner());
  expect(await afterWaiting([[deleteArtifact, id]], patching)).toBe("not_found");
});

test("a change of an artifact whose statement is cancelled is no conflict of slugs", async () => {
  const { artifactId, id } = await published();
  const cancel = `SELECT pg_cancel_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pg_backend_pid() = ANY (pg_blocking_pids(pid))`;
  const cancelled = await holdTransaction(setup.db.url, async (held) => {
    await held.run("SELECT FROM artifact WHERE artifact_id = $1 FOR UPDATE", [id]);
    const calling = outcome(setup.call("artifact.patch", { artifactId, title: "Late" }, asOwner()));
    await held.untilWaitedFor(calling);
    await held.run(cancel);
    return calling;
  });
  expect(cancelled).toBe("unavailable");
});

test("a change of an artifact that waits for another change records what that one left", async () => {
  const { artifactId, id } = await published();
  const retitle = "UPDATE artifact SET title = 'First' WHERE artifact_id = $1";
  const patching = () => setup.call("artifact.patch", { artifactId, title: "Second" }, asOwner());
  expect(await afterWaiting([[retitle, id]], patching)).toBe("done");
  const [event] = await setup.db.run<{ before: { title?: string } }>(
    "SELECT before FROM audit_event WHERE kind = 'artifact.updated' AND target_id = $1 ORDER BY event_id DESC LIMIT 1",
    [artifactId],
  );
  expect(event?.before.title).toBe("First");
});

const lockProject = "SELECT FROM project WHERE project_id = $1 FOR UPDATE";
const deleteProject = "UPDATE project SET deleted_at = now() WHERE project_id = $1";

test("a publish that waits for the deletion of its project gets not_found", async () => {
  const project = await setup.project(owner.token);
  const id = uuidOf("prj", project.projectId);
  const publishing = () => setup.publish(owner.token, project.slug);
  const held = [
    [lockProject, id],
    [deleteProject, id],
  ] as const;
  expect(await afterWaiting(held, publishing)).toBe("not_found");
  expect(await setup.db.run("SELECT FROM artifact WHERE project_id = $1", [id])).toHaveLength(0);
});

test("two deletions of one project: the second one waits and gets not_found", async () => {
  const { projectId } = await setup.project(owner.token);
  const id = uuidOf("prj", projectId);
  const deleting = () => setup.call("project.delete", { projectId }, asOwner());
  expect(await afterWaiting([[deleteProject, id]], deleting)).toBe("not_found");
});

test("the deletion of a project that waits for a publish into it gets project_not_empty", async () => {
  const { project, projectId, id, artifactId } = await published();
  await setup.call("artifact.delete", { artifactId }, asOwner());
  const deleting = () => setup.call("project.delete", { projectId: project.projectId }, asOwner());
  const held = [
    ["SELECT FROM project WHERE project_id = $1 FOR KEY SHARE", projectId],
    ["UPDATE artifact SET deleted_at = NULL WHERE artifact_id = $1", id],
  ] as const;
  expect(await afterWaiting(held, deleting)).toBe("project_not_empty");
});
