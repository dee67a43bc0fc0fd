// A version as its frame receives it: the document and its sandbox headers. The content routes and the screenshots use
// the same response.
import { directoryOf, encodedPath } from "@plinth/contract/publishing/file-path";
import { type FramedType, type FrameView, framedAs } from "@plinth/contract/frame";
import type { Database } from "@plinth/db/connection";

import type { Principal } from "../access/principal.ts";
import type { ArtifactRow } from "../access/resource.ts";
import type { Config } from "../config.ts";
import type { ImageLock } from "../images/lock.ts";
import { imagesPath, showsImages } from "../images/rewrite.ts";
import { packagesPath } from "../packages/address.ts";
import type { PackageLock } from "../packages/lock.ts";
import { contentDocument } from "../render/document/document.ts";
import type { DocumentFiles } from "../render/document/relative-links.ts";
import { contentHeaders } from "../render/headers/content-headers.ts";
import type { Runtime } from "@plinth/runtime/manifest";
import { rendererVersion } from "../render/version.ts";
import type { Work } from "../threads/fair-queue.ts";
import { askForDrawings, knownDrawings } from "./drawings.ts";
import { versionImages, type VersionImages } from "./image-documents.ts";
import { loadsPackages, versionLock } from "./package-documents.ts";
import type { FramedVersion } from "./framed-version.ts";
import { renderedContent } from "./rendered.ts";
import { versionLocks } from "./version-locks.ts";
import { workFor } from "./work.ts";

/** What documents are made with. */
interface Framing {
  readonly db: Database;
  readonly config: Pick<Config, "publicUrl" | "contentOrigin" | "htmlCdnAllowlist">;
  readonly runtime: Runtime;
  /** Pages of any site may frame the document. */
  readonly isEmbedded?: boolean;
}

/** The same for the address of one document. */
interface DocumentFraming extends Framing {
  /** Absolute: where the document can load itself again; null where it cannot. */
  readonly ownUrl: string | null;
}

/** The same for readers, who do not wait for a rendering as long as it takes. */
export interface ReaderFraming extends DocumentFraming {
  readonly config: Framing["config"] & Pick<Config, "renderWaitMs" | "packageRegistry" | "remoteImages">;
}

/** The same, with whom it is read by. */
export interface ReadVersion extends FramedVersion {
  readonly principal: Principal;
}

/** A document as a reader gets it. */
interface FramedDocument {
  readonly html: string;
  /** Whether it stays like this for its tag; else no cache may keep it. */
  readonly isFinal: boolean;
  /** Whether it is ours, shown while the version is being rendered. */
  readonly isPending: boolean;
  /** Missing where it shows no images of other sites, null where they have no lock. */
  readonly images: VersionImages | null | undefined;
  /** Origin and path of each image of the instance that it shows. */
  readonly ownImages: readonly string[];
  /** What its tag says of the drawings of its diagrams; missing where it has none. */
  readonly drawings: string | undefined;
}

/** The document of a view for a reader; the nonce is the one its headers allow. @throws JsxError */
export async function framedDocument(
  { db, config, runtime }: ReaderFraming,
  framed: ReadVersion,
  view: FrameView,
  nonce: string,
): Promise<FramedDocument> {
  const work = workFor(framed.principal, framed.artifact.workspaceId);
  const manner = {
    folderUrl: folderUrlOf(config, framed),
    ownOrigins: ownOriginsOf(config),
    work,
    waitMs: config.renderWaitMs,
    fetchesPackages: config.packageRegistry !== null,
    images: config.remoteImages ? ("fetched" as const) : ("kept" as const),
  };
  const { content, isFinal, images, drawings } = await renderedContent(db, framed, view, manner);
  if (drawings !== undefined) await askForDrawings(db, framed.version, drawings);
  const isPending = content.kind === "pending";
  const made = contentDocument(content, runtime, nonce);
  return { ...made, isFinal, isPending, images, drawings: drawings?.digest };
}

/** The document that a screenshot is taken of, once it is rendered. @throws JsxError, busy */
export async function screenshotDocument(
  { db, config, runtime }: Framing,
  framed: FramedVersion,
  nonce: string,
  work: Work,
): Promise<string> {
  const manner = {
    folderUrl: folderUrlOf(config, framed),
    ownOrigins: ownOriginsOf(config),
    work,
    waitMs: null,
    fetchesPackages: false,
    images: "none" as const,
  };
  return contentDocument((await renderedContent(db, framed, "document", manner)).content, runtime, nonce).html;
}

/** The answer that the headers are for. */
export interface FramedAnswer {
  /** The one at the steady address has it. */
  readonly etag?: string;
  readonly isPending?: boolean;
  readonly lock?: PackageLock | null | undefined;
  readonly images?: ImageLock | null | undefined;
  readonly ownImages?: readonly string[];
  readonly files?: DocumentFiles | null | undefined;
}

/** The version with its locks, which the tag and the headers depend on too. */
export async function withLock<Version extends FramedVersion>(db: Database, framed: Version): Promise<Version> {
  const { type } = framed.artifact;
  if (type === "html") return { ...framed, ...(await versionLocks(db, framed.version)) };
  return type === "md" ? framed : { ...framed, lock: await versionLock(db, framed.version) };
}

