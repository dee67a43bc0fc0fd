// Leaves out what tools left in a document for themselves: marks of citations, and the style sheets of a notebook's tables.
import type { MarkdownIt, StateBlock } from "markdown-it";
import { isIndentedAsCode, lineAt } from "@plinth/contract/publishing/markdown/block-lines";
import { withoutCitationMarks } from "@plinth/contract/publishing/markdown/citation-marks";

export function withoutLeftOver(parser: MarkdownIt): void {
  parser.block.ruler.before("html_block", "table_style", tableStyle, { alt: ["paragraph", "reference", "blockquote"] });
  parser.core.ruler.push("citation_marks", ({ tokens }) => {
    for (const { children } of tokens)
      for (const token of children ?? [])
        if (token.type === "text") token.content = withoutCitationMarks(token.content);
  });
}

/** More lines than the style of a table has. */
const longest = 400;

/** A style element ahead of a table, as notebooks write it, with a `<div>` around both or without. */
function tableStyle(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  if (isIndentedAsCode(state, startLine)) return false;
  const opens = lineAt(state, startLine) === "<div>";
  const first = opens ? startLine + 1 : startLine;
  if (first >= endLine || !/^<style(?: scoped| type="text\/css")?>$/.test(lineAt(state, first))) return false;
  const most = Math.min(endLine - 1, first + longest);
  for (let line = first + 1; line < most; line++) {
    const text = lineAt(state, line);
    // Each search ends ahead of the next.
    if (text.startsWith("<style")) return false;
    if (text !== "</style>") continue;
    if (!lineAt(state, line + 1).startsWith("<table")) return false;
    if (silent) return true;
    if (opens) state.push("html_block", "", 0).content = "<div>\n";
    state.line = line + 1;
    return true;
  }
  return false;
}
