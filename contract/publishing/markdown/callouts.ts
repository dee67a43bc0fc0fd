// Reads callouts from what the block rules found: quotes that begin with `[!note]`, directives in fences, and containers
// between lines of colons. Marks each with `data-alert`; what one looks like is the renderer's.
import type { MarkdownIt, StateCore, Token } from "markdown-it";
import { type Callout, calloutNamed, calloutOf, withOptions } from "./callout-forms.ts";
import { calloutTokens } from "./callout-tokens.ts";
import { type ContainerFence, withContainers } from "./containers.ts";

/** Directives in directives that are read; deeper ones stay code. */
const deepest = 8;
/** Containers that are open at once. */
const mostOpen = 60;

export function withCallouts(parser: MarkdownIt): void {
  withContainers(parser);
  parser.core.ruler.after("block", "callouts", (state) => {
    state.tokens = withContainersRead(state, withQuotesRead(state, state.tokens, 0));
  });
}

const first = /^\[!([a-z][\w-]{0,40})(?:\|[^\]\n]*)?\]([+-]?)(?:[ \t]+([^\n]*))?(?:\n|$)/i;

/** Quotes and directives; those of a directive's own text too. */
function withQuotesRead(state: StateCore, tokens: readonly Token[], depth: number): Token[] {
  const read: Token[] = [];
  /** Of each quote that is open, what ends it. */
  const closing: (Token | null)[] = [];
  for (const [index, token] of tokens.entries()) {
    if (token.type === "blockquote_open") {
      const callout = quoted(tokens, index);
      const made = callout && calloutTokens(state.Token, callout, token.level);
      closing.push(made?.close ?? null);
      read.push(...(made?.open ?? [token]));
    } else if (token.type === "blockquote_close") read.push(closing.pop() ?? token);
    else if (token.type === "fence") for (const inner of directive(state, token, depth)) read.push(inner);
    else read.push(token);
  }
  return read;
}

/** The callout that a quote is, whose first line is taken out of it. */
function quoted(tokens: readonly Token[], index: number): Callout | null {
  const [paragraph, inline, end, next] = tokens.slice(index + 1, index + 5);
  if (paragraph?.type !== "paragraph_open" || inline?.type !== "inline" || end === undefined) return null;
  const [line, name = "", sign = "", title = ""] = first.exec(inline.content) ?? [];
  if (line === undefined) return null;
  const alone = line.length === inline.content.length;
  const isAll = alone && next?.type === "blockquote_close";
  // Nothing but a kind is a quote of it.
  if (isAll && title.trim() === "") return null;
  // As GitHub's kinds are written, with a sentence behind one: many documents have their text there.
  const isText = isAll && sign === "" && name === name.toUpperCase();
  const callout = calloutNamed(name, isText ? "" : title, sign === "" ? null : sign === "+" ? "open" : "closed");
  if (callout === null || callout.style === null) return null;
  inline.content = isText ? title : inline.content.slice(line.length);
  if (alone && !isText) hide(paragraph, inline, end);
  return callout;
}

function directive(state: StateCore, fence: Token, depth: number): Token[] {
  const found = depth < deepest && fence.info.startsWith("{") ? calloutOf(fence.info.trim()) : null;
  if (found === null) return [fence];
  const { callout, text } = withOptions(found, fence.content);
  const inner: Token[] = [];
  state.md.block.parse(text, state.md, state.env, inner);
  const removed = fence.content.slice(0, fence.content.length - text.length).split("\n").length - 1;
  const line = (fence.map?.[0] ?? 0) + 1 + removed;
  for (const token of inner) {
    token.level += fence.level + 1;
    if (token.map) token.map = [token.map[0] + line, token.map[1] + line];
  }
  const { open, close } = calloutTokens(state.Token, callout, fence.level);
  return [...open, ...withQuotesRead(state, inner, depth + 1), close];
}

/** Makes containers of the lines of colons that begin and end one, and text of the others. */
function withContainersRead(state: StateCore, tokens: Token[]): Token[] {
  const ends = endsOf(tokens);
  const closing = new Map<number, readonly Token[]>();
  const read: Token[] = [];
  for (const [index, token] of tokens.entries()) {
    const { info } = (token.meta ?? {}) as Partial<ContainerFence>;
    const end = ends.get(index);
    if (token.type !== "container_fence") read.push(token);
    else if (closing.has(index)) read.push(...(closing.get(index) ?? []));
    else if (end === undefined || info === undefined) read.push(...asText(state, token));
    else {
      const found = calloutOf(info);
      if (found === null) {
        // Attributes are no words of the document; of a name that says nothing here the line is shown.
        const isHidden = info.startsWith("{");
        if (!isHidden) read.push(...asText(state, token));
        closing.set(end, isHidden ? [] : asText(state, tokens[end] as Token));
        continue;
      }
      const callout = info.startsWith("{") ? begun(found, info, tokens.slice(index + 1, index + 4)) : found;
      const { open, close } = calloutTokens(state.Token, callout, token.level);
      closing.set(end, [close]);
      read.push(...open);
    }
  }
  return read;
}

/** A directive's options are in its first paragraph; a heading that comes first is the title of one of Quarto's. */
function begun(callout: Callout, info: string, [open, inline, close]: readonly Token[]): Callout {
  const isQuarto = /^\{[^}]*\.callout-/.test(info);
  if (inline?.type !== "inline" || open === undefined || close === undefined) return callout;
  if (open.type === "heading_open" && callout.title === null && isQuarto) {
    const { content: title } = inline;
    hide(open, inline, close);
    return { ...callout, title };
  }
  if (open.type !== "paragraph_open") return callout;
  const found = withOptions(callout, inline.content);
  inline.content = found.text;
  if (found.text === "") hide(open, inline, close);
  return found.callout;
}

function hide(open: Token, inline: Token, close: Token): void {
  inline.content = "";
  open.hidden = close.hidden = true;
}

/** By the place of a line that begins a container, that of the line that ends it. */
function endsOf(tokens: readonly Token[]): Map<number, number> {
  const ends = new Map<number, number>();
  const open: { readonly index: number; readonly length: number; readonly level: number }[] = [];
  for (const [index, { type, level, meta }] of tokens.entries()) {
    // The block around it has ended.
    while ((open.at(-1)?.level ?? 0) > level) open.pop();
    if (type !== "container_fence") continue;
    const { length = 0, info = "" } = (meta ?? {}) as Partial<ContainerFence>;
    if (info !== "") {
      if (open.length < mostOpen) open.push({ index, length, level });
      continue;
    }
    // The one of as many colons, else the innermost.
    const same = open.findLastIndex((one) => one.length === length && one.level === level);
    const [found] = same === -1 && open.at(-1)?.level !== level ? [] : open.splice(same);
    if (found !== undefined) ends.set(found.index, index);
  }
  return ends;
}

function asText(state: StateCore, { content, level, map }: Token): Token[] {
  const open = Object.assign(new state.Token("paragraph_open", "p", 1), { block: true, level, map });
  const inline = Object.assign(new state.Token("inline", "", 0), { content, map, level: level + 1, children: [] });
  return [open, inline, Object.assign(new state.Token("paragraph_close", "p", -1), { block: true, level })];
}
