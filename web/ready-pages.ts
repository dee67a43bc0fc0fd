// Artifact pages as bytes: what a reader without a cookie gets of a public artifact is rendered once and sent again as
// long as the API answers the same. Access is decided by that answer, on every request; only the rendering is saved.
import { createHash } from "node:crypto";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

import type { Read } from "@plinth/contract/client";
import type { Input, Output } from "@plinth/contract/registry";
import { codingOf } from "@plinth/platform/accept-encoding";
import { LRUCache } from "lru-cache";

import { languageCookie, languageOf } from "./src/messages/language.ts";
import { prefersSource } from "./src/lib/server/prefers-source.ts";
import { searchKeyOf } from "./src/lib/server/search-key.ts";

/** The bytes of all pages together. About 1,000 pages. */
const maxBytes = 32 * 1024 * 1024;

/** A page says "2 minutes ago": it is rendered again each minute. */
const freshMs = 60_000;

const artifactPath = /^\/([a-z0-9-]+)\/([a-z0-9-]+)\/([a-z0-9-]+)$/;

/** A reader who has only chosen a language gets the same page as the others of that language. */
const languageCookieAlone = new RegExp(`^${languageCookie}=\\w+$`);

/** What the load of the artifact page asks the API for. */
type PlainView = Input<"artifact.getByPath">;

/** The artifact whose page the request is for, if all its readers without a cookie get the same one; otherwise null. */
export function plainViewOf({ method, headers }: Request, { pathname, search }: URL): PlainView | null {
  if (method !== "GET" || search !== "") return null;
  if (!languageCookieAlone.test(headers.get("cookie") ?? `${languageCookie}=en`)) return null;
  const [, owner, projectSlug, slug] = artifactPath.exec(pathname) ?? [];
  if (owner === undefined || projectSlug === undefined || slug === undefined) return null;
  if (prefersSource(headers.get("accept") ?? "")) return null;
  return { owner, projectSlug, slug, withPackages: true, withFiles: true, withNeighbours: true };
}

/** All that the page is rendered from, for `keep` and `find`; null where it is not the same for all readers. */
export function keyOf(request: Request, artifact: Output<"artifact.getByPath">): string | null {
  if (!artifact.access.publicView || artifact.movedTo !== undefined) return null;
  return `${Math.floor(Date.now() / freshMs)} ${searchKeyOf({ request })} ${JSON.stringify(artifact)}`;
}

/** Where the page is saved: each language of a path has its own. */
export const placeOf = ({ headers }: Request, { pathname }: URL): string => `${languageOf(headers)} ${pathname}`;

export interface ReadyPage {
  /** The page in the first coding that the reader accepts, or 304 where they have it. */
  answer(request: Request, requestId: string): Response;
}

export interface ReadyPages {
  find(place: string, key: string): ReadyPage | null;
  /** Reads a page that was rendered for one reader, and keeps it for all. */
  keep(place: string, key: string, rendered: Response): Promise<ReadyPage>;
}

interface Kept extends ReadyPage {
  readonly key: string;
  readonly size: number;
}

export function createReadyPages(): ReadyPages {
  const pages = new LRUCache<string, Kept>({ maxSize: maxBytes, sizeCalculation: ({ size }) => size });
  return {
    find(place, key) {
      const page = pages.get(place);
      return page?.key === key ? page : null;
    },
    async keep(place, key, rendered) {
      const page = readyPage(key, await rendered.text(), rendered.headers);
      pages.set(place, page);
      return page;
    },
  };
}

/** Allows the inline scripts by their hashes, because a nonce would make each response another one. */
function readyPage(key: string, rendered: string, headers: Headers): Kept {
  const policy = headers.get("content-security-policy") ?? "";
  const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? "";
  const attribute = ` nonce="${nonce}"`;
  const html = rendered.replaceAll(attribute, "");
  const inline = rendered.split(`<script${attribute}>`).slice(1);
  const hashes = inline.map((script) => `'sha256-${hashOf(script.slice(0, script.indexOf("</script>")), "base64")}'`);
  const plain = Buffer.from(html);
  // Compressed for the first reader who accepts the coding.
  const forms: { br?: Uint8Array<ArrayBuffer>; gzip?: Uint8Array<ArrayBuffer> } = {};
  const fixed: [string, string][] = [...headers].filter(([name]) => !perResponse.has(name));
  fixed.push(
    ["content-security-policy", policy.replace(`'nonce-${nonce}'`, hashes.join(" "))],
    ["etag", `W/"${hashOf(html, "base64url").slice(0, 22)}"`],
    ["vary", "Accept, Accept-Language, Accept-Encoding"],
  );
  const etag = fixed.find(([name]) => name === "etag")?.[1];

  return {
    key,
    // The compressed forms are never larger together than the page.
    size: key.length + 2 * plain.byteLength,
    answer(request, requestId) {
      const own = new Headers(fixed);
      own.set("x-request-id", requestId);
      if (request.headers.get("if-none-match") === etag) return new Response(null, { status: 304, headers: own });
      const coding = codingOf(request.headers.get("accept-encoding"), ["br", "gzip"]);
      const body = coding === null ? plain : (forms[coding] ??= compress[coding](plain));
      if (coding !== null) own.set("content-encoding", coding);
      own.set("content-length", String(body.byteLength));
      return new Response(body, { headers: own });
    },
  };
}

const compress = {
  br: (page: Buffer) => brotliCompressSync(page, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (page: Buffer) => gzipSync(page),
} as const;

/** Headers of the rendered response that do not belong to every answer. */
const perResponse: ReadonlySet<string> = new Set([
  "content-length",
  "content-security-policy",
  "etag",
  "set-cookie",
  "vary",
  "x-request-id",
]);

const hashOf = (text: string, encoding: "base64" | "base64url"): string =>
  createHash("sha256").update(text).digest(encoding);

/** Reads as `read`, but takes one answer that was asked for before. */
export function readOnce(read: Read, view: PlainView, answer: Awaited<ReturnType<Read>>): Read {
  let isTaken = false;
  return async (name, input, headers) => {
    if (isTaken || name !== "artifact.getByPath" || JSON.stringify(input) !== JSON.stringify(view))
      return read(name, input, headers);
    isTaken = true;
    return answer as never;
  };
}
