// Artifact pages as bytes: what a reader without a cookie gets of a public artifact is rendered once and sent again as
// long as the API answers the same. Access is decided by that answer, on every request; only the rendering is saved.
import { createObjectCache } from "@plinth/platform/caches";
import { createHash } from "node:crypto";

import type { Read } from "@plinth/contract/client";
import type { Input, Output } from "@plinth/contract/registry";
import {
  createReadyAnswers,
  type MadeAnswer,
  type ReadyAnswer,
  type ReadyAnswers,
} from "@plinth/platform/ready-answers";

import { languageCookie, languageOf } from "./src/messages/language.ts";
import { prefersSource } from "./src/lib/server/prefers-source.ts";
import { searchKeyOf } from "./src/lib/server/search-key.ts";
import { relativeTime } from "./src/lib/time.ts";

const artifactPath = /^\/([a-z0-9-]+)\/([a-z0-9-]+)\/([a-z0-9-]+)$/;

/** A reader who has only chosen a language gets the same page as the others of that language. */
const languageCookieAlone = new RegExp(`^${languageCookie}=\\w+$`);

/** Whether a visitor sends no cookie but that of the language. */
export const showsNothing = (headers: Headers): boolean =>
  languageCookieAlone.test(headers.get("cookie") ?? `${languageCookie}=en`);

/** What the load of the artifact page asks the API for. */
type PlainView = Input<"artifact.getByPath">;

/** The artifact whose page the request is for, if all its readers without a cookie get the same one; otherwise null. */
export function plainViewOf({ method, headers }: Request, { pathname, search }: URL): PlainView | null {
  if (method !== "GET" || search !== "") return null;
  if (!showsNothing(headers)) return null;
  const [, owner, projectSlug, slug] = artifactPath.exec(pathname) ?? [];
  if (owner === undefined || projectSlug === undefined || slug === undefined) return null;
  if (prefersSource(headers.get("accept") ?? "")) return null;
  return { owner, projectSlug, slug, withPackages: true, withFiles: true, withNeighbours: true };
}

/** Keys of answers, which may be the same object for many readers. */
const answerKeys = createObjectCache<Output<"artifact.getByPath">, string>("pageKeys");

/** All that the page is rendered from, for `keep` and `find`; null where it is not the same for all readers. */
export function keyOf(request: Request, artifact: Output<"artifact.getByPath">): string | null {
  if (!artifact.access.publicView || artifact.movedTo !== undefined) return null;
  let answerKey = answerKeys.get(artifact);
  if (answerKey === undefined) answerKeys.set(artifact, (answerKey = JSON.stringify(artifact)));
  // The page says how long ago the latest version was published.
  return `${languageOf(request.headers)} ${relativeTime(artifact.latestAt)} ${searchKeyOf({ request })} ${answerKey}`;
}

type ReadyPages = Pick<ReadyAnswers, "find"> & {
  /** Reads a page that was rendered for one reader, and keeps it for all. */
  keep(key: string, rendered: Response): Promise<ReadyAnswer>;
};

export function createReadyPages(): ReadyPages {
  const answers = createReadyAnswers("readyPages");
  return {
    find: (key) => answers.find(key),
    keep: async (key, rendered) => answers.keep(key, forAllReaders(await rendered.text(), rendered.headers)),
  };
}

/** Allows the inline scripts by their hashes, because a nonce would make each response another one. */
function forAllReaders(rendered: string, headers: Headers): MadeAnswer {
  const policy = headers.get("content-security-policy") ?? "";
  const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? "";
  const attribute = ` nonce="${nonce}"`;
  const html = rendered.replaceAll(attribute, "");
  const inline = rendered.split(`<script${attribute}>`).slice(1);
  const hashes = inline.map((script) => `'sha256-${hashOf(script.slice(0, script.indexOf("</script>")), "base64")}'`);
  const fixed: [string, string][] = [...headers].filter(([name]) => !perResponse.has(name));
  // A text has none.
  if (policy !== "") fixed.push(["content-security-policy", policy.replace(`'nonce-${nonce}'`, hashes.join(" "))]);
  fixed.push(["etag", `W/"${hashOf(html, "base64url").slice(0, 22)}"`], ["vary", "Accept, Accept-Language"]);
  return { body: html, headers: fixed };
}

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
