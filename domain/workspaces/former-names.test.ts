// A former name of a workspace leads to it, and no other name does.
import { afterAll, beforeAll, expect, test } from "bun:test";

import { uuidOf } from "@plinth/db/columns";

import { createWorld, type World } from "../test/context.ts";

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

test("an artifact is found under a former name of its owner, and under an unknown name there is nothing", async () => {
  const owner = await world.person();
  const { slug: projectSlug } = await world.project(owner.token);
  const { artifactId, slug } = await world.publish(owner.token, projectSlug);
  await world.db.run("INSERT INTO former_name (slug, workspace_id) VALUES ('former-name', $1)", [
    uuidOf("wsp", owner.workspaceId),
  ]);
  const at = { projectSlug, slug };
  expect(await world.call("artifact.getByPath", { owner: "former-name", ...at })).toMatchObject({ artifactId });
  expect((await world.refusal("artifact.getByPath", { owner: "unknown-name", ...at })).code).toBe("not_found");
  expect((await world.refusal("project.getByPath", { owner: "unknown-name", projectSlug })).code).toBe("not_found");
});
