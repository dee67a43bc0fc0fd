// `get_artifact_content`: a version's text in pages, because it may be too long for a model to read at once. A page
// ends at the end of a line, except within a line longer than a page. The joined pages equal the text, byte for byte.
import { registry } from "@plinth/contract/registry";
import type { Artifact } from "@plinth/contract/schemas/artifact";
import { Body } from "@plinth/contract/schemas/shape";
import { textOf } from "@plinth/domain/storage/pack";
import { noSuchVersion } from "@plinth/domain/access/refusals";
import { fieldErrors, invalid } from "@plinth/domain/input";
import { partOf, type ContentPart } from "@plinth/domain/versions/content-part";
import type { SourceDocument } from "@plinth/domain/versions/source";
import { columnIn, textUpTo } from "@plinth/contract/text-bytes";

import type { Arguments } from "./arguments.ts";
import { perform, type Exchange } from "./exchange.ts";
import { counted } from "./item-lines.ts";
import type { ToolAnswer } from "./result.ts";

/** UTF-16 code units of one page. */
export const pageCharacters = 40_000;

const { artifactId: _, ...fields } = registry["version.content"].input.properties;
const part = Body(fields);

/**
 * The artifact is loaded first, because the content is found by identifier only and lacks the names for its URL. Faults
 * of the arguments are reported before that.
 */
export async function readPage(
  exchange: Exchange,
  { own, input: { artifactId: name, ...input }, errors }: Arguments,
): Promise<ToolAnswer> {
  const wrong = [...errors, ...(errors.length === 0 ? fieldErrors(part, input) : [])];
  const named = await perform(exchange, "artifact.get", { input: { artifactId: name }, errors: wrong });
  const { artifactId, url, latestVersion } = named.value as Artifact;
  if (Number(input["version"] ?? 1) > latestVersion) throw noSuchVersion(latestVersion);
  const { value } = await perform(exchange, "version.content", { input: { ...input, artifactId }, errors: [] });
  const { versionNumber, part: found, ...source } = value as SourceDocument;
  const address = `${url}?v=${versionNumber}`;
  if (found?.found !== undefined) return foundLines(found, address);
  const { content, ...lines } = pageOf(found ?? partOf(source, {}), own);
  return { summary: `${address} ${linesText(lines)}`, text: content };
}

/** Lines of grep or outline, as many as a page holds. */
function foundLines(
  { bytes, found = 0, nextLine: unread, startLine, endLine, totalLines }: ContentPart,
  address: string,
): ToolAnswer {
  const within = endLine - startLine + 1 === totalLines ? "" : `, of its lines ${startLine} to ${endLine}`;
  const whole = textOf(bytes);
  const fits = whole.length <= pageCharacters;
  const shown = fits ? whole : whole.slice(0, whole.lastIndexOf("\n", pageCharacters) + 1);
  const nextLine = fits ? unread : (lineAfter(shown, whole.slice(shown.length)) ?? unread);
  const more = nextLine === undefined ? "." : `, too many for one answer: send startLine ${nextLine} for more.`;
  const first = unread === undefined ? "" : "the first ";
  return {
    summary: `${address} has ${counted(totalLines, "line")}${within}; ${first}${counted(found, "line")} found${more}`,
    text: shown,
  };
}

/** The first line of the rest that is not shown in part: reading on from a line begins with all that was found in it. */
function lineAfter(shown: string, rest: string): number | undefined {
  const last = Number.parseInt(shown.slice(shown.lastIndexOf("\n", shown.length - 2) + 1), 10);
  return rest
    .split("\n")
    .map((line) => Number.parseInt(line, 10))
    .find((line) => line > last);
}

export interface Page {
  readonly content: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly totalLines: number;
  /** Present where more of the requested text remains. */
  readonly nextLine?: number;
  readonly nextColumn?: number;
}

/**
 * The first page of lines, from a column of the first one. Columns count from 1, in UTF-16 code units.
 * @throws invalid_request where the line has no such column
 */
export function pageOf(part: ContentPart, { startColumn = 1 }: { readonly startColumn?: number }): Page {
  const { bytes, startLine, endLine, totalLines } = part;
  const place = startColumn === 1 ? { offset: 0, column: 1 } : columnIn(bytes, startColumn);
  if (place === null) throw invalid([{ path: "startColumn", message: "is past the end of the line" }]);
  // A code unit more than a page tells whether the part ends with it.
  const text = textUpTo(bytes, place.offset, bytes.length, pageCharacters + 1);
  const lines = { startLine, totalLines };
  if (text.length <= pageCharacters) return { content: text, ...lines, endLine };
  const end = text.lastIndexOf("\n", pageCharacters - 1) + 1;
  if (end > 0) {
    const content = text.slice(0, end);
    const last = startLine + content.split("\n").length - 2;
    return { content, ...lines, endLine: last, nextLine: last + 1 };
  }
  // One line is longer than a page; no character is split.
  const to = pageCharacters - (isHighSurrogate(text, pageCharacters - 1) ? 1 : 0);
  return {
    content: text.slice(0, to),
    ...lines,
    endLine: startLine,
    nextLine: startLine,
    nextColumn: place.column + to,
  };
}

const isHighSurrogate = (text: string, at: number): boolean => (text.charCodeAt(at) & 0xfc00) === 0xd800;

function linesText({ startLine, endLine, totalLines, nextLine, nextColumn }: Omit<Page, "content">): string {
  const lines = startLine === endLine ? `line ${startLine}` : `lines ${startLine} to ${endLine}`;
  if (nextLine === undefined) return `has ${counted(totalLines, "line")}; this is ${lines}.`;
  const next =
    nextColumn === undefined ? `startLine ${nextLine}` : `startLine ${nextLine} and startColumn ${nextColumn}`;
  return `has ${counted(totalLines, "line")}; this is ${lines}, and the text goes on: send ${next} for more.`;
}
