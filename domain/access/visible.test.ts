// Lists of a held key omit other workspaces. lists-agree.test.ts shows that lists and `decide` agree.
import { afterAll, beforeAll, expect, test } from "bun:test";

import { scopes } from "@plinth/contract/scopes";

import { createSetup, type Setup } from "../test/context.ts";

let setup: Setup;
beforeAll(async () => {
  setup = await createSetup();
});
afterAll(() => setup.close());

test("a list of the caller's own omits workspaces that the key is not held to", async () => {
  const caller = await setup.person();
  const team = await setup.team({ [caller.userId]: "admin" });
  const own = await setup.project(caller.token);
  const shared = await setup.project(caller.token, team.slug);
  await setup.publish(caller.token, own.slug, { access: { publicView: false, publicEdit: false } });
  const inTeam = await setup.publish(caller.token, shared.slug, {
    ownerUsername: team.slug,
    access: { publicView: false, publicEdit: false },
  });
  const held = await setup.key(caller.userId, scopes, team.workspaceId);
  const mine = await setup.call("artifact.listMine", {}, { as: held });
  expect(mine.artifacts.map(({ artifactId }) => artifactId)).toEqual([inTeam.artifactId]);
  const projects = await setup.call("project.listMine", {}, { as: held });
  expect(projects.projects.map(({ projectId }) => projectId)).toEqual([shared.projectId]);
});
