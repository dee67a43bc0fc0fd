// Lists of projects: of all workspaces one belongs to, or of the one that is named.
import { afterAll, beforeAll, expect, test } from "bun:test";

import { createWorld, type World } from "../testing.ts";

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

test("projects of one's own are those of the account or team that is named, and of another's there are none", async () => {
  const ada = await world.person();
  const grace = await world.person();
  const team = await world.team({ [ada.userId]: "viewer", [grace.userId]: "admin" });
  const own = await world.project(ada.token);
  const shared = await world.project(grace.token, team.slug);
  await world.project(grace.token);
  const listed = async (owner?: string) => {
    const { projects } = await world.call("project.listMine", owner === undefined ? {} : { owner }, { as: ada.token });
    return projects.map(({ projectId }) => projectId);
  };
  expect(await listed()).toEqual([shared.projectId, own.projectId]);
  expect(await listed(ada.username)).toEqual([own.projectId]);
  expect(await listed(team.slug)).toEqual([shared.projectId]);
  expect(await listed(grace.username)).toEqual([]);
  expect(await listed("nobody-of-this-name")).toEqual([]);
});
