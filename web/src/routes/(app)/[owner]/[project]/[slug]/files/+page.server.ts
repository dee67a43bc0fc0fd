// The files beside a version. It works without a script.
import { encodedPath } from "@plinth/contract/publishing/file-path";
import { error, redirect } from "@sveltejs/kit";
import { clientOf, orErrorPage } from "#lib/server/api.ts";
import { artifactAt, artifactNamed } from "#lib/server/artifact-at.ts";
import { versionAsked } from "#lib/version-number.ts";
import type { PageServerLoad } from "./$types";

export const csr = false;

export const load: PageServerLoad = async (event) => {
  const given = event.url.searchParams.get("v");
  const artifactId = artifactNamed(event);
  const named = given !== null && /^[1-9]\d{0,8}$/.test(given) ? Number(given) : null;
  const [artifact, list] = await Promise.all([
    artifactAt(event),
    named === null ? null : orErrorPage(clientOf(event).call("version.files", { artifactId, versionNumber: named })),
  ]);
  const { latestVersion, ownerUsername, projectSlug, slug, title, url } = artifact;
  const version = versionAsked(event.url.searchParams, latestVersion) ?? error(404, "Not found");
  // What the page shows is its address, which stays so when there is a newer version.
  if (list === null) redirect(307, `${event.url.pathname}?v=${version}`);
  const api = `/api/artifacts/${artifact.artifactId}`;
  return {
    artifact: { ownerUsername, projectSlug, slug, title, url, latestVersion },
    version,
    files: list.files.map(({ path, sizeBytes }) => ({
      path,
      sizeBytes,
      href: `${api}/files/${encodedPath(path)}?version=${version}`,
    })),
    archive: `${api}/archive?version=${version}`,
  };
};
