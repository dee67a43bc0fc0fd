// Moves a project while other requests use it: each race ends in one of its two sequential results.
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";

import { uuidOf } from "@plinth/db/columns";

import { invariants } from "../doctor/invariants.ts";
import { writeSearchDocuments } from "../jobs/search-document.ts";
import { createSetup, operatorToken, type TestPerson, type Setup } from "../test/context.ts";

let setup: Setup;
let owner: TestPerson;
let teams: { workspaceId: string; slug: string }[];
let project: Awaited<ReturnType<Setup["project"]>>;
beforeAll(async () => {
  setup = await createSetup();
});
afterAll(() => setup.close());
beforeEach(async () => {
  owner = await setup.person();
  teams = [await setup.team({ [owner.userId]: "admin" }), await setup.team({ [owner.userId]: "admin" })];
  project = await setup.project(owner.token);
});

const move = (ownerUsername = teams[0]?.slug ?? "") =>
  setup.call("project.move", { projectId: project.projectId, ownerUsername }, { as: owner.token });

const outcome = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "done",
    (error: { code: string }) => error.code,
  );

async function whole(): Promise<void> {
  for (const [name, statement] of Object.entries(invariants))
    expect([name, await setup.db.run(statement)]).toEqual([name, []]);
  const astray = await setup.db.run(
    `SELECT FROM artifact_order o JOIN artifact a ON a.artifact_id = o.artifact_id AND a.project_id = o.project_id
     WHERE o.workspace_id <> a.workspace_id`,
  );
  expect(astray).toEqual([]);
}

/** Does the works while the project is held, so that all of them wait for each other. */
async function whileHeld<Result>(works: () => Promise<Result>[]): Promise<Result[]> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: isHeld, resolve: held } = Promise.withResolvers<void>();
  const holding = setup.db.transaction(async (tx) => {
    await tx.run("SELECT FROM project WHERE project_id = $1 FOR UPDATE", [uuidOf("prj", project.projectId)]);
    held();
    await released;
  });
  await isHeld;
  const under = works();
  await Promise.race([Promise.all(under), Bun.sleep(150)]);
  release();
  await holding;
  return Promise.all(under);
}

test("of moves to two places at once each is done in its turn, and the project is in one of them with all it has", async () => {
  await setup.publish(owner.token, project.slug);
  const [first = "", second = ""] = teams.map(({ slug }) => slug);
  const outcomes = await whileHeld(() =>
    Array.from({ length: 12 }, (_, n) => outcome(move(n % 2 === 0 ? first : second))),
  );
  expect(new Set(outcomes)).toEqual(new Set(["done"]));
  const { ownerUsername } = await setup.call(
    "project.getByPath",
    { owner: owner.username, projectSlug: project.slug },
    { as: owner.token },
  );
  expect([first, second]).toContain(ownerUsername);
  await whole();
});

test("of moves to one place at once one is done, and the others find it there and write nothing", async () => {
  const outcomes = await whileHeld(() => Array.from({ length: 6 }, () => outcome(move())));
  expect(new Set(outcomes)).toEqual(new Set(["done"]));
  const events = await setup.db.run<{ before: unknown; after: unknown }>(
    "SELECT before, after FROM audit_event WHERE kind = 'project.updated' AND target_id = $1",
    [project.projectId],
  );
  const event = { before: { ownerUsername: owner.username }, after: { ownerUsername: teams[0]?.slug } };
  expect(events).toEqual([event, event]);
  const atItsOwn = await setup.db.run(
    `SELECT FROM former_address f JOIN project p ON p.project_id = f.project_id
     WHERE p.project_id = $1 AND f.workspace_id = p.workspace_id AND f.slug = p.slug`,
    [uuidOf("prj", project.projectId)],
  );
  expect(atItsOwn).toEqual([]);
});

test("two projects that change places go past each other", async () => {
  const [there] = teams;
  const other = await setup.project(owner.token, there?.slug);
  const swap = { projectId: other.projectId, ownerUsername: owner.username };
  for (let round = 0; round < 5; round++) {
    const outcomes = await Promise.all([
      outcome(move(round % 2 === 0 ? there?.slug : owner.username)),
      outcome(
        setup.call(
          "project.move",
          { ...swap, ownerUsername: round % 2 === 0 ? owner.username : (there?.slug ?? "") },
          { as: owner.token },
        ),
      ),
    ]);
    expect(outcomes).toEqual(["done", "done"]);
  }
  await whole();
});

