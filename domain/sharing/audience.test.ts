// Whom an artifact reaches, said over the real tables: members, allowlist and open links, and nothing of the artifact of others.
import { afterAll, expect, test } from "bun:test";

import { createSetupWithProject } from "../test/context.ts";

const { setup, owner, project } = await createSetupWithProject();
afterAll(() => setup.close());

const closed = { publicView: false, publicEdit: false };
const audience = (artifactId: string) => setup.call("access.audience", { artifactId }, { as: owner.token });

test("says whom the workspace, the allowlist and open links let in", async () => {
  const access = { ...closed, viewerEmails: ["a@example.org", "b@example.org"] };
  const { artifactId } = await setup.publish(owner.token, project, { access });
  expect(await audience(artifactId)).toEqual({
    access,
    see: "3 people can see this",
    edit: "1 person can edit this",
    reach: {
      see: { anyone: false, people: 3, morePeople: false, links: 0, moreLinks: false },
      edit: { anyone: false, people: 1, morePeople: false, links: 0, moreLinks: false },
    },
    shareLinks: [],
    moreLinks: false,
  });
  const { shareLinkId } = await setup.call("shareLink.create", { artifactId, role: "editor" }, { as: owner.token });
  expect(await audience(artifactId)).toMatchObject({
    see: "3 people and anyone with the link can see this",
    edit: "1 person and anyone with the edit link can edit this",
    shareLinks: [{ role: "editor", expiresAt: null, revokedAt: null }],
  });
  await setup.call("shareLink.revoke", { shareLinkId }, { as: owner.token });
  expect(await audience(artifactId)).toMatchObject({ see: "3 people can see this" });
});

test("more than a hundred members or links are said to be more", async () => {
  const { artifactId } = await setup.publish(owner.token, project, { access: closed });
  await setup.db.run(
    `INSERT INTO share_link (share_link_id, artifact_id, hash, role, created_by)
     SELECT gen_random_uuid(), artifact_id, sha256(gen_random_uuid()::text::bytea), 'viewer', '{}'
     FROM artifact, generate_series(1, 101) WHERE slug = $1`,
    [(await setup.call("artifact.get", { artifactId }, { as: owner.token })).slug],
  );
  expect((await audience(artifactId)).see).toBe("1 person and anyone with one of its many active links can see this");
});

test("an artifact and a workspace are named by their address as well as by their identifier", async () => {
  const { artifactId, slug } = await setup.publish(owner.token, project, { access: closed });
  expect(await audience(`${owner.username}/${project}/${slug}`)).toEqual(await audience(artifactId));
  const read = async (named: string) =>
    (await setup.answer("version.content", { artifactId: named }, { as: owner.token })).value;
  expect(await read(`${owner.username}/${project}/${slug}`)).toEqual(await read(artifactId));
  const listed = (workspaceId: string, as?: string) =>
    setup.answer("member.list", { workspaceId }, as === undefined ? {} : { as });
  expect((await listed(owner.username, owner.token)).value).toEqual(
    (await listed(owner.workspaceId, owner.token)).value,
  );
  const stranger = await setup.person();
  for (const workspaceId of [owner.username, owner.workspaceId, "nobody-at-all", "wsp_malformed", ""])
    expect((await setup.refusal("member.list", { workspaceId }, { as: stranger.token })).code).toBe("not_found");
});
