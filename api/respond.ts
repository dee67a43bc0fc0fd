// Converts an operation's answer to a response: JSON, or another media type; ETag and 304 (docs/reference/contract.md
// §2).
import { createObjectCache } from "@plinth/platform/caches";
import type { Operation } from "@plinth/contract/operation";
import { accountOf } from "@plinth/domain/access/principal";
import type { Answer } from "@plinth/domain/request/outcome";
import { inertHeaders } from "@plinth/domain/render/headers/inert-headers";
import { rawContentHeaders } from "@plinth/domain/render/headers/raw-content-headers";
import type { ArchiveDocument } from "@plinth/domain/files/archive";
import type { FileDocument } from "@plinth/domain/files/read";
import type { DiffDocument } from "@plinth/domain/versions/diff";
import type { SourceDocument } from "@plinth/domain/versions/source";
import type { ThumbnailDocument } from "@plinth/domain/thumbnails/show";
import type { ArtifactEvents } from "@plinth/domain/events/watch";
import { isHeld, opaqueTag } from "@plinth/platform/entity-tags";
import type { PlainAnswer } from "@plinth/platform/ready-answers";
import { isShort, wholeBody } from "@plinth/platform/whole-body";

import { archiveBytes, archiveStream } from "./archive-stream.ts";
import { eventStream } from "./event-stream.ts";
import { logFault } from "./log.ts";
import { rangeResponse } from "./range.ts";

type Headers = Record<string, string>;

/** The response to a successful answer. @throws rate_limited, unavailable where there are too many streams or downloads */
export function respond(request: Request, answer: Answer, headers: Headers): Response {
  if (answer.replayed) headers["idempotency-replayed"] = "true";
  if (answer.status === 204)
    return new Response(null, { status: 204, headers: { ...headers, "cache-control": "no-store" } });
  switch (answer.operation.media) {
    case "source":
      return source(request, answer.value as SourceDocument, headers);
    case "diff":
      return diff(request, answer.value as DiffDocument, headers);
    case "thumbnail":
      return thumbnail(request, answer.value as ThumbnailDocument, headers);
    case "file":
      return file(request, answer.value as FileDocument, headers);
    case "archive":
      return archive(request, answer.value as ArchiveDocument, accountOf(answer.principal), headers);
    case "events":
      return eventStream(request, answer.value as ArtifactEvents, headers);
    default:
      return json(request, statusOf(answer), answer.value, headers, answer.operation.etag ?? false);
  }
}

/** An instance that reports itself as failing also has that status (docs/reference/experience.md §6). */
const statusOf = ({ operation, status, value }: Answer): number =>
  operation.name === "health" && (value as { status: string }).status === "fail" ? 503 : status;

const jsonHeaders = { "content-type": "application/json" } as const;

function json(request: Request, status: number, value: unknown, headers: Headers, hasTag: boolean): Response {
  Object.assign(headers, jsonHeaders);
  if (hasTag) return tagged(request, encodedOf(value), headers, status);
  const body = encoder.encode(JSON.stringify(value));
  return sized(body, { ...headers, "x-content-type-options": "nosniff", "cache-control": "no-store" }, status);
}

function source(request: Request, document: SourceDocument, headers: Headers): Response {
  if (request.headers.has("if-none-match")) {
    const unchanged = fresh(request, { ...headers, ...sourceHeaders(document) });
    if (unchanged !== null) return unchanged;
  }
  if (document.part !== null)
    return sized(document.part.bytes as Uint8Array<ArrayBuffer>, { ...headers, ...sourceHeaders(document) });
  const part = request.headers.has("range")
    ? rangeResponse(request, document.bytes, { ...headers, ...sourceHeaders(document) })
    : null;
  if (part !== null) return part;
  const { body, own } = readyFor(document);
  const response = new Response(body ?? wholeBody(document.bytes as Uint8Array<ArrayBuffer>), { headers: own });
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}

function sourceHeaders(document: SourceDocument): Headers {
  const { artifactId, versionNumber, slug, type, sha256, part } = document;
  const headers = {
    ...rawContentHeaders(type, `${slug}.${type}`),
    "x-artifact-id": artifactId,
    "x-artifact-version": String(versionNumber),
    etag: part === null ? `"${sha256}"` : `"${sha256}-${Bun.hash.xxHash64(part.bytes).toString(36)}"`,
    ...(part === null && { "accept-ranges": "bytes" }),
    ...(part !== null && { "x-artifact-lines": `${part.startLine}-${part.endLine}/${part.totalLines}` }),
    ...(part?.nextLine !== undefined && { "x-artifact-next-line": String(part.nextLine) }),
  };
  cachedFor(document, headers);
  return headers;
}

