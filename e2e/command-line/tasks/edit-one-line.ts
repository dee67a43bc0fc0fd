// Correct one line in a page of 500 KB without fetching or sending the page.
import { expect } from "bun:test";

import { createArtifact } from "../../harness/people.ts";
import { line } from "./agent.ts";
import { contentOf, type TaskContext } from "./task-context.ts";

const row = (place: number) => `<tr><td>Row ${place}</td><td>12 % of everything that was sold</td></tr>`;
const page = `<!doctype html>\r\n<table>\n${Array.from({ length: 8000 }, (_, place) => row(place)).join("\n")}\n</table>`;
const old = "<td>Row 4711</td><td>12 % of";
const fixed = "<td>Row 4711</td><td>–$1 $& 21 % of";

export async function editOneLine(context: TaskContext): Promise<void> {
  const { agent, owner, projectSlug } = context;
  expect(page.length).toBeGreaterThan(500_000);
  const { artifactId } = await createArtifact(owner, projectSlug, { type: "html", content: page });
  const edit = line`artifact edit ${artifactId}`;

  // A text that occurs several times is refused with its places; more of its surroundings makes it unique.
  const vague = await agent.fails([...edit, ...line`--replace ${"12 % of"} --with ${"21 % of"}`]);
  expect(vague).toMatchObject({ code: "invalid_request", exitCode: 7 });
  expect(vague.detail).toContain("8000");
  expect(vague.hint).toContain("more of the text around");
  expect(vague.errors?.[0]?.line).toBeNumber();

  const exact = [...edit, ...line`--replace ${old} --with ${fixed}`];
  expect(await agent.done([...exact, "--check"])).toMatchObject({ versionNumber: 2, dryRun: true });
  expect(await agent.done(exact)).toMatchObject({ versionNumber: 2 });

  // On a second run the text is no longer there, and nothing is written.
  const again = await agent.fails(exact);
  expect(again).toMatchObject({ code: "invalid_request", exitCode: 7, retryable: false });
  expect(again.detail).toContain("does not occur in v2; nothing was written");

  const { stats } = await agent.done<{ stats: object }>(line`artifact diff ${artifactId} --from 1 --to 2`);
  expect(stats).toEqual({ additions: 1, deletions: 1 });
  expect(await contentOf(context, artifactId)).toBe(page.split(old).join(fixed));
  expect(await owner.client.call("artifact.get", { artifactId })).toMatchObject({ latestVersion: 2 });
}
