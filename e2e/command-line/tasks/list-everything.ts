// List everything over several pages, first a limited part and then all of it, one item per line.
import { expect } from "bun:test";

import { createArtifact } from "../../harness/people.ts";
import { line } from "./agent.ts";
import type { TaskContext } from "./task-context.ts";

const count = 210;

interface Item {
  readonly artifactId: string;
}

export async function listEverything(context: TaskContext): Promise<void> {
  const { agent, owner, projectSlug } = context;
  const made: string[] = [];
  for (let start = 0; start < count; start += 10)
    made.push(...(await Promise.all(Array.from({ length: 10 }, () => createArtifact(owner, projectSlug)))).map(idOf));

  const tooMany = await agent.fails(line`artifact list --limit 150`);
  expect(tooMany).toMatchObject({ code: "usage", exitCode: 2 });
  expect(tooMany.hint).toContain("--ndjson");
  const some = (await agent.items<Item>(line`artifact list --limit 150`)).map(idOf);
  const all = (await agent.items<Item>(line`artifact list`)).map(idOf);
  const page = await agent.done<{ artifacts: Item[]; nextCursor: string }>(line`artifact list --limit 100`);
  const next = await agent.done<{ artifacts: Item[] }>(line`artifact list --limit 100 --cursor ${page.nextCursor}`);

  expect(all.toSorted()).toEqual(made.toSorted());
  expect(some).toEqual(all.slice(0, 150));
  expect([...page.artifacts, ...next.artifacts].map(idOf)).toEqual(all.slice(0, 200));
}

const idOf = ({ artifactId }: Item): string => artifactId;
