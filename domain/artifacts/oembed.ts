// The oEmbed answer about the artifact at a URL. Access is decided as for a reader without any credential, so
// the answer is the same for everyone.
import { AppError } from "@plinth/contract/errors";
import { embedCode, embedSize } from "@plinth/contract/embed";
import { versionNumberMax } from "@plinth/contract/limits";
import { registry, type Input } from "@plinth/contract/registry";
import { thumbnailSizes } from "@plinth/contract/schemas/artifact";
import type { OEmbed } from "@plinth/contract/schemas/oembed";
import { uuidOf } from "@plinth/db/columns";

import { admit } from "../access/authorize.ts";
import { presentedBy } from "../access/ticket-credential.ts";
import { notFound } from "../access/refusals.ts";
import type { ArtifactRow, LoadedFiles } from "../access/resource.ts";
import type { Context } from "../context.ts";
import { asAppError } from "../failure.ts";
import { artifactUrl } from "./present.ts";

/** Seconds. A revocation does not wait for it: the frame in the answer asks about access itself. */
const cacheAge = 3600;

/** @throws not_found, not_implemented */
export async function describeEmbed(
  context: Context,
  { url, maxwidth = Infinity, maxheight = Infinity, format = "json" }: Input<"artifact.oembed">,
): Promise<OEmbed> {
  if (format.toLowerCase() !== "json")
    throw new AppError("not_implemented", "oEmbed is answered as JSON alone", { hint: "Send format=json" });
  const { publicUrl } = context.config;
  const named = namedBy(url, new URL(publicUrl).origin);
  if (named === null) throw notFound();
  const artifact = await publicArtifact(context, named);
  const { ownerUsername, title } = artifact;
  const width = Math.min(embedSize.width, maxwidth);
  const height = Math.min(embedSize.height, maxheight);
  return {
    type: "rich",
    version: "1.0",
    title,
    author_name: ownerUsername,
    author_url: `${publicUrl}/${ownerUsername}`,
    provider_name: new URL(publicUrl).host,
    provider_url: `${publicUrl}/`,
    html: embedCode({ url: artifactUrl(context, artifact, named.version), title, width, height }),
    width,
    height,
    cache_age: cacheAge,
    ...(named.version === undefined ? await thumbnailOf(context, artifact, { maxwidth, maxheight }) : {}),
  };
}

interface Named {
  readonly owner: string;
  readonly projectSlug: string;
  readonly slug: string;
  readonly version: number | undefined;
}

/** Also with the slash that some programs add, and with the ending by which its source is read. */
const pagePath = /^\/([\w-]+)\/([\w-]+)\/([\w-]+)(?:\.(?:md|html|jsx))?\/?$/;

/** What the URL of an artifact's page names; null where it is no such URL of this instance. */
function namedBy(given: string, origin: string): Named | null {
  const url = URL.parse(given);
  if (url === null || url.origin !== origin || url.username !== "" || url.password !== "") return null;
  const [, owner, projectSlug, slug] = pagePath.exec(url.pathname) ?? [];
  if (owner === undefined || projectSlug === undefined || slug === undefined) return null;
  const asked = url.searchParams.get("v");
  const version = asked === null ? undefined : Number(asked);
  if (asked !== null && (!/^[1-9]\d{0,9}$/.test(asked) || Number(asked) > versionNumberMax)) return null;
  return { owner, projectSlug, slug, version };
}

/** The artifact with that version, if anyone may see it. @throws not_found, for any reason */
async function publicArtifact({ load, call }: Context, { version, ...address }: Named): Promise<ArtifactRow> {
  const asked = version === undefined ? address : { ...address, version };
  const stranger = { ...presentedBy(null), address: call.address };
  try {
    const { resource } = await admit(load, registry["artifact.getByPath"], stranger, asked);
    return (resource as LoadedFiles).artifact;
  } catch (thrown) {
    const error = asAppError(thrown);
    throw error instanceof AppError && error.status < 500 ? notFound() : error;
  }
}

const thumbnailStatement = `
SELECT 1 AS is_taken FROM thumbnail WHERE artifact_id = $1 AND version_number = $2 AND large IS NOT NULL`;

/** The greatest screenshot of the latest version that fits. */
async function thumbnailOf(
  { db, config }: Context,
  { artifactId, latestVersion }: ArtifactRow,
  { maxwidth, maxheight }: { readonly maxwidth: number; readonly maxheight: number },
): Promise<Pick<OEmbed, "thumbnail_url" | "thumbnail_width" | "thumbnail_height">> {
  const width = thumbnailSizes.find((size) => size <= maxwidth && heightOf(size) <= maxheight);
  if (width === undefined) return {};
  if ((await db.run(thumbnailStatement, [uuidOf("art", artifactId), latestVersion])).length === 0) return {};
  return {
    thumbnail_url: `${config.publicUrl}/api/artifacts/${artifactId}/thumbnail?size=${width}`,
    thumbnail_width: width,
    thumbnail_height: heightOf(width),
  };
}

/** Screenshots are 8 by 5. */
const heightOf = (width: number): number => (width * 5) / 8;
