// The artifact count of a project: the artifacts that the caller may see, counted up to a limit.
import { afterAll, beforeAll, expect, test } from "bun:test";

import { countedArtifacts } from "@plinth/contract/limits";
import { uuidOf } from "@plinth/db/columns";

import { createSetup, type TestPerson, type Setup } from "../test/context.ts";

let setup: Setup;
let owner: TestPerson;
let project: { slug: string; projectId: string };
beforeAll(async () => {
  setup = await createSetup();
  owner = await setup.person();
  project = await setup.project(owner.token);
});
afterAll(() => setup.close());

/** Adds this many artifacts, every second one public; those with a viewer in the allowlist are private. */
const add = (count: number, viewers: readonly string[] = []) =>
  setup.db.run(
    `INSERT INTO artifact (artifact_id, project_id, workspace_id, slug, type, title, latest_version, public_view, public_edit,
       viewer_emails, created_by, creator_id)
     SELECT gen_random_uuid(), $1, $2, gen_random_uuid()::text, 'md', 'Counted', 1, $5 = '[]' AND n % 2 = 0, false,
       ARRAY(SELECT json_array_elements_text($5::text::json)), '{"type": "user", "id": "x", "label": "x"}', $3
     FROM generate_series(1, $4::int) n`,
    [
      uuidOf("prj", project.projectId),
      uuidOf("wsp", owner.workspaceId),
      uuidOf("usr", owner.userId),
      count,
      JSON.stringify(viewers),
    ],
  );

const countFor = async (as?: string) =>
  (await setup.call("project.getByPath", { owner: owner.username, projectSlug: project.slug }, as ? { as } : {}))
    .artifactCount;

test("what one may see is counted, to the limit, and no further", async () => {
  const guest = await setup.person({ email: "guest@example.org" });
  await add(countedArtifacts - 12);
  await add(10, ["guest@example.org"]);
  const half = countedArtifacts / 2 - 6;
  expect(await countFor(owner.token)).toBe(countedArtifacts - 2);
  expect(await countFor(guest.token)).toBe(half + 10);
  expect(await countFor()).toBe(half);
  await add(countedArtifacts * 2);
  for (const as of [owner.token, guest.token, undefined]) expect(await countFor(as)).toBe(countedArtifacts);
  const { projects } = await setup.call("project.listMine", {}, { as: owner.token });
  expect(projects).toMatchObject([{ artifactCount: countedArtifacts }]);
});
