// What a held key leaves out of lists. That lists and `decide` say the same is shown by lists-agree.test.ts.
import { afterAll, beforeAll, expect, test } from "bun:test";

import { scopes } from "@plinth/contract/scopes";

import { createWorld, type World } from "../test/context.ts";

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

test("a list of the caller's own omits workspaces that the key is not held to", async () => {
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
