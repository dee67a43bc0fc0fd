import { afterAll, beforeAll, expect, test } from "bun:test";

import { createSetup, type TestPerson, type Setup } from "../test/context.ts";

let setup: Setup;
let owner: TestPerson;
let project: string;
beforeAll(async () => {
  setup = await createSetup({ maxContentBytes: 2 * 1024 * 1024 });
  owner = await setup.person();
  project = (await setup.project(owner.token)).slug;
});
afterAll(() => setup.close());

async function previewOf(type: "md" | "html" | "jsx", content: string) {
  const { artifactId, url } = await setup.publish(owner.token, project, { type, content });
  const preview = await setup.call("artifact.preview", { artifactId }, { as: owner.token });
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
  const { artifactId } = await setup.publish(owner.token, project, { access });
  const stranger = await setup.person();
  expect((await setup.refusal("artifact.preview", { artifactId }, { as: stranger.token })).code).toBe("not_found");
});
