// Publish a folder of 200 files to a server that rate-limits and crashes on the way; the run itself is killed too, and
// repeated. Every file is published exactly once.
import { expect } from "bun:test";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

import type { Distribution } from "../../harness/distributions.ts";
import { clientOf } from "../../harness/people.ts";
import { temporaryFolder } from "../../harness/process.ts";
import { line } from "./agent.ts";
import { contentOf, createTaskContext, type TaskContext } from "./task-context.ts";
import { unsteadyServer } from "./unsteady-server.ts";

interface Results {
  readonly results: readonly { readonly file: string; readonly action: string }[];
}

const count = 200;
/** Name and content of each file, in folders of twenty. */
const files = new Map(
  Array.from({ length: count }, (_, place): [string, string] => [
    `docs/part-${Math.floor(place / 20)}/${place}.md`,
    `# Chapter ${place}\n\nWhat chapter ${place} says.\n`,
  ]),
);

/** Starts and stops a separate instance; writes into `folder`. */
export async function publishAFolder(distribution: Distribution, folder: string): Promise<void> {
  const dataDir = await temporaryFolder("data");
  const server = await unsteadyServer(dataDir, 120);
  const context = await createTaskContext(server.instance(), distribution, folder);
  const { projectSlug } = context;
  const agent = context.agent.with({ SERVICE_BASE_URL: server.origin });
  for (const [name, content] of [...files, ["docs/.gitignore", "drafts\n"], ["docs/drafts/no.md", "# No\n"]] as const) {
    await mkdir(dirname(join(context.folder, name)), { recursive: true });
    await writeFile(join(context.folder, name), content);
  }
  const push = line`push --project-slug ${projectSlug} --recursive docs`;

  // The run is killed; the same line continues where it was.
  await agent.abandon(push, server.asked(50));
  const { results } = await agent.done<Results>(push);
  expect(results.map(({ file }) => file).toSorted()).toEqual([...files.keys()].toSorted());
  await server.revived;
  expect(server.refusals()).toBeGreaterThan(2);
  const again = await agent.done<Results>([...push, "--ensure"]);
  expect(new Set(again.results.map(({ action }) => action))).toEqual(new Set(["unchanged"]));

  const now = {
    ...context,
    owner: { ...context.owner, client: clientOf(server.instance().origin, context.owner.token) },
  };
  const found = await everyArtifact(now);
  const contents = await Promise.all(found.map(({ artifactId }) => contentOf(now, artifactId)));
  expect(found.filter(({ latestVersion }) => latestVersion !== 1)).toEqual([]);
  expect(contents.toSorted()).toEqual([...files.values()].toSorted());
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
}

async function everyArtifact({ owner }: TaskContext): Promise<{ artifactId: string; latestVersion: number }[]> {
  const found = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await owner.client.call("artifact.listMine", { limit: 100, ...(cursor !== undefined && { cursor }) });
    found.push(...page.artifacts);
    cursor = page.nextCursor;
  }
  return found;
}
