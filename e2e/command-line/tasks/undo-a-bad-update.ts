// Undo a bad update: find what changed and when, look at it, and restore the good version.
import { expect } from "bun:test";

import { createArtifact } from "../../harness/people.ts";
import { line } from "./agent.ts";
import { contentOf, type TaskContext } from "./task-context.ts";

interface Version {
  readonly versionNumber: number;
  readonly sizeBytes: number;
}

export async function undoABadUpdate(context: TaskContext): Promise<void> {
  const { agent, owner, projectSlug } = context;
  const good = Array.from({ length: 40 }, (_, row) => `Line ${row}`).join("\n");
  const { artifactId, slug } = await createArtifact(owner, projectSlug, { content: good });
  const bad = await context.file("bad.md", "Line 0\n");
  await agent.done(line`artifact update ${artifactId} --file ${bad}`);

  const found = await agent.done<{ artifacts: { slug: string; artifactId: string }[] }>(line`artifact list`);
  const id = found.artifacts.find((artifact) => artifact.slug === slug)?.artifactId ?? "";
  const { versions } = await agent.done<{ versions: Version[] }>(line`artifact versions ${id}`);
  const [head, before] = versions.map(({ versionNumber }) => versionNumber);
  const { stats } = await agent.done<{ stats: { additions: number; deletions: number } }>(
    line`artifact diff ${id} --from ${before ?? 0} --to ${head ?? 0}`,
  );
  expect(stats.deletions).toBeGreaterThan(stats.additions);

  const never = await agent.fails(line`artifact restore ${id} --version 99`);
  expect(never).toMatchObject({ code: "not_found", exitCode: 3 });
  const restored = await agent.done(line`artifact restore ${id} --version ${before ?? 0}`);
  expect(restored).toMatchObject({ versionNumber: 3, restoredFrom: 1, isLatest: true });

  expect(await owner.client.call("artifact.get", { artifactId })).toMatchObject({ latestVersion: 3 });
  expect(await contentOf(context, artifactId)).toBe(good);
  expect(await contentOf(context, artifactId, 2)).toBe("Line 0\n");
}