/**
 * Prepared parts of repeated responses: the server would otherwise copy an array, and check each header, every time.
 */
interface Ready {
  readonly of: SourceDocument;
  /** Of a short document; null where the bytes themselves are sent. */
  readonly body: Blob | null;
  readonly own: globalThis.Headers;
}

const encoder = new TextEncoder();

/** Kept as long as the bytes are (domain/storage/cache.ts). Of several documents with the same bytes, the latest. */
const ready = createObjectCache<Uint8Array, Ready>("contentHeaders");

function readyFor(document: SourceDocument): Ready {
  const { bytes } = document;
  const last = ready.get(bytes);
  if (last !== undefined && isSame(last.of, document)) return last;
  const body = isShort(bytes) ? (last?.body ?? new Blob([bytes as Uint8Array<ArrayBuffer>])) : null;
  const own = new globalThis.Headers({ ...sourceHeaders(document), "content-length": String(bytes.length) });
  const made = { of: document, body, own };
  ready.set(bytes, made);
  return made;
}

const isSame = (one: SourceDocument, other: SourceDocument): boolean =>
  (Object.keys(one) as (keyof SourceDocument)[]).every((name) => one[name] === other[name]);

/** Any cache may store a public response, and revalidates it each time. */
function cachedFor({ isPublic }: { readonly isPublic: boolean }, headers: Headers): void {
  headers["cache-control"] = isPublic ? "public, no-cache" : "private, no-cache";
  headers["vary"] = "authorization, cookie, x-share-token";
}

function thumbnail(request: Request, document: ThumbnailDocument, headers: Headers): Response {
  const { state, slug, tag, body } = document;
  const [media, ending] = state === "ready" ? ["image/webp", "webp"] : ["image/svg+xml", "svg"];
  Object.assign(headers, inertHeaders(media, `${slug}.${ending}`));
  // Documents show the screenshots of others, and have an opaque origin.
  if (document.isPublic) headers["cross-origin-resource-policy"] = "cross-origin";
  headers["x-thumbnail"] = state;
  headers["etag"] = `"${tag}"`;
  cachedFor(document, headers);
  const unchanged = fresh(request, headers);
  if (unchanged !== null) return unchanged;
  if (body === null) throw new Error("the screenshot was not read although the caller does not have it");
  return sized(body as string | Uint8Array<ArrayBuffer>, headers);
}

/** A file that is read as it is: a page of it runs nothing. */
function file(request: Request, document: FileDocument, headers: Headers): Response {
  const { bytes } = document;
  Object.assign(headers, fileHeaders(document));
  const unchanged = fresh(request, headers);
  if (unchanged !== null) return unchanged;
  if (bytes === null) throw new Error("the file was not read although the caller does not have it");
  return sized(bytes as Uint8Array<ArrayBuffer>, headers);
}

function fileHeaders(document: FileDocument): Headers {
  const { name, mediaType, sha256 } = document;
  const headers: Headers = { ...inertHeaders(mediaType, name), etag: `"${sha256}"` };
  cachedFor(document, headers);
  return headers;
}

/** A version with its files. @throws rate_limited, unavailable where there are too many downloads */
function archive(request: Request, document: ArchiveDocument, caller: string, headers: Headers): Response {
  const { name, tag, createdAt, content } = document;
  const inert = inertHeaders("application/zip", name);
  const disposition = inert["content-disposition"]?.replace(/^inline/, "attachment") ?? "attachment";
  Object.assign(headers, inert, { "content-disposition": disposition, etag: `"${tag}"` });
  cachedFor(document, headers);
  const unchanged = fresh(request, headers);
  if (unchanged !== null) return unchanged;
  if (content === null) throw new Error("the archive was not read although the caller does not have it");
  headers["content-length"] = String(archiveBytes(content.entries));
  const requestId = headers["x-request-id"] ?? "";
  const onFault = (error: unknown) => logFault(error, requestId);
  return new Response(archiveStream(content, { caller, lastModified: createdAt, onFault }), { headers });
}

function diff(request: Request, { tag, written }: DiffDocument, headers: Headers): Response {
  const isUnified = prefersUnified(request.headers.get("accept"));
  headers["vary"] = "accept";
  headers["content-type"] = isUnified ? "text/x-diff; charset=utf-8" : "application/json";
  if (isUnified) headers["content-security-policy"] = "default-src 'none'; sandbox; frame-ancestors 'none'";
  Object.assign(headers, taggedHeaders(`W/"${tag}${isUnified ? unifiedTag : ""}"`));
  const unchanged = fresh(request, headers);
  if (unchanged !== null) return unchanged;
  if (written === null) throw new Error("the diff was not made although the caller does not have it");
  return sized(isUnified ? written.unified : written.json, headers);
}

