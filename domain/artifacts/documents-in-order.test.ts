// The documents of a project in reading order: to each caller those that they can see.
import { afterAll, beforeAll, expect, test } from "bun:test";

import { treeDocuments } from "@plinth/contract/limits";
import { uuidOf } from "@plinth/db/columns";

import { createSetup, type TestPerson, type Setup } from "../test/context.ts";

let setup: Setup;
let owner: TestPerson;
let guest: TestPerson;
let project: { slug: string; projectId: string };
const slugs = new Map<string, string>();

beforeAll(async () => {
  setup = await createSetup();
  owner = await setup.person({ plan: "team" });
  guest = await setup.person({ email: "guest@example.org" });
  project = await setup.project(owner.token);
  const secret = { publicView: false, publicEdit: false, viewerEmails: ["guest@example.org"] };
  for (const [sourcePath, access] of [
    ["guide/setup.md", undefined],
    ["guide/README.md", undefined],
    ["README.md", undefined],
    ["10.md", undefined],
    ["9.md", secret],
    [undefined, undefined],
  ] as const) {
    const title = sourcePath ?? "Of no folder";
    const more = { title, ...(sourcePath && { sourcePath }), ...(access && { access }) };
    const { slug } = await setup.publish(owner.token, project.slug, more);
    slugs.set(sourcePath ?? "", slug);
  }
});
afterAll(() => setup.close());

async function paths(as?: string): Promise<string[]> {
  const input = { owner: owner.username, projectSlug: project.slug };
  const { documents } = await setup.call("project.documents", input, as === undefined ? {} : { as });
  return documents.map(({ sourcePath }) => sourcePath);
}

/** The titles of the documents before and after one; undefined where it has none. */
async function around(sourcePath: string, as?: string) {
  const slug = slugs.get(sourcePath) ?? "";
  const input = { owner: owner.username, projectSlug: project.slug, slug, withNeighbours: true };
  const { neighbours } = await setup.call("artifact.getByPath", input, as === undefined ? {} : { as });
  return neighbours && [neighbours.previous?.title, neighbours.next?.title];
}

test("the README comes first, and each caller is shown what they can see", async () => {
  const open = ["README.md", "10.md", "guide/README.md", "guide/setup.md"];
  const all = ["README.md", "9.md", ...open.slice(1)];
  expect(await paths()).toEqual(open);
  expect(await paths(guest.token)).toEqual(all);
  expect(await paths(owner.token)).toEqual(all);
});

test("a document has neighbours, those that the caller can see", async () => {
  expect(await around("README.md")).toEqual([undefined, "10.md"]);
  expect(await around("README.md", guest.token)).toEqual([undefined, "9.md"]);
  expect(await around("guide/README.md")).toEqual(["10.md", "guide/setup.md"]);
  expect(await around("guide/setup.md")).toEqual(["guide/README.md", undefined]);
  expect(await around("")).toBeUndefined();
});

test("deleted documents are left out, and it is one statement", async () => {
  const { artifactId } = await setup.publish(owner.token, project.slug, { sourcePath: "gone.md" });
  await setup.call("artifact.delete", { artifactId }, { as: owner.token });
  expect(await paths(owner.token)).not.toContain("gone.md");
  // The load and the list.
  expect(await setup.statementsOf(() => paths(owner.token))).toBe(2);
});

test("of more than a tree has, the newest are listed, and it says so", async () => {
  const large = await setup.project(owner.token);
  await setup.db.run(
    `INSERT INTO artifact (artifact_id, project_id, workspace_id, slug, type, title, latest_version, public_view, public_edit,
       viewer_emails, created_by, creator_id, source_path)
     SELECT gen_random_uuid(), $1, $2, 'd' || n, 'md', 'One of many', 1, true, false, '{}',
       '{"type": "user", "id": "x", "label": "x"}', $3, 'd' || n || '.md'
     FROM generate_series(1, $4::int) n`,
    [uuidOf("prj", large.projectId), uuidOf("wsp", owner.workspaceId), uuidOf("usr", owner.userId), treeDocuments + 1],
  );
  const { documents, isWhole } = await setup.call("project.documents", {
    owner: owner.username,
    projectSlug: large.slug,
  });
  expect([documents.length, isWhole]).toEqual([treeDocuments, false]);
});
