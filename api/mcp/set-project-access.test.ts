// `set_artifact_access` with a project: what would change, what changed, and the person's consent before anything becomes public.
import { textOf } from "@plinth/support/mcp-text";
import { afterAll, expect, test } from "bun:test";

import { createMcpService, problemOf } from "./test/messages.ts";

const { service, mcp, owner, as } = await createMcpService();
const { setup } = service;
afterAll(() => service.close());

const set = (given: Record<string, unknown>) => mcp.call("set_artifact_access", given, { as });

test("says what would change with the links that work, then changes it, by id, owner/project and URL", async () => {
  const { projectId, slug, url } = await setup.project(as);
  const name = `${owner.username}/${slug}`;
  const { artifactId, url: shared } = await setup.publish(as, slug);
  await setup.publish(as, slug);
  await setup.publish(as, slug, { access: { publicView: false, publicEdit: false } });
  await setup.call("shareLink.create", { artifactId, role: "viewer" }, { as });
  const wouldChange =
    `${url}: 2 artifacts would change, 1 would stay as they are. Working share links open 1 of those that would change:\n` +
    `- ${shared} · 1 share link`;
  for (const named of [projectId, name, url])
    expect(textOf(await set({ projectId: named, publicView: false, dryRun: true }))).toBe(wouldChange);
  expect(textOf(await set({ projectId: name, publicView: false }))).toBe(
    wouldChange.replaceAll("would change", "changed").replace("would stay", "stayed"),
  );
  expect(textOf(await set({ projectId, publicView: false }))).toBe(
    `${url}: 0 artifacts changed, 3 stayed as they are. Working share links open 0 of those that changed.`,
  );
  expect((await setup.call("access.get", { artifactId }, { as })).publicView).toBe(false);
});

test("one artifact can be tried too, and both at once are refused", async () => {
  const { projectId, slug } = await setup.project(as);
  const { artifactId, url } = await setup.publish(as, slug);
  expect(textOf(await set({ artifactId, publicView: false, dryRun: true }))).toBe(
    `${url} would be changed, and nothing is written: it is private: its workspace can view it.`,
  );
  expect((await setup.call("access.get", { artifactId }, { as })).publicView).toBe(true);
  expect(problemOf(await set({ artifactId, projectId, publicView: false }))).toMatchObject({
    errors: [{ path: "projectId", message: "cannot be sent together with artifactId" }],
  });
  expect(problemOf(await set({ projectId, viewerEmails: ["nobody"] }))).toMatchObject({
    errors: [{ path: "viewerEmails.0" }],
  });
  expect(problemOf(await set({ publicView: false }))).toMatchObject({ errors: [{ path: "artifactId" }] });
});
