import { afterAll, beforeAll, expect, test } from "bun:test";

import { createWorld, type TestPerson, type World } from "../test/context.ts";

let world: World;
let owner: TestPerson;
let project: string;
beforeAll(async () => {
  world = await createWorld({ maxContentBytes: 2 * 1024 * 1024 });
  owner = await world.person();
  project = (await world.project(owner.token)).slug;
});
afterAll(() => world.close());

async function previewOf(type: "md" | "html" | "jsx", content: string) {
  const { artifactId, url } = await world.publish(owner.token, project, { type, content });
  const preview = await world.call("artifact.preview", { artifactId }, { as: owner.token });
  expect(preview).toMatchObject({ artifactId, versionNumber: 1, url: `${url}?v=1` });
  return preview;
}

test("preview: each type is shown as a document", async () => {
  for (const [type, content] of [
    ["md", "# Title"],
    ["html", "<h1>Title</h1>"],
    ["jsx", "export default () => <h1>Title</h1>;"],
  ] as const)
    expect(await previewOf(type, content)).toMatchObject({ shownAs: "document", errors: [] });
});

test("preview: a hidden artifact is not found", async () => {
  const access = { publicView: false, publicEdit: false };
  const { artifactId } = await world.publish(owner.token, project, { access });
  const stranger = await world.person();
  expect((await world.refusal("artifact.preview", { artifactId }, { as: stranger.token })).code).toBe("not_found");
});
