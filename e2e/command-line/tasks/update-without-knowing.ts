// Keep a document up to date with the same line each time, whether it exists or not.
import { expect } from "bun:test";

import { line } from "./agent.ts";
import { contentOf, type TaskContext } from "./task-context.ts";

interface Pushed {
  readonly action: string;
  readonly version: number;
  readonly url: string;
  readonly artifact: { readonly artifactId: string };
}

export async function updateWithoutKnowing(context: TaskContext): Promise<void> {
  const { agent, owner, projectSlug } = context;
  const write = (figure: number) => context.file("status.md", `# Status\n\nOpen: ${figure}\n`);
  const words = line`push --project-slug ${projectSlug} ${await write(3)}`;

  const created = await agent.done<Pushed>([...words, "--ensure"]);
  expect(created).toMatchObject({ action: "created", version: 1 });

  // Without --ensure the error itself says how to continue.
  const taken = await agent.fails(words);
  expect(taken).toMatchObject({ code: "slug_conflict", exitCode: 6 });
  expect(taken["artifactId"]).toBe(created.artifact.artifactId);
  const ensure = /--ensure/.exec(taken.hint ?? "")?.[0] ?? "";
  expect(await agent.done<Pushed>([...words, ensure])).toMatchObject({ action: "unchanged", version: 1 });

  await write(2);
  const updated = await agent.done<Pushed>([...words, ensure]);
  expect(updated).toMatchObject({ action: "updated", version: 2, url: created.url });

  const { artifactId } = updated.artifact;
  expect((await owner.client.call("version.list", { artifactId })).versions).toHaveLength(2);
  expect(await contentOf(context, artifactId)).toBe("# Status\n\nOpen: 2\n");
  expect(await contentOf(context, artifactId, 1)).toBe("# Status\n\nOpen: 3\n");
}
