// Why a URL of a document has no file, in plain words, and what the document's author can do about it. What a registry or a
// network said is left out: it names machines.
import { mapUrl } from "./cdn/map-url.ts";
import type { LockEntry, Missing } from "./lock.ts";
import type { ProblemCode } from "./problem.ts";

export interface Reason {
  readonly reason: string;
  readonly remedy: string;
}

/** The package that a URL asks for, as far as the URL says; null where it is of none. */
export function packageOf({ url, use }: Pick<LockEntry, "url" | "use">): { name: string; range: string } | null {
  const [wanted] = mapUrl(url, use) ?? [];
  return wanted === undefined ? null : { name: wanted.name, range: wanted.range };
}

const triedAgain = "It is tried again. To ask at once, retry.";
const askOperator = "Ask the operator of this instance.";

const words: Readonly<Record<ProblemCode, (name: string, detail: string) => Reason>> = {
  "package-not-found": (name) => ({
    reason: `The registry has no package ${name}`,
    remedy: "Correct the name in the URL.",
  }),
  "version-not-found": (_name, detail) => ({ reason: detail, remedy: "Name a version that exists, or none." }),
  "file-not-found": (_name, detail) => ({ reason: detail, remedy: "Name a file that the package has." }),
  "no-integrity": (name) => ({
    reason: `The registry states no strong digest of ${name}`,
    remedy: "Use another version or another package.",
  }),
  "wrong-integrity": (name) => ({
    reason: `What the registry sent of ${name} is not what it states`,
    remedy: triedAgain,
  }),
  "invalid-answer": (name) => ({ reason: `The registry's answer about ${name} can't be read`, remedy: triedAgain }),
  "invalid-archive": (name) => ({ reason: `The archive of ${name} can't be read`, remedy: "Use another version." }),
  "too-large": (name) => ({
    reason: `${name} is larger than a document may load, or larger together with its other packages`,
    remedy: "Load fewer or smaller files.",
  }),
  "registry-refused": (name) => ({ reason: `The registry refuses ${name}`, remedy: askOperator }),
  "registry-unreachable": () => ({ reason: "The registry did not answer", remedy: triedAgain }),
  "registry-off": (name) => ({
    reason: `${name} is not kept here, and this instance fetches no packages`,
    remedy: "Ask the operator of this instance to import it, then retry.",
  }),
  "too-many": (_name, detail) => ({ reason: detail, remedy: "Load fewer files." }),
  unsupported: (name, detail) => ({
    reason: `${name} can't be made into one module: ${detail}`,
    remedy: "Load a file of the package that browsers run as it is.",
  }),
  "not-published": (name) => ({
    reason: `${name} was beside the file and was not published`,
    remedy: "Put it into the document, for example as a data: URL.",
  }),
};

/** The package that is missing, or of which a part of the URL is missing; null where the URL says none. */
export const missingName = (entry: Pick<LockEntry, "url" | "use">, { name }: Missing): string | null =>
  name ?? packageOf(entry)?.name ?? null;

export const reasonFor = (entry: Pick<LockEntry, "url" | "use">, missing: Missing): Reason =>
  words[missing.code](missingName(entry, missing) ?? entry.url, missing.detail);

/** Null where nothing is missing. */
export const reasonOf = (entry: LockEntry): Reason | null =>
  entry.missing === null ? null : reasonFor(entry, entry.missing);
