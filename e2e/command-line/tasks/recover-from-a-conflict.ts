// Publish after another writer has published a new version, using only what the error says.
import { expect } from "bun:test";

import { createArtifact } from "../../harness/people.ts";
import { line } from "./agent.ts";
import { contentOf, type TaskContext } from "./task-context.ts";

interface Diff {
  readonly hunks: readonly { readonly lines: readonly { readonly kind: string; readonly text: string }[] }[];
}

export async function recoverFromAConflict(context: TaskContext): Promise<void> {
  const { agent, owner, projectSlug } = context;
  const { artifactId } = await createArtifact(owner, projectSlug, { content: "# Plan\n\n- one\n" });
  await owner.client.call("version.create", { artifactId, content: "# Plan\n\n- one\n- theirs\n" });

  // Based on version 1, which the agent read before the other writer published.
  const mine = await context.file("plan.md", "# Plan\n\n- one\n- mine\n");
  const update = line`artifact update ${artifactId} --file ${mine}`;
  const conflict = await agent.fails([...update, ...line`--expected-latest-version 1`]);
  expect(conflict).toMatchObject({ code: "version_conflict", exitCode: 6, latestVersion: 2 });

  const { hunks } = await agent.follow<Diff>(conflict);
  const theirs = hunks.flatMap(({ lines }) => lines.filter(({ kind }) => kind === "add").map(({ text }) => text));
  expect(theirs).toEqual(["- theirs"]);
  await context.file("plan.md", `# Plan\n\n- one\n${theirs.join("\n")}\n- mine\n`);

  // The other writer publishes again; the hint has the flag to use each time.
  await owner.client.call("version.create", { artifactId, content: "# Plan\n\n- one\n- theirs\n", changelog: "again" });
  const again = await agent.fails([...update, ...expected(conflict.hint)]);
  expect(again).toMatchObject({ code: "version_conflict", latestVersion: 3 });
  expect(await agent.done([...update, ...expected(again.hint)])).toMatchObject({ versionNumber: 4 });

  expect(await owner.client.call("artifact.get", { artifactId })).toMatchObject({ latestVersion: 4 });
  expect(await contentOf(context, artifactId)).toBe("# Plan\n\n- one\n- theirs\n- mine\n");
}

const expected = (hint = ""): string[] => /--expected-latest-version \d+/.exec(hint)?.[0].split(" ") ?? [];