/** Ends the tag of a unified diff, which is another text than the JSON. */
const unifiedTag = "-unified";

interface Encoded {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly etag: string;
}

/** Of results that are the same object for many callers (domain/request/invoke.ts). */
const encodedResults = createObjectCache<object, Encoded>("encodedResults");

function encodedOf(value: unknown): Encoded {
  const known = typeof value === "object" && value !== null ? encodedResults.get(value) : undefined;
  if (known !== undefined) return known;
  const encoded = withTag(encoder.encode(JSON.stringify(value)));
  if (typeof value === "object" && value !== null) encodedResults.set(value, encoded);
  return encoded;
}

const withTag = (body: Uint8Array<ArrayBuffer>): Encoded => ({
  body,
  etag: `W/"${Bun.hash.xxHash64(body).toString(36)}"`,
});

/** A private answer that the caller may keep and ask for again. */
function tagged(request: Request, { body, etag }: Encoded, headers: Headers, status = 200): Response {
  Object.assign(headers, taggedHeaders(etag));
  return fresh(request, headers) ?? sized(body, headers, status);
}

const taggedHeaders = (etag: string): Headers => ({
  "x-content-type-options": "nosniff",
  "cache-control": "private, no-cache",
  etag,
});

/** A whole answer, without the headers of one request; null where it is another one for each request. */
export function plainAnswerOf({ operation: { media, etag: hasTag }, value }: Answer): PlainAnswer | null {
  if (media === "source") {
    const document = value as SourceDocument;
    if (document.part !== null) return null;
    const { body, own } = readyFor(document);
    return { body: body ?? (document.bytes as Uint8Array<ArrayBuffer>), headers: own };
  }
  if (media === "file") {
    const document = value as FileDocument;
    const body = document.bytes as Uint8Array<ArrayBuffer> | null;
    if (body === null) return null;
    const own = { ...fileHeaders(document), "content-length": String(body.length) };
    return { body, headers: new globalThis.Headers(own) };
  }
  if (media !== undefined || hasTag !== true) return null;
  const { body, etag } = encodedOf(value);
  // Otherwise the bytes are in memory twice, beside the result and in the answer that is kept.
  encodedResults.delete(value as object);
  const own = { ...jsonHeaders, ...taggedHeaders(etag), "content-length": String(body.length) };
  return { body, headers: new globalThis.Headers(own) };
}

/** Sets the length, which the server would determine too late for the log. */
export function sized(body: string | Uint8Array<ArrayBuffer>, headers: Readonly<Headers>, status = 200): Response {
  // Encoded once, for the length and the response.
  const bytes = typeof body === "string" ? encoder.encode(body) : body;
  return new Response(wholeBody(bytes), { status, headers: { ...headers, "content-length": String(bytes.length) } });
}

/** A unified diff is sent to a caller that names it and does not name JSON before it. */
function prefersUnified(accept: string | null): boolean {
  const types = (accept ?? "").split(",").map((part) => part.split(";")[0]?.trim().toLowerCase());
  const unified = types.findIndex((type) => type === "text/x-diff" || type === "text/x-patch");
  const jsonAt = types.indexOf("application/json");
  return unified >= 0 && (jsonAt < 0 || unified < jsonAt);
}

/** 304 where the caller already has it. */
export function fresh(request: Request, headers: Headers): Response | null {
  const tag = headers["etag"];
  if (tag === undefined || !isHeld(request.headers.get("if-none-match"), tag)) return null;
  const { "content-type": _, "content-disposition": __, ...kept } = headers;
  return new Response(null, { status: 304, headers: kept });
}

/** More than any cache holds for one URL. */
const heldAtMost = 16;

/** The caller's ETags, without their quotes; of a diff those of the form that is asked for, as the domain has them. */
export function heldTags({ headers }: Request, { media }: Pick<Operation, "media"> = {}): string[] {
  const tags = (headers.get("if-none-match") ?? "")
    .split(",", heldAtMost)
    .flatMap((tag) => /^"([^"]+)"$/.exec(opaqueTag(tag))?.[1] ?? []);
  if (media !== "diff") return tags;
  const ending = prefersUnified(headers.get("accept")) ? unifiedTag : "";
  return tags.filter((tag) => tag.endsWith(ending)).map((tag) => tag.slice(0, tag.length - ending.length));
}
