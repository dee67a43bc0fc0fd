// The text of a document in its page, for programs that read a page as it is sent: its frame is empty to them.
import { ProblemError } from "@plinth/contract/client";
import type { RequestEvent } from "@sveltejs/kit";
import { clientOf } from "./api.ts";
import { artifactNamed } from "./artifact-at.ts";

/** Characters of the text in the page. */
const longest = 16_000;
/** Bytes of the source that are read for it: html has more than its text. */
const readBytes = 64 * 1024;

interface DocumentText {
  readonly text: string;
  /** Whether there is more of the document. */
  readonly isCut: boolean;
}

/**
 * Asked for together with the artifact, as the visitor may read it. Null for visitors with a cookie, who have the page in a
 * browser, for a version by its number, and where there is no such text.
 */
export async function documentText(event: RequestEvent): Promise<DocumentText | null> {
  if (event.request.headers.has("cookie") || event.url.searchParams.has("v")) return null;
  const headers = { range: `bytes=0-${readBytes - 1}` };
  try {
    const answer = await clientOf(event).send("version.content", { artifactId: artifactNamed(event) }, { headers });
    // A character at the end of the range may be incomplete.
    const source = new TextDecoder().decode(await answer.arrayBuffer(), { stream: true });
    const isHtml = answer.headers.get("content-type")?.startsWith("text/html") === true;
    return shortened(isHtml ? textOfHtml(source) : source, answer.status === 206 && !isWhole(answer));
  } catch (cause) {
    // The page is refused for the same reason, by the answer about the artifact.
    if (cause instanceof ProblemError) return null;
    throw cause;
  }
}

function isWhole({ headers }: Response): boolean {
  const [, last = "", size = ""] = /-(\d+)\/(\d+)$/.exec(headers.get("content-range") ?? "") ?? [];
  return Number(last) + 1 >= Number(size);
}

function shortened(text: string, hasMore: boolean): DocumentText | null {
  if (text.trim() === "") return null;
  const isCut = hasMore || text.length > longest;
  // A pair of surrogates is not cut in two.
  return { text: text.slice(0, longest).replace(/[\uD800-\uDBFF]$/, ""), isCut };
}

/** What a reader sees of html, without its layout. Each pattern goes through the source once. */
export function textOfHtml(source: string): string {
  return source
    .replaceAll(/<!--[^]*?(?:-->|$)/g, "")
    .replaceAll(/<(script|style|template|svg|head|title)\b[^]*?(?:<\/\1\s*>|$)/gi, " ")
    .replaceAll(/<(?:br|p|div|li|tr|h[1-6]|section|article|table|ul|ol|pre|blockquote)\b/gi, "\n$&")
    .replaceAll(/<[^>]*(?:>|$)/g, "")
    .replaceAll(/&(amp|lt|gt|quot|apos|nbsp|#39);/g, (_, name: string) => entities[name] ?? "")
    .replaceAll(/[^\S\n]+/g, " ")
    .replaceAll(/ ?\n\s*/g, "\n")
    .trim();
}

const entities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  "#39": "'",
  nbsp: " ",
};
