// An owner's page as text: what a visitor can see of theirs, by project.
import { pageLimit } from "@plinth/contract/limits";
import { ProblemError } from "@plinth/contract/client";
import type { RequestEvent } from "@sveltejs/kit";
import { clientOf } from "./api.ts";
import { platformOf } from "./platform.ts";
import { artifactLine } from "./project-as-markdown.ts";

/** The list, and the present name where the owner has another one. @throws ProblemError where nothing is to be seen */
export async function ownerAsMarkdown(
  event: RequestEvent,
  owner: string,
): Promise<{ readonly text: string; readonly movedTo: string | undefined }> {
  const { artifacts, nextCursor } = await clientOf(event).call("artifact.list", { owner, limit: pageLimit.max });
  const [first] = artifacts;
  if (first === undefined) throw new ProblemError(nothingThere(event), null);
  const home = `${platformOf(event).publicUrl}/${first.ownerUsername}`;
  const projects = Map.groupBy(artifacts, ({ projectSlug }) => projectSlug);
  const lines = [
    `# ${first.ownerUsername}`,
    ...[...projects].flatMap(([slug, of]) => ["", `## [${slug}](${home}/${slug})`, "", ...of.map(artifactLine)]),
    ...(nextCursor === null ? [] : ["", `There are more: ${home}`]),
  ];
  return {
    text: `${lines.join("\n")}\n`,
    movedTo: first.ownerUsername === owner ? undefined : first.ownerUsername,
  };
}

const nothingThere = ({ locals }: RequestEvent) => ({
  type: "/docs/errors/not_found",
  title: "Not found",
  status: 404,
  detail: "There is nothing here, or you may not see it",
  code: "not_found" as const,
  requestId: locals.requestId,
});
