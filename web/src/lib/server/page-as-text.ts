// The pages of an artifact, a project and an owner as text, for a request that prefers text to a page
// (docs/reference/contract.md §4): the source, and the list of what is there.
import { ProblemError } from "@plinth/contract/client";
import type { Output } from "@plinth/contract/registry";
import type { RequestEvent } from "@sveltejs/kit";
import { versionAsked } from "#lib/version-number.ts";
import { pageLimit } from "@plinth/contract/limits";
import type { Artifact } from "@plinth/contract/schemas/artifact";
import { clientOf } from "./api.ts";
import { linksForPrograms, refusalForPrograms } from "./for-programs.ts";
import { platformOf } from "./platform.ts";
import { prefersSource } from "./prefers-source.ts";

/** The documents in reading order, then the newest of the other artifacts; and where the project is now. @throws ProblemError */
async function projectAsMarkdown(
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
function artifactLine({ title, url, description }: Pick<Artifact, "title" | "url" | "description">): string {
  const said = description === null ? "" : `: ${oneLine(description)}`;
  return `- [${linkText(title)}](${url})${said}`;
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim();
const linkText = (text: string): string => oneLine(text).replaceAll(/[[\]\\]/g, String.raw`\$&`);

/** The list, and the present name where the owner has another one. @throws ProblemError where nothing is to be seen */
async function ownerAsMarkdown(
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

/** The text, or the API's own refusal of it; undefined where a page is wanted. */
export async function pageAsText(event: RequestEvent): Promise<Response | undefined> {
  const { request, params, route } = event;
  const read = hasText(route.id) ? readers[route.id] : undefined;
  if (read === undefined || event.isDataRequest) return undefined;
  if (request.method !== "GET" && request.method !== "HEAD") return undefined;
  if (!prefersSource(request.headers.get("accept") ?? "")) return undefined;
  try {
    const { owner = "", project: projectSlug = "", slug = "" } = params;
    const answer = withVaryAccept(await read(event, { owner, projectSlug, slug }));
    answer.headers.append("link", linksForPrograms(event, platformOf(event).publicUrl));
    return answer;
  } catch (cause) {
    if (!(cause instanceof ProblemError)) throw cause;
    return cause.problem.code === "not_found" ? refusedAsText(event) : withVaryAccept(problem(cause));
  }
}

function refusedAsText(event: RequestEvent): Response {
  const { publicUrl } = platformOf(event);
  return refusalForPrograms("not_found", "text/markdown", publicUrl, event.locals.requestId);
}

interface Path {
  readonly owner: string;
  readonly projectSlug: string;
  /** Empty for a project and an owner. */
  readonly slug: string;
}

const readers = {
  "/[owner]/[project]/[slug]": readSource,
  "/(app)/[owner]/[project]": listProject,
  "/(app)/[owner]": listOwner,
} as const;

/** Whether a page has a form as text. */
export const hasText = (route: string | null): route is keyof typeof readers =>
  route !== null && Object.hasOwn(readers, route);

async function listProject(event: RequestEvent, { owner, projectSlug }: Path): Promise<Response> {
  const { text, movedTo } = await projectAsMarkdown(event, { owner, projectSlug });
  return movedTo === undefined ? list(text) : redirectTo(event, movedTo);
}

async function listOwner(event: RequestEvent, { owner }: Path): Promise<Response> {
  const { text, movedTo } = await ownerAsMarkdown(event, owner);
  return movedTo === undefined ? list(text) : redirectTo(event, movedTo);
}

function list(text: string): Response {
  const headers = { "content-type": "text/markdown; charset=utf-8", "cache-control": "no-store" };
  return new Response(text, { headers: { ...headers, "x-content-type-options": "nosniff" } });
}

async function readSource(event: RequestEvent, path: Path): Promise<Response> {
  const client = clientOf(event);
  const { artifactId, latestVersion, movedTo } = await namedArtifact(event, path);
  if (movedTo !== undefined) return redirectTo(event, movedTo);
  // A number that is none goes to the API as it is, to be refused in its own words.
  const version = versionAsked(event.url.searchParams, latestVersion) ?? Number(event.url.searchParams.get("v"));
  const condition = event.request.headers.get("if-none-match");
  const headers: Record<string, string> = condition === null ? {} : { "if-none-match": condition };
  return client.send("version.content", { artifactId, version }, { headers });
}

/** Also by `slug.md`. @throws ProblemError */
async function namedArtifact(event: RequestEvent, path: Path): Promise<Output<"artifact.getByPath">> {
  const client = clientOf(event);
  try {
    return await client.call("artifact.getByPath", path);
  } catch (cause) {
    if (!(cause instanceof ProblemError) || cause.problem.code !== "not_found" || !path.slug.includes(".")) throw cause;
    const { owner, projectSlug, slug } = path;
    return client.call("artifact.getBySourcePath", { owner, projectSlug, path: slug });
  }
}

/** To the present address; a cache asks before it repeats it, because an address can be released. */
function redirectTo({ url }: RequestEvent, address: string): Response {
  const headers = { location: `/${address}${url.search}`, "cache-control": "private, no-cache" };
  return new Response(null, { status: 308, headers });
}

function problem({ problem, retryAfterSeconds }: ProblemError): Response {
  const headers = new Headers({
    "content-type": "application/problem+json",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "x-request-id": problem.requestId,
  });
  if (retryAfterSeconds !== null) headers.set("retry-after", String(retryAfterSeconds));
  return new Response(JSON.stringify(problem), { status: problem.status, headers });
}

function withVaryAccept(answer: Response): Response {
  const headers = new Headers(answer.headers);
  headers.append("vary", "Accept");
  return new Response(answer.body, { status: answer.status, headers });
}
