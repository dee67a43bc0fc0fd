// A version as its frame receives it: the document and its sandbox headers. The content routes and the screenshots use
// the same response.
import { type FramedType, type FrameView, framedAs } from "@plinth/contract/frame";
import type { Database } from "@plinth/db/connection";

import type { Principal } from "../access/principal.ts";
import type { ArtifactRow } from "../access/resource.ts";
import type { Config } from "../config.ts";
import { packagesPath } from "../packages/address.ts";
import type { PackageLock } from "../packages/lock.ts";
import { contentDocument } from "../render/document/document.ts";
import { contentHeaders } from "../render/headers/content-headers.ts";
import type { Runtime } from "@plinth/runtime/manifest";
import { rendererVersion } from "../render/version.ts";
import type { Work } from "../threads/fair-queue.ts";
import { loadsPackages, versionLock } from "./package-documents.ts";
import { renderedContent, type FramedVersion } from "./rendered.ts";
import { workFor } from "./work.ts";

/** What documents are made with. */
export interface Framing {
  readonly db: Database;
  readonly config: Pick<Config, "publicUrl" | "contentOrigin" | "htmlCdnAllowlist">;
  readonly runtime: Runtime;
}

/** The same for readers, who do not wait for a rendering as long as it takes. */
export interface ReaderFraming extends Framing {
  readonly config: Framing["config"] & Pick<Config, "renderWaitMs" | "packageRegistry">;
}

/** The same, with whom it is read by. */
export interface ReadVersion extends FramedVersion {
  readonly principal: Principal;
}

/** A document as a reader gets it. */
export interface FramedDocument {
  readonly html: string;
  /** Whether it stays like this for its tag; else no cache may keep it. */
  readonly isFinal: boolean;
  /** Whether it is ours, shown while the version is being rendered, and loads itself again. */
  readonly isPending: boolean;
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
    projectUrl: projectUrlOf(config, framed),
    work,
    waitMs: config.renderWaitMs,
    fetchesPackages: config.packageRegistry !== null,
  };
  const { content, isFinal } = await renderedContent(db, framed, view, manner);
  return { html: contentDocument(content, runtime, nonce), isFinal, isPending: content.kind === "pending" };
}

/** The document that a screenshot is taken of, once it is rendered. @throws JsxError, busy */
export async function screenshotDocument(
  { db, config, runtime }: Framing,
  framed: FramedVersion,
  nonce: string,
  work: Work,
): Promise<string> {
  const manner = { projectUrl: projectUrlOf(config, framed), work, waitMs: null, fetchesPackages: false };
  return contentDocument((await renderedContent(db, framed, "document", manner)).content, runtime, nonce);
}

/** The answer that the headers are for. */
export interface FramedAnswer {
  /** The one at the steady address has it. */
  readonly etag?: string;
  readonly isPending?: boolean;
  readonly lock?: PackageLock | null | undefined;
}

/** The version with its lock, which the tag and the headers depend on too. */
export async function withLock<Version extends FramedVersion>(db: Database, framed: Version): Promise<Version> {
  return framed.artifact.type === "md" ? framed : { ...framed, lock: await versionLock(db, framed.version) };
}

/** The headers of a document framed as that type: with a tag the one at the steady address, `isPending` as of the document. */
export function framedHeaders(
  { config, runtime }: Framing,
  type: FramedType,
  nonce: string,
  { etag, isPending = false, lock = null }: FramedAnswer = {},
): Record<string, string> {
  return contentHeaders({
    // It is a page of ours with the text, as a markdown document is.
    type: isPending ? "md" : type,
    nonce,
    appOrigin: new URL(config.publicUrl).origin,
    contentOrigin: new URL(config.contentOrigin).origin,
    runtimePath: runtime.path,
    cdnAllowlist: config.htmlCdnAllowlist,
    publicSteady: etag !== undefined,
    isPending,
    ...(etag === undefined ? {} : { etag }),
    ...((type === "html" || type === "jsx") && !isPending && loadsPackages(lock) ? { packagesPath } : {}),
  });
}

/** Changes with everything the document is made of, where it is shown included: relative links lead there. */
export function framedTag({ config, runtime }: Framing, framed: FramedVersion, view: FrameView): string {
  const { type, title } = framed.artifact;
  const renderer = rendererVersion[view === "source" ? "source" : type];
  const lock = framed.lock?.digest ?? "";
  const parts = [framed.version.sha256, renderer, runtime.hash, title, projectUrlOf(config, framed), lock].join("\n");
  return `"${new Bun.CryptoHasher("sha256").update(parts).digest("base64url").slice(0, 27)}"`;
}

/** Whose rules hold for a view of the version. */
export const framedTypeOf = ({ artifact }: FramedVersion, view: FrameView): FramedType => framedAs(artifact.type, view);

/** The address of the version's project, with a slash at the end. */
export const projectUrlOf = (
  { publicUrl }: Pick<Config, "publicUrl">,
  { artifact }: { readonly artifact: Pick<ArtifactRow, "ownerUsername" | "projectSlug"> },
): string => `${publicUrl}/${artifact.ownerUsername}/${artifact.projectSlug}/`;
