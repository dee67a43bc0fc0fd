// The QR code of an artifact's URL, of the latest version or with `?v=` of one version. Only for those who can see it.
import { renderSVG } from "uqr";
import { artifactAt } from "#lib/server/artifact-at.ts";
import { refuse } from "#lib/server/api.ts";
import { taggedFile } from "#lib/server/tagged-file.ts";
import { versionAsked } from "#lib/version-number.ts";
import type { RequestHandler } from "./$types";

export const GET: RequestHandler = async (event) => {
  const { url, slug, latestVersion, access } = await artifactAt(event);
  const given = event.url.searchParams.get("v");
  const version = versionAsked(event.url.searchParams, latestVersion);
  if (version === undefined) return refuse({ status: 404, code: "not_found" });
  const coded = given === null ? url : `${url}?v=${version}`;
  return taggedFile(event, renderSVG(coded, { ecc: "M", border: 4 }), {
    "content-type": "image/svg+xml",
    "content-disposition": `inline; filename="${slug}.svg"`,
    vary: "cookie",
    // Documents show the codes of others, and have an opaque origin.
    ...(access.publicView && { "cross-origin-resource-policy": "cross-origin" }),
  });
};
