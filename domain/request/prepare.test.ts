// The stage before the transaction: an uploaded text is read once, and a replay needs nothing that was there.
import { afterAll, describe, expect, test } from "bun:test";

import type { Input } from "@plinth/contract/registry";

import { hashOfText } from "../storage/pack.ts";
import { createSetupWithProject, type Manner } from "../test/context.ts";
import { closeThreads, placesLoad } from "../threads/pool.ts";
import { occupy } from "../threads/test/work.ts";

const { setup, owner, project } = await createSetupWithProject();
afterAll(() => setup.close());
const as = owner.token;

async function upload(text: string): Promise<string> {
  const sha256 = hashOfText(text);
  await setup.call("file.upload", { sha256 }, { as, file: new TextEncoder().encode(text) });
  return sha256;
}

describe("a text that was uploaded", () => {
  const manners: Record<string, Manner> = { "at once": {}, "in a dry run": { dryRun: true } };

  test.each(Object.entries(manners))("is read by one statement %s", async (_, manner) => {
    const contentSha256 = await upload("# Uploaded");
    const { artifactId } = await setup.publish(as, project);
    const publish = (text: Partial<Input<"version.create">>) =>
      setup.statementsOf(() => setup.call("version.create", { artifactId, ...text }, { as, ...manner }));
    expect(await publish({ contentSha256 })).toBe((await publish({ content: "# Sent" })) + 1);
  });

  test("is read by one statement with an Idempotency-Key, and its publish is replayed when it is gone", async () => {
    const contentSha256 = await upload("# Uploaded once");
    const { artifactId } = await setup.publish(as, project);
    const publish = (text: Partial<Input<"version.create">>, idempotencyKey: string) =>
      setup.answer("version.create", { artifactId, ...text }, { as, idempotencyKey });
    const uploaded = await setup.statementsOf(() => publish({ contentSha256 }, "uploaded"));
    expect(uploaded).toBe((await setup.statementsOf(() => publish({ content: "# Sent" }, "sent"))) + 1);
    await setup.db.run("DELETE FROM workspace_file WHERE sha256 = decode($1, 'hex')", [contentSha256]);
    expect(await publish({ contentSha256 }, "uploaded")).toMatchObject({ replayed: true, value: { versionNumber: 2 } });
    const refused = publish({ contentSha256 }, "another").catch((error: { code: string }) => error.code);
    expect(await refused).toBe("invalid_request");
  });
});

test("an edit with an Idempotency-Key is replayed, though its text lacks now what was replaced", async () => {
  const { artifactId } = await setup.publish(as, project, { content: "# One" });
  const edit = (idempotencyKey: string) =>
    setup.answer("version.edit", { artifactId, edits: [{ oldText: "One", newText: "Two" }] }, { as, idempotencyKey });
  expect(await edit("edit")).toMatchObject({ replayed: false, value: { versionNumber: 2 } });
  expect(await edit("edit")).toMatchObject({ replayed: true, value: { versionNumber: 2 } });
  expect(await edit("edit-again").catch((error: { code: string }) => error.code)).toBe("invalid_request");
});

test("a publish at an address that waited for a compiler looks again at what is there", async () => {
  const content = "export default () => 1";
  const jsx = { type: "jsx" as const, content };
  const { artifactId, slug } = await setup.publish(as, project, jsx);
  const release = await occupy(owner.workspaceId);
  const input = { owner: owner.username, projectSlug: project, slug, ...jsx, title: "T", content: `${content} + 1` };
  const putting = setup.call("artifact.put", input, { as });
  while (placesLoad().waiting === 0) await Bun.sleep(5);
  await setup.call("artifact.delete", { artifactId }, { as });
  // A decision is valid for 250 ms.
  await Bun.sleep(300);
  await release();
  const put = await putting;
  expect(put).toMatchObject({ created: true, slug, latestVersion: 1 });
  expect(put.artifactId).not.toBe(artifactId);
  await closeThreads();
}, 60_000);
