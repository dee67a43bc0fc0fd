// The content routes: an artifact's version as a document for its sandboxed frame (security 1).
import { versionNumberMax } from "@plinth/contract/limits";
import type { LoadedVersion } from "@plinth/domain/access/resource";
import { publicVersion, redeemTicket } from "@plinth/domain/content/redeem";
import { renderedText } from "@plinth/domain/content/rendered";
import type { Instance } from "@plinth/domain/context";
import { contentHeaders, contentNonce } from "@plinth/domain/render/content-headers";
import { contentDocument, type ContentDocument } from "@plinth/domain/render/document";
import { rendererVersion } from "@plinth/domain/render/version";
import type { Runtime } from "@plinth/domain/runtime/manifest";

import { expiredPage } from "./expired-page.ts";
import type { RequestMeta } from "./request-meta.ts";
import { fresh } from "./respond.ts";

/** What a content route serves with. */
export interface ContentServing {
  readonly instance: Instance;
  readonly runtime: Runtime;
}

/** `/_content/<ticket>`: for one reader, for a minute. @throws not_found */
export async function ticketContent(
  serving: ContentServing,
  request: Request,
  ticket: string,
  { requestId, method }: RequestMeta,
): Promise<Response> {
  const loaded = await redeemTicket(serving.instance, ticket);
  const nonce = contentNonce();
  if (loaded === "expired") return expiredPage(headersFor(serving, "md", nonce, false), nonce);
  if (isPageLoad(request)) return toViewer(serving, loaded);
  const document = await documentOf(serving, loaded, nonce);
  if (method === "GET") serving.instance.shareUses.note(loaded.principal, { surface: "web", requestId });
  return new Response(document, { headers: headersFor(serving, loaded.artifact.type, nonce, false) });
}

/** `/_content/p/<artifactId>/<n>`: what anyone may see, kept by caches and asked about each time. @throws not_found */
export async function steadyContent(
  serving: ContentServing,
  request: Request,
  artifactId: string,
  number: string,
): Promise<Response> {
  const loaded = await publicVersion(serving.instance, artifactId, versionOf(number));
  if (isPageLoad(request)) return toViewer(serving, loaded);
  const etag = etagOf(serving, loaded);
  const nonce = contentNonce(etag);
  const headers = headersFor(serving, loaded.artifact.type, nonce, true, etag);
  return fresh(request, headers) ?? new Response(await documentOf(serving, loaded, nonce), { headers });
}

/** Zero, which no version has, where it is none: one that PostgreSQL can't hold would fail a whole batch of loads. */
function versionOf(number: string): number {
  const version = /^[1-9]\d{0,9}$/.test(number) ? Number(number) : 0;
  return version <= versionNumberMax ? version : 0;
}

/** Changes with everything the document is made of. */
function etagOf({ runtime }: ContentServing, { artifact, version }: LoadedVersion): string {
  const renderer = artifact.type === "html" ? "html" : rendererVersion[artifact.type];
  const parts = [version.sha256, renderer, runtime.hash, artifact.title].join("\n");
  return `"${new Bun.CryptoHasher("sha256").update(parts).digest("base64url").slice(0, 27)}"`;
}

async function documentOf(
  { instance, runtime }: ContentServing,
  loaded: LoadedVersion,
  nonce: string,
): Promise<string> {
  const { type, title } = loaded.artifact;
  const text = await renderedText(instance.db, loaded);
  const document: ContentDocument =
    type === "html"
      ? { type, source: text }
      : type === "md"
        ? { type, title, html: text, runtime }
        : { type, title, code: text, nonce, runtime };
  return contentDocument(document);
}

function headersFor(
  { instance, runtime }: ContentServing,
  type: LoadedVersion["artifact"]["type"],
  nonce: string,
  publicSteady: boolean,
  etag?: string,
): Record<string, string> {
  const { publicUrl, contentOrigin, htmlCdnAllowlist } = instance.config;
  return contentHeaders({
    type,
    nonce,
    appOrigin: new URL(publicUrl).origin,
    contentOrigin: new URL(contentOrigin).origin,
    runtimePath: runtime.path,
    cdnAllowlist: htmlCdnAllowlist,
    publicSteady,
    ...(etag === undefined ? {} : { etag }),
  });
}

/** Content is never a page of its own: whoever opens its address is sent to the viewer. */
const isPageLoad = (request: Request): boolean => request.headers.get("sec-fetch-dest") === "document";

function toViewer({ instance }: ContentServing, { artifact, version }: LoadedVersion): Response {
  const { ownerUsername, projectSlug, slug } = artifact;
  const location = `${instance.config.publicUrl}/${ownerUsername}/${projectSlug}/${slug}?v=${version.versionNumber}`;
  return new Response(null, {
    status: 302,
    headers: { location, "cache-control": "no-store", "referrer-policy": "no-referrer" },
  });
}
