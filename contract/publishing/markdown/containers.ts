// Finds the lines of colons around containers, of which callouts.ts makes pairs, and MkDocs' `!!! note "Title"` with its
// indented text.
import type { MarkdownIt, StateBlock } from "markdown-it";
import { isIndentedAsCode, lineAt } from "./block-lines.ts";
import { calloutNamed, type Callout } from "./callout-forms.ts";
import { calloutTokens } from "./callout-tokens.ts";

/** Of the token `container_fence`. */
export interface ContainerFence {
  /** How many colons. */
  readonly length: number;
  /** Empty in a line that ends a container. */
  readonly info: string;
}

const alt = ["paragraph", "reference", "blockquote", "list"];

export function withContainers(parser: MarkdownIt): void {
  parser.block.ruler.before("fence", "container_fence", containerFence, { alt });
  parser.block.ruler.before("fence", "admonition", admonition, { alt });
}

/** A longer line is prose. */
const longest = 500;

function shortLineAt(state: StateBlock, line: number): string {
  const start = (state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0);
  const isLong = (state.eMarks[line] ?? 0) - start > longest;
  return isLong || isIndentedAsCode(state, line) ? "" : lineAt(state, line);
}

const fence = /^(:{3,})(?:[ \t]*([{A-Za-z].*?)[ \t]*:*)?$/;

function containerFence(state: StateBlock, startLine: number, _endLine: number, silent: boolean): boolean {
  if (state.src.charCodeAt((state.bMarks[startLine] ?? 0) + (state.tShift[startLine] ?? 0)) !== 0x3a) return false;
  const content = shortLineAt(state, startLine);
  const [, colons, info = ""] = fence.exec(content) ?? [];
  if (colons === undefined) return false;
  if (silent) return true;
  const token = state.push("container_fence", "", 0);
  token.meta = { length: colons.length, info } satisfies ContainerFence;
  token.content = content;
  token.map = [startLine, startLine + 1];
  state.line = startLine + 1;
  return true;
}

const title = /^(!!!|\?\?\?\+?)[ \t]+([A-Za-z][\w-]*(?:[ \t]+[A-Za-z][\w-]*){0,3})[ \t]*(?:"([^"]*)")?$/;

function admonition(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  const [, sign = "", words = "", given = ""] = title.exec(shortLineAt(state, startLine)) ?? [];
  const fold = sign === "???" ? "closed" : sign === "???+" ? "open" : null;
  const callout =
    words === ""
      ? null
      : (words
          .split(/\s+/)
          .map((name) => calloutNamed(name, given, fold))
          .find((one) => one !== null) ?? null);
  if (callout === null) return false;
  const end = indentedEnd(state, startLine + 1, endLine);
  if (end === startLine + 1) return false;
  if (!silent) readIndented(state, callout, startLine, end);
  return true;
}

/** Behind the last line that is indented by four. */
function indentedEnd(state: StateBlock, from: number, endLine: number): number {
  let end = from;
  for (let line = from; line < endLine; line++) {
    if (state.isEmpty(line)) continue;
    if ((state.sCount[line] ?? 0) < state.blkIndent + 4) break;
    end = line + 1;
  }
  return end;
}

function readIndented(state: StateBlock, callout: Callout, startLine: number, end: number): void {
  const { blkIndent, parentType, lineMax } = state;
  const { open, close } = calloutTokens(state.Token, callout, state.level);
  state.tokens.push(...open);
  state.level++;
  state.blkIndent += 4;
  state.lineMax = end;
  state.md.block.tokenize(state, startLine + 1, end);
  Object.assign(state, { blkIndent, parentType, lineMax });
  state.level--;
  state.tokens.push(close);
  state.line = end;
}
