// A project as text: what is in it, for a request that prefers text to a page.
import { pageLimit } from "@plinth/contract/limits";
import type { Artifact } from "@plinth/contract/schemas/artifact";
import type { RequestEvent } from "@sveltejs/kit";
import { clientOf } from "./api.ts";

/** The documents in reading order, then the newest of the other artifacts; and where the project is now. @throws ProblemError */
export async function projectAsMarkdown(
  event: RequestEvent,
  { owner, projectSlug }: { readonly owner: string; readonly projectSlug: string },
): Promise<{ readonly text: string; readonly movedTo: string | undefined }> {
  const client = clientOf(event);
  const [project, { artifacts, nextCursor }] = await Promise.all([
    client.call("project.getByPath", { owner, projectSlug, withDocuments: true }),
    client.call("artifact.list", { owner, project: projectSlug, limit: pageLimit.max }),
  ]);
  const documents = project.documents?.documents ?? [];
  const inTree = new Set(documents.map(({ artifactId }) => artifactId));
  const others = artifacts.filter(({ artifactId }) => !inTree.has(artifactId));
  const lines = [
    `# ${oneLine(project.title)}`,
    ...(project.description === null ? [] : ["", project.description]),
    "",
    ...documents.map(
      ({ title, url, sourcePath }) => `- [${linkText(title)}](${url}) \`${sourcePath.replaceAll("`", "'")}\``,
    ),
    ...others.map(artifactLine),
    ...(nextCursor === null ? [] : ["", `There are more: ${project.url}`]),
  ];
  return { text: `${lines.join("\n")}\n`, movedTo: project.movedTo };
}

/** An artifact in a list. */
export function artifactLine({ title, url, description }: Pick<Artifact, "title" | "url" | "description">): string {
  const said = description === null ? "" : `: ${oneLine(description)}`;
  return `- [${linkText(title)}](${url})${said}`;
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim();
const linkText = (text: string): string => oneLine(text).replaceAll(/[[\]\\]/g, String.raw`\$&`);
