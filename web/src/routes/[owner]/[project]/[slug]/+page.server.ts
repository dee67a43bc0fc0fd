// The artifact page: one call to the API, and a second at the same time for the text of the document, for an old version,
// or where not everyone may see the artifact.
// It is plain HTML; the one script on it is src/viewer (docs/decisions/web.md, "Artifact page without Kit").
import { actorWords } from "#messages/actors.ts";
import { framedAs, type FrameView, viewAddress } from "@plinth/contract/frame";
import type { Output } from "@plinth/contract/registry";
import type { Artifact } from "@plinth/contract/schemas/artifact";
import { error, redirect } from "@sveltejs/kit";
import { ServerOnly } from "#lib/server-only.ts";
import { clientOf, orErrorPage } from "#lib/server/api.ts";
import { artifactAt, artifactNamed } from "#lib/server/artifact-at.ts";
import { documentText } from "#lib/server/document-text.ts";
import { pageViewHeaders } from "#lib/server/page-view.ts";
import { platformOf } from "#lib/server/platform.ts";
import { searchKeyOf } from "#lib/server/search-key.ts";
import { filesInWords } from "#lib/files-in-words.ts";
import { shownPackages } from "#lib/shown-packages.ts";
import { submit } from "#lib/server/submit.ts";
import { hasSession } from "#lib/server/viewer.ts";
import { isVersionNumber, versionAsked } from "#lib/version-number.ts";
import type { Actions, PageServerLoad, RequestEvent } from "./$types";

export const csr = false;

export const load: PageServerLoad = async (event) => {
  const [asked, packagesOfOld, text] = [ticketAsked(event), packagesAsked(event), documentText(event)];
  // Whether it is needed shows later; that it failed is then no matter of the process's.
  text.catch(() => undefined);
  const shows = { withPackages: true, withFiles: true, withNeighbours: true } as const;
  const own = hasSession(event) ? ({ withFavorite: true } as const) : {};
  // A page of a version is counted with its ticket: the artifact does not say whether the version is there.
  const seen = event.url.searchParams.has("v") ? {} : pageViewHeaders(event.request);
  const artifact = await artifactAt(event, { ...shows, ...own }, seen);
  const { artifactId, access, permissions, type } = artifact;
  const version = versionOf(event, artifact);
  const isLatest = version === artifact.latestVersion;
  const view: FrameView = event.url.searchParams.get("view") === "source" ? "source" : "document";

  // What not everyone may see is framed by a ticket. An old version is asked for one as well: it may be past its days.
  const ticket =
    access.publicView && isLatest
      ? null
      : await orErrorPage(asked ?? clientOf(event).call("artifact.ticket", { artifactId, version }));
  const frameUrl =
    ticket === null || access.publicView
      ? `${platformOf(event).contentOrigin}/_content/p/${artifactId}/${version}`
      : ticket.url;

  const old = version < artifact.latestVersion ? await orErrorPage(packagesOfOld ?? Promise.resolve(null)) : null;
  const packages = shownPackages(old?.packages ?? (isLatest ? (artifact.packages ?? []) : []));

  const shown = {
    artifact: {
      artifactId,
      ownerUsername: artifact.ownerUsername,
      projectSlug: artifact.projectSlug,
      slug: artifact.slug,
      sourcePath: artifact.sourcePath,
      type,
      title: artifact.title,
      description: artifact.description,
      latestVersion: artifact.latestVersion,
      publicView: access.publicView,
      url: artifact.url,
      thumbnailUrl: artifact.thumbnailUrl,
    },
    version,
    author: authorOf(isLatest ? { createdBy: artifact.latestBy, createdAt: artifact.latestAt } : old),
    name: (isLatest ? artifact.latestName : old?.name) ?? null,
    view,
    edits: permissions.edit,
    manages: permissions.share && permissions.manageAccess,
    // Admins of the workspace and its author can delete it: the page says whom to ask.
    billing: permissions.delete ? `/settings/billing?workspace=${artifact.ownerUsername}` : null,
    searchKey: searchKeyOf(event),
    isSignedIn: hasSession(event),
    isFavorite: artifact.isFavorite ?? null,
    heldLink: hasSession(event) ? null : linkRight(artifact),
    frameUrl: viewAddress(frameUrl, view),
    framedAs: framedAs(type, view),
    neighbours: artifact.neighbours ?? null,
    packages: { ...packages, canRetry: packages.canRetry && permissions.edit },
    has: filesInWords((isLatest ? artifact.files : old?.files) ?? null),
    restored: permissions.edit ? restoredOf(event, artifact) : null,
    text: await text,
    showsBar: event.url.searchParams.get("chrome") !== "0",
  };
  return { page: new ServerOnly(shown) };
};

export const actions: Actions = {
  favorite: (event) => setFavorite(event, "favorite.add"),
  unfavorite: (event) => setFavorite(event, "favorite.remove"),
};

/** Then shows the artifact again. */
async function setFavorite(event: RequestEvent, name: "favorite.add" | "favorite.remove") {
  const outcome = await submit(event, "favorite", (client) => client.call(name, { artifactId: artifactNamed(event) }));
  if ("status" in outcome) error(outcome.status, outcome.data.problem?.detail ?? "");
  redirect(303, event.url.pathname);
}

/**
 * Asked for together with the artifact where one is likely to be needed: for an old version, and for a visitor who brings something
 * that may let them see what not everyone sees.
 */
function ticketAsked(event: RequestEvent): Promise<Output<"artifact.ticket">> | null {
  const given = event.url.searchParams.get("v");
  if (given === null ? !event.request.headers.has("cookie") : !isVersionNumber(given)) return null;
  const version = given === null ? {} : { version: Number(given) };
  const headers = given === null ? {} : pageViewHeaders(event.request);
  const asked = clientOf(event).call("artifact.ticket", { artifactId: artifactNamed(event), ...version }, { headers });
  // Whether it is needed shows later; that it failed is then no matter of the process's.
  asked.catch(() => undefined);
  return asked;
}

/** What an old version loads and has beside it, asked for together with the artifact; the latest one's comes with that. */
function packagesAsked(event: RequestEvent): Promise<Output<"version.packages">> | null {
  const given = event.url.searchParams.get("v") ?? "";
  if (!isVersionNumber(given)) return null;
  const wanted = { artifactId: artifactNamed(event), versionNumber: Number(given), withFiles: true, withAuthor: true };
  const asked = clientOf(event).call("version.packages", wanted);
  // Whether it is needed shows later; that it failed is then no matter of the process's.
  asked.catch(() => undefined);
  return asked;
}

function versionOf({ url }: RequestEvent, { latestVersion }: Artifact): number {
  return versionAsked(url.searchParams, latestVersion) ?? error(404, "Not found");
}

/** Who published the version and when. */
function authorOf(given: Pick<Output<"version.packages">, "createdBy" | "createdAt"> | null) {
  if (!given?.createdBy || !given.createdAt) return null;
  return { kind: given.createdBy.type, words: actorWords(given.createdBy), time: given.createdAt };
}

/** The version that was just made the head again, where the way here was restoring it. */
function restoredOf({ url }: RequestEvent, { latestVersion }: Artifact): number | null {
  const given = url.searchParams.get("restored") ?? "";
  return isVersionNumber(given) && Number(given) < latestVersion ? Number(given) : null;
}

/** The access of a share link without a sign-in: without a link no such visitor reads a private artifact, or edits. */
function linkRight({ access, permissions }: Artifact): "view" | "edit" | null {
  if (permissions.edit) return "edit";
  return access.publicView ? null : "view";
}