/** The version with what is known of its drawings, which the tag of a markdown document depends on too. */
export const withDrawings = <Version extends FramedVersion>(framed: Version, view: FrameView): Version =>
  framed.artifact.type === "md" && view === "document"
    ? { ...framed, drawings: knownDrawings(framed.version.sha256)?.digest }
    : framed;

/** The headers of a document framed as that type: with a tag the one at the steady address, `isPending` as of the document. */
export function framedHeaders(
  { config, runtime, ownUrl, isEmbedded = false }: Omit<DocumentFraming, "db">,
  type: FramedType,
  nonce: string,
  { etag, isPending = false, lock = null, images = null, ownImages = [], files = null }: FramedAnswer = {},
): Record<string, string> {
  return contentHeaders({
    // It is a page of ours with the text, as a markdown document is.
    type: isPending ? "md" : type,
    nonce,
    appOrigin: new URL(config.publicUrl).origin,
    isEmbedded,
    contentOrigin: new URL(config.contentOrigin).origin,
    runtimePath: runtime.path,
    cdnAllowlist: config.htmlCdnAllowlist,
    publicSteady: etag !== undefined,
    ownUrl,
    ownImages,
    ...(etag === undefined ? {} : { etag }),
    ...((type === "html" || type === "jsx") && !isPending && loadsPackages(lock) ? { packagesPath } : {}),
    ...(!isPending && showsImages(images) ? { imagesPath } : {}),
    ...(!isPending && files !== null ? { filesUrl: files.url } : {}),
  });
}

/** The headers of 304 where the images of the document are not known: its policies are those that the reader has. */
export function withoutPolicies(headers: Readonly<Record<string, string>>): Record<string, string> {
  const { "content-security-policy": _, "connection-allowlist": __, ...others } = headers;
  return others;
}

/** Changes with everything that the document and its headers are made of, its own address and its folder included. */
export function framedTag(
  { config, runtime, ownUrl, isEmbedded }: ReaderFraming,
  framed: FramedVersion,
  view: FrameView,
): string {
  const { type, title } = framed.artifact;
  const renderer = rendererVersion[view === "source" ? "source" : type];
  const lock = framed.lock?.digest ?? "";
  // Without an image lock an html document may be shown with its images another time.
  const withoutLock = config.remoteImages ? "awaited" : "off";
  const images = framed.images === null ? withoutLock : framed.images?.entries.length ? framed.images.digest : "";
  const files = framed.files
    ? [framed.files.base, framed.files.index ?? "none\0", ...framed.files.paths].join("\0")
    : "";
  const parts = [
    framed.version.sha256,
    renderer,
    runtime.hash,
    title,
    folderUrlOf(config, framed),
    lock,
    images,
    files,
    framed.drawings ?? "",
    ownUrl ?? "",
    ...(isEmbedded ? ["embedded"] : []),
  ];
  return `"${new Bun.CryptoHasher("sha256").update(parts.join("\n")).digest("base64url").slice(0, 27)}"`;
}

/** The tag of a markdown document with images of other sites. */
export const imagesTag = (tag: string, images: VersionImages | null): string =>
  `${tag.slice(0, -1)}.${images?.digest ?? "off"}"`;

/**
 * The tag and the images of a markdown document, for a reader who holds it with images (`held` is their `If-None-Match`):
 * only then is the lock looked up. A document without images never has such a tag. Null where it cannot be current.
 */
export async function heldImages(
  { db, config }: ReaderFraming,
  framed: FramedVersion,
  tag: string,
  held: string | null,
): Promise<{ readonly etag: string; readonly images: VersionImages | null } | null> {
  if (framed.artifact.type !== "md" || held?.includes(`${tag.slice(0, -1)}.`) !== true) return null;
  const images = await versionImages(db, framed.version);
  const isFinal = images === null ? !config.remoteImages : images.isComplete;
  return isFinal ? { etag: imagesTag(tag, images), images } : null;
}

/** Whose rules hold for a view of the version. */
export const framedTypeOf = ({ artifact }: FramedVersion, view: FrameView): FramedType => framedAs(artifact.type, view);

/** Where the relative links of the version lead: its folder in the project, with a slash at the end. */
export const folderUrlOf = (config: Pick<Config, "publicUrl">, framed: Pick<FramedVersion, "artifact">): string =>
  projectUrlOf(config, framed) + encodedPath(directoryOf(framed.artifact.sourcePath ?? ""));

/** The origins of the app and of the content. */
export const ownOriginsOf = (config: Pick<Config, "publicUrl" | "contentOrigin">): ReadonlySet<string> =>
  new Set([config.publicUrl, config.contentOrigin].map((url) => new URL(url).origin));

/** The address of the version's project, with a slash at the end. */
export const projectUrlOf = (
  { publicUrl }: Pick<Config, "publicUrl">,
  { artifact }: { readonly artifact: Pick<ArtifactRow, "ownerUsername" | "projectSlug"> },
): string => `${publicUrl}/${artifact.ownerUsername}/${artifact.projectSlug}/`;
