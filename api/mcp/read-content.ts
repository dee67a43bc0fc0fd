// `get_artifact_content`: a version's text in pages, because it may be too long for a model to read at once. A page
// ends at the end of a line, except within a line longer than a page. The joined pages equal the text, byte for byte.
import { registry } from "@plinth/contract/registry";
import type { Artifact } from "@plinth/contract/schemas/artifact";
import { Body } from "@plinth/contract/schemas/shape";
import { textOf } from "@plinth/domain/storage/pack";
import { noSuchVersion } from "@plinth/domain/access/refusals";
import { fieldErrors, invalid } from "@plinth/domain/input";
import { lineStarts, type ContentPart } from "@plinth/domain/versions/content-part";
import type { SourceDocument } from "@plinth/domain/versions/source";

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
  const { versionNumber, bytes, part: found } = value as SourceDocument;
  const address = `${url}?v=${versionNumber}`;
  if (found?.found !== undefined) return foundLines(found, address);
  const { content, ...lines } = pageOf(textOf(bytes), { ...found, ...own });
  return { summary: `${address} ${linesText(lines)}`, text: content };
}

/** UTF-16 code units of a found line. */
const lineCharacters = 1000;

const shortened = (line: string): string =>
  line.length <= lineCharacters ? line : `${line.slice(0, lineCharacters).toWellFormed()}…`;

/** Lines of grep or outline, as many as a page holds. */
function foundLines({ text, found = 0, startLine, endLine, totalLines }: ContentPart, address: string): ToolAnswer {
  const within = endLine - startLine + 1 === totalLines ? "" : `, of its lines ${startLine} to ${endLine}`;
  const lines = text.split("\n").map(shortened);
  const whole = lines.join("\n");
  const fits = whole.length <= pageCharacters;
  const shown = fits ? whole : whole.slice(0, whole.lastIndexOf("\n", pageCharacters) + 1);
  const nextLine = fits ? null : Number.parseInt(whole.slice(shown.length), 10);
  const more = nextLine === null ? "." : `, too many for one answer: send startLine ${nextLine} for more.`;
  return {
    summary: `${address} has ${counted(totalLines, "line")}${within}; ${counted(found, "line")} found${more}`,
    text: shown,
  };
}

interface Wanted {
  readonly startLine?: number;
  readonly endLine?: number;
  /** In the first line. */
  readonly startColumn?: number;
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

/** The lines are the text's; columns count from 1. @throws invalid_request where the line has no such column */
export function pageOf(text: string, { startLine = 1, endLine, startColumn = 1 }: Wanted): Page {
  const starts = lineStarts(text);
  const totalLines = starts.length;
  const last = Math.min(endLine ?? totalLines, totalLines);
  const endOf = (line: number) => starts[line] ?? text.length;
  const from = (starts[startLine - 1] ?? 0) + startColumn - 1;
  if (startColumn > 1 && from >= endOf(startLine))
    throw invalid([{ path: "startColumn", message: "is past the end of the line" }]);
  let line = startLine;
  while (line < last && endOf(line + 1) - from <= pageCharacters) line++;
  const whole = endOf(line);
  if (whole - from <= pageCharacters) {
    const page = { content: text.slice(from, whole), startLine, endLine: line, totalLines };
    return line < last ? { ...page, nextLine: line + 1 } : page;
  }
  // One line is longer than a page; no character is split.
  const to = from + pageCharacters - (isHighSurrogate(text, from + pageCharacters - 1) ? 1 : 0);
  const nextColumn = to - (starts[startLine - 1] ?? 0) + 1;
  return { content: text.slice(from, to), startLine, endLine: startLine, totalLines, nextLine: startLine, nextColumn };
}

const isHighSurrogate = (text: string, at: number): boolean => (text.charCodeAt(at) & 0xfc00) === 0xd800;

function linesText({ startLine, endLine, totalLines, nextLine, nextColumn }: Omit<Page, "content">): string {
  const lines = startLine === endLine ? `line ${startLine}` : `lines ${startLine} to ${endLine}`;
  if (nextLine === undefined) return `has ${counted(totalLines, "line")}; this is ${lines}.`;
  const next =
    nextColumn === undefined ? `startLine ${nextLine}` : `startLine ${nextLine} and startColumn ${nextColumn}`;
  return `has ${counted(totalLines, "line")}; this is ${lines}, and the text goes on: send ${next} for more.`;
}
