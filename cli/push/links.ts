// The links between the documents of a folder: how many there are, and which of them lead nowhere after the push
// (docs/reference/contract.md §3, "Artifact"). Sends nothing.
import { resolve } from "node:path";

import { foldedPath, isAmong, type LinkTargets } from "@plinth/contract/publishing/references/document-links";
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

/** Of the documents with a source path. `others` are the artifacts that the project has beside them. */
export function checkLinks(pushes: readonly Push[], others: readonly Artifact[], directory: string): LinkReport {
  const paths = [
    ...pushes.flatMap(({ body }) => body.sourcePath ?? []),
    ...others.flatMap(({ sourcePath }) => sourcePath ?? []),
  ];
  const targets: LinkTargets = {
    paths: new Set(paths.map(foldedPath)),
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
      if (target === null || !isAmong(posixBelow(folder, target), targets))
        broken.push({ file: source.name, line, url });
  }
  return { count, broken };
}
