// The packages of a version in the words of its page. Runs on the server alone.
import type { UsedPackage } from "@plinth/contract/schemas/package";
import { artifactTexts } from "#messages/artifact.ts";

/** So many are named in the menu. */
const named = 3;

export interface MissingFile {
  readonly what: string;
  readonly reason: string;
  readonly remedy: string;
}

interface ShownPackages {
  /** The first pinned packages, and how many others there are; null where there are none. */
  readonly uses: string | null;
  readonly missing: readonly MissingFile[];
  /** Whether something is missing that may be there at another attempt. */
  readonly canRetry: boolean;
}

export function shownPackages(packages: readonly UsedPackage[]): ShownPackages {
  // What other packages import is on the whole list.
  const kept = packages.filter(({ state, urls }) => state === "kept" && urls.length > 0);
  const words = kept.slice(0, named).map(({ name, version }) => `${name} ${version}`);
  const others = kept.length - words.length;
  const missing = packages.filter(({ state }) => state === "missing");
  return {
    uses: words.length === 0 ? null : shortened(words.join(", "), others),
    missing: missing.map(({ name, urls, reason, remedy }) => ({
      what: urls[0] ?? name ?? "",
      reason: reason ?? "",
      remedy: remedy ?? "",
    })),
    canRetry: missing.some(({ name }) => name !== null),
  };
}

const shortened = (words: string, others: number): string =>
  others > 0 ? artifactTexts().andMore({ words, count: others }) : words;
