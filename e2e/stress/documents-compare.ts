// Why a published document is not what its author meant: it is compared with its reference, or, where it has none, with
// what its source says. Pure.
import { frameMessageLimits } from "@plinth/contract/frame-messages";

import type { FailedRequest, Look } from "./documents-look.ts";
import type { Reference } from "./documents-reference.ts";

/** A package that a document asks for and does not get. */
export interface MissingPackage {
  readonly url: string;
  readonly code: string;
  readonly detail: string;
}

export interface Cause {
  /** What causes are counted by. */
  readonly kind: string;
  /** What it is in this document. */
  readonly detail: string;
}

export interface Verdict {
  /** Why it differs; without any it is as the reference. */
  readonly causes: readonly Cause[];
  /** What neither the instance nor the reference can load here, for information. */
  readonly elsewhere: readonly Cause[];
  /** Files beside it that it loads and that are not published. */
  readonly missingFiles: readonly Cause[];
}

/** The part of the reference's words that must be there: numbers, times and random texts differ. */
const enoughWords = 0.95;

export function compare(
  look: Look,
  missing: readonly MissingPackage[],
  reference: Pick<Reference, "look" | "beside">,
): Verdict {
  const unreachable = new Set(reference.look.failed.map(({ url }) => shortened(url)));
  const beside = new Set(reference.beside.map((path) => path.split("/").at(-1)));
  const isBeside = (url: string) => isOfInstance(url) && beside.has(new URL(url).pathname.split("/").at(-1));
  const missed = new Set(missing.map(({ url }) => shortened(url)));
  const failed = look.failed.filter(({ url }) => !missed.has(shortened(url)) && !isBeside(url));
  // A connection for live data is to nothing that is kept, and no event tells that the reference's failed too.
  const isLive = (url: string) => /^wss?:/.test(url);
  const elsewhere = failed.filter(({ url }) => unreachable.has(shortened(url)) || isLive(url));
  const blocked = failed.filter(({ url }) => !unreachable.has(shortened(url)) && !isLive(url));
  const errors = without(look.errors.map(plain), reference.look.errors.map(plain));
  const brokenImages = without(look.brokenImages, reference.look.brokenImages);
  const causes = [
    ...missing.map(({ url, code, detail }) => ({ kind: `package: ${code}`, detail: `${url} (${detail})` })),
    ...blocked.map(({ url, why }) => ({ kind: `blocked: ${why}`, detail: url })),
    ...errors.map((detail) => ({ kind: "page error", detail })),
    ...textLoss(look.text, reference.look.text),
    ...brokenImages.map((detail) => ({ kind: "broken image", detail })),
    ...without(look.brokenLinks, reference.look.brokenLinks).map((detail) => ({ kind: "broken link", detail })),
    ...(look.drawings * 2 < reference.look.drawings
      ? [{ kind: "missing drawings", detail: `${look.drawings} of ${reference.look.drawings}` }]
      : []),
  ];
  return { causes, elsewhere: elsewhere.map(otherSite), missingFiles: reference.beside.map(missingFile) };
}

export const missingFile = (path: string): Cause => ({ kind: "file beside it", detail: path });

/** As a frame tells it. */
const shortened = (url: string): string => url.slice(0, frameMessageLimits.address);

const otherSite = ({ url, why }: FailedRequest): Cause => ({ kind: `another site: ${why}`, detail: url });

/** As a URL of the instance's, whose document stands at another path than the reference's. */
const isOfInstance = (url: string): boolean =>
  URL.canParse(url) && /^(?:127\.0\.0\.1|localhost)$/.test(new URL(url).hostname);

/** Without the positions and URLs, which differ. */
/** The first line, without what browsers and frames put before it. */
const plain = (message: string): string =>
  message
    .replace(/^Uncaught (?:\(in promise\) )?/, "")
    .replace(/^\w*Error: /, "")
    .split("\n")[0] ?? "";

const without = (some: readonly string[], others: readonly string[]): string[] => [
  ...new Set(some.filter((one) => !others.includes(one))),
];

/** The words of the expected text that are not shown, where these are too many. */
export function textLoss(shown: string, expected: string, enough = enoughWords): Cause[] {
  const left = Map.groupBy(wordsOf(shown), (word) => word);
  const lost: string[] = [];
  const words = wordsOf(expected);
  for (const word of words) {
    const same = left.get(word);
    if (same === undefined || same.pop() === undefined) lost.push(word);
  }
  // A few words, such as those of a clock, may differ in any document.
  if (lost.length <= 3 || lost.length <= words.length * (1 - enough)) return [];
  const sample = lost.slice(0, 8).join(" ");
  return [{ kind: "text missing", detail: `${lost.length} of ${words.length} words: ${sample}` }];
}

export const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
