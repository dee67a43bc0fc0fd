// The artifact at a page's address, for every page that stands below it.
import type { Output } from "@plinth/contract/registry";
import type { Artifact } from "@plinth/contract/schemas/artifact";
import type { RequestEvent } from "@sveltejs/kit";
import { clientOf, orErrorPage } from "./api.ts";
import { ProblemError } from "@plinth/contract/client";
import { error, redirect } from "@sveltejs/kit";
import { isVersionNumber, versionAsked } from "#lib/version-number.ts";
import { redirectRenamed } from "./renamed.ts";

/**
 * What the artifact at the address is called where an identifier is asked for (docs/reference/contract.md §3): so a
 * page asks for what it shows of it together with the artifact.
 */
export const artifactNamed = ({ params }: RequestEvent): string =>
  `${params["owner"]}/${params["project"]}/${params["slug"]}`;

/** The artifact, if the caller can see it. A former address redirects; a hidden artifact is a page that isn't there. */
export async function artifactAt(
  event: RequestEvent,
  also: {
    readonly withFormerAddresses?: true;
    readonly withPackages?: true;
    readonly withFiles?: true;
    readonly withFavorite?: true;
    readonly withNeighbours?: true;
  } = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<Output<"artifact.getByPath">> {
  const { owner = "", project: projectSlug = "", slug = "" } = event.params;
  const asked = clientOf(event).call("artifact.getByPath", { owner, projectSlug, slug, ...also }, { headers });
  const artifact = await orErrorPage(asked.catch((error: unknown) => leadBySourcePath(event, error)));
  redirectRenamed(event, artifact);
  return artifact;
}

/**
 * The artifact, the version that the address names, and what the page shows of it, which are asked for together. Redirects
 * where the address names no version: what the page shows is its address, which stays so when there is a newer version.
 */
export async function versionAt<Shown>(
  event: RequestEvent,
  ask: (version: { readonly artifactId: string; readonly versionNumber: number }) => Promise<Shown>,
): Promise<{ artifact: Output<"artifact.getByPath">; version: number; shown: Shown }> {
  const given = event.url.searchParams.get("v") ?? "";
  const [artifact, shown] = await Promise.all([
    artifactAt(event),
    isVersionNumber(given)
      ? orErrorPage(ask({ artifactId: artifactNamed(event), versionNumber: Number(given) }))
      : null,
  ]);
  const version = versionAsked(event.url.searchParams, artifact.latestVersion) ?? error(404, "Not found");
  if (shown === null) redirect(307, `${event.url.pathname}?v=${version}`);
  return { artifact, version, shown };
}

/**
 * A relative link names the file of a document, whose slug may differ; `slug.md` is the source of a document.
 * @throws ProblemError where there is neither
 */
async function leadBySourcePath(event: RequestEvent, error: unknown): Promise<never> {
  const { owner = "", project: projectSlug = "", slug: path = "" } = event.params;
  if (!(error instanceof ProblemError) || error.problem.code !== "not_found" || event.route.id !== artifactPage)
    throw error;
  const found = await clientOf(event).call("artifact.getBySourcePath", { owner, projectSlug, path });
  const version = event.url.searchParams.get("v");
  if (isSourceOf(found, path))
    redirect(
      307,
      new URL(found.contentUrl).pathname + (version === null ? "" : `?${new URLSearchParams({ version })}`),
    );
  redirect(307, `/${found.ownerUsername}/${found.projectSlug}/${found.slug}${event.url.search}`);
}

/** Whether a path is `slug.md` (or `.html`, `.jsx`) of an artifact and not the path of its file. */
const isSourceOf = ({ slug, type, sourcePath }: Artifact, path: string): boolean =>
  path.toLowerCase() === `${slug}.${type}` && sourcePath?.toLowerCase() !== path.toLowerCase();

const artifactPage = "/[owner]/[project]/[slug]";
