// GFM's task lists: a list item that begins with `[ ]` or `[x]` begins with a checkbox instead.
import type { MarkdownIt } from "markdown-it";

const box = /^\[([ \txX\n])\](?=[ \t\n])/;

export function withTaskLists(parser: MarkdownIt): void {
  parser.core.ruler.before("inline", "task_lists", (state) => {
    state.tokens = state.tokens.flatMap((token, index) => {
      if (token.type !== "inline" || state.tokens[index - 2]?.type !== "list_item_open") return [token];
      if (state.tokens[index - 1]?.type !== "paragraph_open") return [token];
      const marked = box.exec(token.content)?.[1];
      if (marked === undefined) return [token];
      token.content = token.content.slice(3);
      const checkbox = new state.Token("task_checkbox", "input", 0);
      checkbox.meta = { checked: /x/i.test(marked) };
      return [checkbox, token];
    });
  });
  parser.renderer.rules["task_checkbox"] = (tokens, index) =>
    `<input${(tokens[index]?.meta as { checked: boolean } | undefined)?.checked ? ' checked=""' : ""} disabled="" type="checkbox" />`;
}
