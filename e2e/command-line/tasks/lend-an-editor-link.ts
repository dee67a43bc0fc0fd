// Give a colleague without an account a link that can edit for a day, and revoke it.
import { expect } from "bun:test";

import { createArtifact } from "../../harness/people.ts";
import { line } from "./agent.ts";
import { contentOf, type TaskContext } from "./task-context.ts";

interface ShareLink {
  readonly shareLinkId: string;
  readonly url: string;
  readonly expiresAt: string;
}

export async function lendAnEditorLink(context: TaskContext): Promise<void> {
  const { agent, owner, projectSlug } = context;
  const { artifactId } = await createArtifact(owner, projectSlug, { access: { publicView: false, publicEdit: false } });

  const vague = await agent.fails(line`share create ${artifactId} --role editor --expires soon`);
  // Examples show what is taken.
  expect(vague.detail).toMatch(/--expires .* 2030-01-31, .*friday, 7d/);
  const expires = new Date(Date.now() + 24 * 3600 * 1000).toISOString();
  const shared = line`share create ${artifactId} --role editor --label Kim --expires ${expires}`;
  const link = await agent.done<ShareLink>(shared);
  expect(link.expiresAt).toBe(expires);

  // The colleague has only the URL and what it says about itself.
  const colleague = context.stranger({ SERVICE_SHARE_TOKEN: link.url });
  const opened = await colleague.done<{ artifactId: string }>(line`share resolve`);
  const page = await context.file("page.md", "# By Kim\n");
  const update = line`artifact update ${opened.artifactId} --file ${page}`;
  expect(await colleague.done(update)).toMatchObject({ versionNumber: 2, createdBy: { label: "Kim" } });

  const { shareLinks } = await agent.done<{ shareLinks: ShareLink[] }>(line`share list ${artifactId}`);
  await agent.text(line`share revoke ${shareLinks[0]?.shareLinkId ?? ""}`);
  await context.file("page.md", "# By Kim, too late\n");
  const late = await colleague.fails(update);
  expect([3, 4]).toContain(late.exitCode);
  expect(late.hint).toContain("SERVICE_SHARE_TOKEN");

  expect(await contentOf(context, artifactId)).toBe("# By Kim\n");
  const links = (await owner.client.call("shareLink.list", { artifactId })).shareLinks;
  expect(links).toMatchObject([{ role: "editor", revokedAt: expect.any(String) }]);
}