test("what is published while it moves is in the one workspace or in the other, or was not published", async () => {
  const { artifactId } = await setup.publish(owner.token, project.slug);
  const outcomes = await whileHeld(() => [
    outcome(move()),
    ...Array.from({ length: 8 }, () => outcome(setup.publish(owner.token, project.slug))),
    ...Array.from({ length: 4 }, (_, n) =>
      outcome(setup.call("version.create", { artifactId, content: `# ${n}` }, { as: owner.token })),
    ),
    outcome(writeSearchDocuments(setup.db, [artifactId])),
  ]);
  expect(outcomes[0]).toBe("done");
  // Published at the old place; a retry is redirected to the new one.
  expect(new Set([...outcomes, "done", "not_found"])).toEqual(new Set(["done", "not_found"]));
  expect(outcomes.slice(9)).toEqual(["done", "done", "done", "done", "done"]);
  expect((await setup.publish(owner.token, project.slug)).ownerUsername).toBe(teams[0]?.slug ?? "");
  await whole();
});

test("an artifact that goes to another project while its own, or that one, moves away stays in a workspace of its project", async () => {
  for (let round = 0; round < 6; round++) {
    const away = await setup.project(owner.token);
    const stays = await setup.project(owner.token);
    const { artifactId } = await setup.publish(owner.token, round % 2 === 0 ? away.slug : stays.slug);
    const projectSlug = round % 2 === 0 ? stays.slug : away.slug;
    const outcomes = await Promise.all([
      outcome(
        setup.call(
          "project.move",
          { projectId: away.projectId, ownerUsername: teams[0]?.slug ?? "" },
          { as: owner.token },
        ),
      ),
      outcome(setup.call("artifact.patch", { artifactId, projectSlug }, { as: owner.token })),
    ]);
    expect(outcomes[0]).toBe("done");
    expect(["done", "not_found"]).toContain(outcomes[1]);
  }
  await whole();
});

test("a caller who loses the role while waiting moves nothing", async () => {
  const place = teams[0];
  const other = await setup.person();
  for (const workspaceId of [place?.workspaceId ?? "", owner.workspaceId])
    await setup.call("operator.setMember", { workspaceId, userId: other.userId, role: "admin" }, { as: operatorToken });
  const asOther = { as: other.token };
  const { projectId } = project;
  for (const workspaceId of [place?.workspaceId ?? "", owner.workspaceId]) {
    const [moved] = await whileLocked(workspaceId, other.userId, () =>
      outcome(setup.call("project.move", { projectId, ownerUsername: place?.slug ?? "" }, asOther)),
    );
    expect(["forbidden", "not_found"]).toContain(moved ?? "");
    await setup.call("operator.setMember", { workspaceId, userId: other.userId, role: "admin" }, { as: operatorToken });
  }
  expect(await outcome(setup.call("project.move", { projectId, ownerUsername: place?.slug ?? "" }, asOther))).toBe(
    "done",
  );
});

/**
 * Removes a user's role in a transaction that locks the workspace, as removing a member does, while the work waits for
 * it.
 */
async function whileLocked(workspaceId: string, userId: string, work: () => Promise<string>): Promise<string[]> {
  const { promise: isHeld, resolve: held } = Promise.withResolvers<void>();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const place = uuidOf("wsp", workspaceId);
  const holding = setup.db.transaction(async (tx) => {
    await tx.run("SELECT FROM workspace WHERE workspace_id = $1 FOR UPDATE", [place]);
    held();
    await released;
    await tx.run("DELETE FROM membership WHERE workspace_id = $1 AND user_id = $2", [place, uuidOf("usr", userId)]);
  });
  await isHeld;
  const under = work();
  const isWaiting = async () =>
    (await setup.db.run("SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"))
      .length > 0;
  while (!(await isWaiting())) await Bun.sleep(5);
  release();
  await holding;
  return [await under];
}

test("a private artifact that comes about while it moves keeps the project from a plan without any", async () => {
  const poor = await setup.person({ plan: "free" });
  await setup.call(
    "operator.setMember",
    { workspaceId: poor.workspaceId, userId: owner.userId, role: "member" },
    { as: operatorToken },
  );
  const { artifactId } = await setup.publish(owner.token, project.slug);
  const { promise: isHeld, resolve: held } = Promise.withResolvers<void>();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const holding = setup.db.transaction(async (tx) => {
    await tx.run("UPDATE artifact SET public_view = false WHERE artifact_id = $1", [uuidOf("art", artifactId)]);
    held();
    await released;
  });
  await isHeld;
  const moving = outcome(move(poor.username));
  while (
    (await setup.db.run("SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"))
      .length === 0
  )
    await Bun.sleep(5);
  release();
  await holding;
  expect(await moving).toBe("plan_required");
  await setup.db.run("UPDATE artifact SET public_view = true WHERE artifact_id = $1", [uuidOf("art", artifactId)]);
});
