// Lists and `decide` say the same, in worlds made at random.
import { afterAll, beforeAll, expect, test } from "bun:test";
import * as fc from "fast-check";

import { workspaceRoles } from "@plinth/contract/roles";
import { scopes } from "@plinth/contract/scopes";
import { newId } from "@plinth/db/columns";
import { artifact, project } from "@plinth/db/schema/artifacts";
import { inArray } from "drizzle-orm";

import { tokenHash } from "../credentials/token.ts";
import { createWorld, type World } from "../testing.ts";
import { decideArtifact, decideProject } from "./decide.ts";
import type { Principal } from "./principal.ts";
import { visibleArtifacts } from "./visible.ts";
import { uuidOf } from "@plinth/db/columns";

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

/** Roles in two workspaces, what the key is held to, and what stands in which of them. */
const worlds = fc.record({
  roles: fc.tuple(fc.constantFrom(null, ...workspaceRoles), fc.constantFrom(null, ...workspaceRoles)),
  heldTo: fc.constantFrom(null, 0, 1),
  artifacts: fc.array(
    fc.record({
      place: fc.constantFrom(0, 1),
      publicView: fc.boolean(),
      publicEdit: fc.boolean(),
      deleted: fc.boolean(),
      mine: fc.boolean(),
    }),
    { minLength: 1, maxLength: 8 },
  ),
});

test("what a list shows is what `decide` lets the caller read, and each is read or missing alike", async () => {
  const maker = await world.person();
  const check = fc.asyncProperty(worlds, async ({ roles, heldTo, artifacts }) => {
    const caller = await world.person();
    const teams = await Promise.all(roles.map((role) => world.team(role === null ? {} : { [caller.userId]: role })));
    const projects = teams.map(({ workspaceId }) => {
      const projectId = newId("prj");
      return { projectId, workspaceId, slug: "p", title: "P", icon: "p" };
    });
    await world.db.orm.insert(project).values(projects);
    const rows = artifacts.map(({ place, deleted, mine, publicView, publicEdit }, index) => ({
      artifactId: newId("art"),
      projectId: projects[place]?.projectId ?? "",
      workspaceId: projects[place]?.workspaceId ?? "",
      slug: `a-${index}`,
      type: "md" as const,
      title: "A",
      latestVersion: 1,
      publicView,
      publicEdit: publicView && publicEdit,
      viewerEmails: [],
      createdBy: { type: "user" as const, id: "x", label: "x" },
      creatorId: mine ? caller.userId : maker.userId,
      deletedAt: deleted ? new Date() : null,
    }));
    await world.db.orm.insert(artifact).values(rows);
    const artifactIds = rows.map((row) => row.artifactId);
    // A key is only ever minted for a workspace of its creator's, whose membership may end later.
    const token = await world.key(caller.userId);
    const hash = tokenHash(token);
    if (heldTo !== null) {
      await world.db.run("UPDATE credential SET workspace_id = $1 WHERE hash = decode($2, 'hex')", [
        uuidOf("wsp", teams[heldTo]?.workspaceId ?? ""),
        hash,
      ]);
    }

    const anonymous: Principal = { type: "anonymous", address: "192.0.2.1" };
    const { person } = await world.instance.load("nothing", { hash });
    if (person === null) throw new Error("the key was not found");
    for (const principal of [anonymous, person]) {
      const listed = await world.db.orm
        .select({ artifactId: artifact.artifactId })
        .from(artifact)
        .where(visibleArtifacts({ principal, grants: [] }));
      const shown = new Set(listed.map((row) => row.artifactId));
      const manner = principal === person ? { as: token } : {};
      for (const artifactId of artifactIds) {
        const loaded = await world.instance.load("artifact", { artifact: uuidOf("art", artifactId) });
        if (loaded.artifact === null) throw new Error("the artifact was not found");
        const decision = decideArtifact(principal, "read", loaded.artifact);
        expect(decision).toBe(shown.has(artifactId) ? "allow" : "hide");
        const got = await world.answer("artifact.get", { artifactId }, manner).catch((error: Error) => error.message);
        expect(typeof got === "string").toBe(!shown.has(artifactId));
      }
      for (const { projectId } of projects) {
        const loaded = await world.instance.load("project", { project: uuidOf("prj", projectId) });
        if (loaded.project === null) throw new Error("the project was not found");
        const inIt = await world.db.orm
          .select({ artifactId: artifact.artifactId })
          .from(artifact)
          .where(visibleArtifacts({ principal, grants: [] }));
        const sees = decideProject(principal, "see", loaded.project) === "allow";
        const ids = rows.filter((row) => row.projectId === projectId).map((row) => row.artifactId);
        if (inIt.some((row) => ids.includes(row.artifactId))) expect(sees).toBe(true);
      }
    }
    await world.db.orm.delete(artifact).where(inArray(artifact.artifactId, artifactIds));
  });
  await fc.assert(check, { numRuns: 60 });
});

test("a list of one's own leaves out what the key is not held to", async () => {
  const caller = await world.person();
  const team = await world.team({ [caller.userId]: "admin" });
  const own = await world.project(caller.token);
  const shared = await world.project(caller.token, team.slug);
  await world.publish(caller.token, own.slug, { access: { publicView: false, publicEdit: false } });
  const inTeam = await world.publish(caller.token, shared.slug, {
    ownerUsername: team.slug,
    access: { publicView: false, publicEdit: false },
  });
  const held = await world.key(caller.userId, scopes, team.workspaceId);
  const mine = await world.call("artifact.listMine", {}, { as: held });
  expect(mine.artifacts.map(({ artifactId }) => artifactId)).toEqual([inTeam.artifactId]);
  const projects = await world.call("project.listMine", {}, { as: held });
  expect(projects.projects.map(({ projectId }) => projectId)).toEqual([shared.projectId]);
});
