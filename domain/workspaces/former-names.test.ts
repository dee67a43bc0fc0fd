// A former name of a workspace leads to it, and no other name does.
import { afterAll, beforeAll, expect, test } from "bun:test";

import { uuidOf } from "@plinth/db/columns";

import { createSetup, type Setup } from "../test/context.ts";

let setup: Setup;
beforeAll(async () => {
  setup = await createSetup();
});
afterAll(() => setup.close());

test("an artifact is found under a former name of its owner, and under an unknown name there is nothing", async () => {
  const owner = await setup.person();
  const { slug: projectSlug } = await setup.project(owner.token);
  const { artifactId, slug } = await setup.publish(owner.token, projectSlug);
  await setup.db.run("INSERT INTO former_name (slug, workspace_id) VALUES ('former-name', $1)", [
    uuidOf("wsp", owner.workspaceId),
  ]);
  const at = { projectSlug, slug };
  expect(await setup.call("artifact.getByPath", { owner: "former-name", ...at })).toMatchObject({ artifactId });
  expect((await setup.refusal("artifact.getByPath", { owner: "unknown-name", ...at })).code).toBe("not_found");
  expect((await setup.refusal("project.getByPath", { owner: "unknown-name", projectSlug })).code).toBe("not_found");
});
