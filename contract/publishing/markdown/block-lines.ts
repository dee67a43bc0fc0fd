// The lines of a block of Markdown, as the parser's rules read them.
import type { StateBlock } from "markdown-it";

/** Without its indentation and the spaces at its end. */
export const lineAt = ({ src, bMarks, tShift, eMarks }: StateBlock, line: number): string =>
  src.slice((bMarks[line] ?? 0) + (tShift[line] ?? 0), eMarks[line]).trimEnd();

/** Whether it is indented as code is. */
export const isIndentedAsCode = ({ sCount, blkIndent }: StateBlock, line: number): boolean =>
  (sCount[line] ?? 0) - blkIndent >= 4;
