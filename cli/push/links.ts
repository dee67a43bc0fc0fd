// The links between the documents of a folder: how many there are, and which of them lead nowhere after the push
// (docs/reference/contract.md §3, "Artifact"). Sends nothing.
import { resolve } from "node:path";

import { knownExtensions } from "@plinth/contract/publishing/document-type";
import type { Artifact } from "@plinth/contract/schemas/artifact";

import { posixBelow } from "../document-files/allowed-place.ts";
import type { Push } from "./push.ts";

interface BrokenLink {
  /** The document as it is shown. */
  readonly file: string;
  readonly line: number;
  readonly url: string;
  readonly reason?: string;
}

export interface LinkReport {
  readonly count: number;
  readonly broken: readonly BrokenLink[];
}

/** What a link can lead to. */
interface Targets {
  readonly paths: ReadonlySet<string>;
  readonly foldedPaths: ReadonlySet<string>;
  readonly slugs: ReadonlySet<string>;
}

/** Of the documents with a source path. `others` are the artifacts that the project has beside them. */
export function checkLinks(pushes: readonly Push[], others: readonly Artifact[], directory: string): LinkReport {
  const paths = new Set([
    ...pushes.flatMap(({ body }) => body.sourcePath ?? []),
    ...others.flatMap(({ sourcePath }) => sourcePath ?? []),
  ]);
  const targets: Targets = {
    paths,
    foldedPaths: new Set([...paths].map(fold)),
    slugs: new Set([...pushes.map(({ body, known }) => known?.slug ?? body.slug), ...others.map(({ slug }) => slug)]),
  };
  let count = 0;
  const broken: BrokenLink[] = [];
  for (const { file, found, source } of pushes) {
    if (found === undefined || file.within === null) continue;
    const folder = resolve(directory, file.within.folder);
    const leftOut = found.leftOut.filter(({ isLink }) => isLink);
    count += found.fileLinks + found.links.length + leftOut.length;
    for (const { url, line, reason } of leftOut) broken.push({ file: source.name, line, url, reason });
    for (const { target, url, line } of found.links)
      if (target === null || !isThere(posixBelow(folder, target), targets))
        broken.push({ file: source.name, line, url });
  }
  return { count, broken };
}

/** As the service resolves it: by source path, with and without extension, a folder's first page, in any case, by slug. */
function isThere(target: string, { paths, foldedPaths, slugs }: Targets): boolean {
  const path = target.replace(/\/+$/, "");
  if (/^\.\.(?:\/|$)/.test(path)) return false;
  const ways = waysTo(path === "." ? "" : path);
  if (ways.some((way) => paths.has(way) || foldedPaths.has(fold(way)))) return true;
  return slugs.has(
    withoutExtension(path)
      .slice(path.lastIndexOf("/") + 1)
      .toLowerCase(),
  );
}

function waysTo(path: string): string[] {
  const stem = withoutExtension(path);
  const names = knownExtensions.flatMap((extension) =>
    ["README", "index"].map((name) => `${path === "" ? "" : `${path}/`}${name}${extension}`),
  );
  return [path, ...knownExtensions.flatMap((extension) => [`${path}${extension}`, `${stem}${extension}`]), ...names];
}

const extensions = new Set(knownExtensions);

const withoutExtension = (path: string): string => {
  const dot = path.lastIndexOf(".");
  return dot > 0 && extensions.has(path.slice(dot).toLowerCase()) ? path.slice(0, dot) : path;
};

const fold = (path: string): string => path.normalize("NFC").toLowerCase();
