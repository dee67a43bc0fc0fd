// An artifact that anyone may see, for the pages of other sites. It reads no cookie, and answers every visitor as one
// without a credential.
import { ProblemError } from "@plinth/contract/client";
import { strangerClientOf, strangerHeaders } from "#lib/server/api.ts";
import { embedMoved, embedPage, embedRefusal } from "#lib/server/embed-page.ts";
import { platformOf } from "#lib/server/platform.ts";
import { taggedFile } from "#lib/server/tagged-file.ts";
import { versionAsked } from "#lib/version-number.ts";
import { languageOf } from "#messages/language.ts";
import type { RequestEvent } from "@sveltejs/kit";
import type { RequestHandler } from "./$types";

export const GET: RequestHandler = async (event) => {
  const { requestId } = event.locals;
  event.locals.language = languageOf(strangerHeaders(event));
  try {
    return await embedded(event);
  } catch (cause) {
    if (!(cause instanceof ProblemError)) throw cause;
    const { status } = cause.problem;
    return embedRefusal(status === 429 || status >= 500 ? status : 404, requestId);
  }
};

/** @throws ProblemError */
async function embedded(event: RequestEvent): Promise<Response> {
  const { requestId } = event.locals;
  const { owner = "", project: projectSlug = "", slug = "" } = event.params;
  const client = strangerClientOf(event);
  const given = event.url.searchParams.get("v");
  const [artifact] = await Promise.all([
    client.call("artifact.getByPath", { owner, projectSlug, slug }),
    // An old version may be past its days.
    given === null ? null : isReadable(client, `${owner}/${projectSlug}/${slug}`, given),
  ]);
  const version = versionAsked(event.url.searchParams, artifact.latestVersion);
  if (!artifact.access.publicView || version === undefined) return embedRefusal(404, requestId);
  const url = given === null ? artifact.url : `${artifact.url}?v=${version}`;
  if (artifact.movedTo !== undefined) return embedMoved(url, requestId);
  const { html, headers } = embedPage(artifact, version, { url, contentOrigin: platformOf(event).contentOrigin });
  return taggedFile(event, html, headers);
}

/** @throws ProblemError */
async function isReadable(client: ReturnType<typeof strangerClientOf>, artifactId: string, given: string) {
  if (/^[1-9]\d{0,8}$/.test(given)) await client.call("artifact.ticket", { artifactId, version: Number(given) });
}
