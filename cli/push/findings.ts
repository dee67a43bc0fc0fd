// The output of a push about the files beside its documents and the links of a folder. Contains nothing about requests.
import type { LeftOut, ReferencePlace } from "@plinth/contract/publishing/references/collect";
import { onceEach } from "@plinth/contract/publishing/references/parts";

import { fileSize } from "../output/formatting.ts";
import { oneLine } from "../terminal/style.ts";
import type { LinkReport } from "./links.ts";
import type { Pushed } from "./publish.ts";
import type { Push } from "./push.ts";

/** For programs; left out where there are none. */
export interface Findings {
  readonly notFound?: readonly ReferencePlace[];
  readonly leftOut?: readonly Omit<LeftOut, "isLink">[];
}

/** Lines of one kind; the others are counted. */
const linesMax = 20;

export function findingsOf({ found }: Push): Findings {
  const notFound = onceEach(found?.notFound ?? []);
  const leftOut = onceEach(found?.leftOut ?? []).map(({ isLink: _isLink, ...rest }) => rest);
  return { ...(notFound.length > 0 && { notFound }), ...(leftOut.length > 0 && { leftOut }) };
}

/** Of one document: "3 files with it (120 KiB, 1 uploaded)", and what is missing. */
export function linesOfOne(
  push: Push,
  { files, suggestedTitle, url }: Pick<Pushed, "files" | "suggestedTitle" | "url">,
): string[] {
  const { notFound = [], leftOut = [] } = findingsOf(push);
  const placeOf = ({ line, file }: ReferencePlace) => `${file === null ? "" : `${oneLine(file)}, `}line ${line}`;
  return [
    ...(suggestedTitle === undefined
      ? []
      : [
          `It calls itself "${oneLine(suggestedTitle)}", and is titled by its file's name; to change that: ` +
            `plinth artifact patch ${oneLine(url)} --title ${quoted(suggestedTitle)}`,
        ]),
    ...(files === undefined ? [] : [`${counted(files.count, "file")} with it (${sizeAndUploads(files)})`]),
    ...bounded(notFound.map((place) => `not found: ${oneLine(place.url)} (${placeOf(place)})`)),
    ...bounded(leftOut.map((place) => `left out: ${oneLine(place.url)} (${placeOf(place)}): ${place.reason}`)),
  ];
}

/** Of several documents. Links of a folder are told by `linkLines`. */
export function linesOfMany(
  pushes: readonly Push[],
  sent: { files: number; bytes: number },
  isFolder: boolean,
): string[] {
  const files = new Map(pushes.flatMap(({ found }) => found?.files ?? []).map((file) => [file.sha256, file]));
  const sizeBytes = [...files.values()].reduce((sum, file) => sum + file.sizeBytes, 0);
  const nameOf = ({ source }: Push, { line, file }: ReferencePlace) =>
    oneLine(file === null ? `${source.name}:${line}` : `${source.name}: ${file}:${line}`);
  const lines = (kind: "notFound" | "leftOut", word: string) =>
    pushes.flatMap((push) =>
      onceEach<ReferencePlace & Partial<LeftOut>>(push.found?.[kind] ?? [])
        .filter(({ isLink }) => !(isFolder && isLink))
        .map(
          (place) => `${nameOf(push, place)}: ${word}: ${oneLine(place.url)}${place.reason ? `: ${place.reason}` : ""}`,
        ),
    );
  return [
    ...(files.size === 0
      ? []
      : [`${counted(files.size, "file")} with them (${sizeAndUploads({ sizeBytes, uploaded: sent.files })})`]),
    ...bounded(lines("notFound", "not found")),
    ...bounded(lines("leftOut", "left out")),
  ];
}

/** "295 links, 3 broken:", and each of these. */
export function linkLines({ count, broken }: LinkReport): string[] {
  if (count === 0) return [];
  if (broken.length === 0) return [`${counted(count, "link")}, none broken`];
  return [
    `${counted(count, "link")}, ${broken.length} broken:`,
    ...bounded(
      broken.map(
        ({ file, line, url, reason }) => `  ${oneLine(`${file}:${line} → ${url}`)}${reason ? ` (${reason})` : ""}`,
      ),
    ),
  ];
}

/** As one word of a shell. */
const quoted = (text: string): string => `'${oneLine(text).replaceAll("'", "'\\''")}'`;

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

const sizeAndUploads = ({ sizeBytes, uploaded }: { sizeBytes: number; uploaded: number }): string =>
  `${fileSize(sizeBytes)}, ${uploaded} uploaded`;

const bounded = (lines: readonly string[]): string[] =>
  lines.length <= linesMax ? [...lines] : [...lines.slice(0, linesMax), `  and ${lines.length - linesMax} more`];
