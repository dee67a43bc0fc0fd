// Publish a page that contains a key: nothing is sent, the error names the place, and without the key the page is
// published.
import { expect } from "bun:test";

import { line } from "./agent.ts";
import { contentOf, type TaskContext } from "./task-context.ts";

// Joined here, so that secret scanners do not find it in this file.
const key = ["ghp", "q7RmZ2vXc9LbT4kWfN8sHj3PdY6gUaE1oKtx"].join("_");

export async function keepASecretIn(context: TaskContext): Promise<void> {
  const { agent, owner, projectSlug } = context;
  const page = ["# How to deploy", "", `    export GITHUB_TOKEN=${key}`, ""];
  const push = line`push --project-slug ${projectSlug} ${await context.file("deploy.md", page.join("\n"))}`;

  const refused = await agent.fails(push);
  expect(refused).toMatchObject({ code: "usage", exitCode: 2 });
  expect(JSON.stringify(refused)).not.toContain(key);
  expect((await owner.client.call("artifact.listMine", {})).artifacts).toEqual([]);

  const { line: row = 0, column = 0 } = refused.errors?.[0] ?? {};
  const found = page[row - 1] ?? "";
  expect(found.slice(column - 1)).toBe(key);
  page[row - 1] = `${found.slice(0, column - 1)}…`;
  await context.file("deploy.md", page.join("\n"));

  // The request and its effect are visible before anything is sent.
  const { request } = await agent.done<{ request: { body: { access: object } } }>([...push, "--dry-run"]);
  expect(request.body.access).toEqual({ publicView: true, publicEdit: false });
  expect(await agent.done([...push, "--check"])).toMatchObject({ action: "created", dryRun: true });
  expect((await owner.client.call("artifact.listMine", {})).artifacts).toEqual([]);

  const { artifact } = await agent.done<{ artifact: { artifactId: string } }>(push);
  expect(await contentOf(context, artifact.artifactId)).not.toContain(key);
}
