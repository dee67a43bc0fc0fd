// The files beside a version. It works without a script.
import { encodedPath } from "@plinth/contract/publishing/file-path";
import { clientOf } from "#lib/server/api.ts";
import { versionAt } from "#lib/server/artifact-at.ts";
import type { PageServerLoad } from "./$types";

export const csr = false;

export const load: PageServerLoad = async (event) => {
  const { artifact, version, shown } = await versionAt(event, (key) => clientOf(event).call("version.files", key));
  const { latestVersion, ownerUsername, projectSlug, slug, title, url } = artifact;
  const api = `/api/artifacts/${artifact.artifactId}`;
  return {
    artifact: { ownerUsername, projectSlug, slug, title, url, latestVersion },
    version,
    files: shown.files.map(({ path, sizeBytes }) => ({
      path,
      sizeBytes,
      href: `${api}/files/${encodedPath(path)}?version=${version}`,
    })),
    archive: `${api}/archive?version=${version}`,
  };
};
