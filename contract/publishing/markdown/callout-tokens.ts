// The tokens of a callout: an element that is marked with `data-alert`, and its title.
import type { StateCore, Token } from "markdown-it";
import { titleOf, type Callout } from "./callout-forms.ts";

interface CalloutTokens {
  /** Ahead of the content. */
  readonly open: readonly Token[];
  readonly close: Token;
}

/** Of a callout that stands at that level. */
export function calloutTokens(Kind: StateCore["Token"], { style, title, fold }: Callout, level: number): CalloutTokens {
  const make = (type: string, tag: string, nesting: -1 | 0 | 1): Token =>
    Object.assign(new Kind(type, tag, nesting), { block: nesting !== 0, level });
  const tag = fold === null ? "blockquote" : "details";
  const open = make("callout_open", tag, 1);
  if (style !== null) open.attrSet("data-alert", style);
  if (fold === "open") open.attrSet("open", "");
  const close = make("callout_close", tag, -1);
  const words = title ?? (fold !== null && style !== null ? titleOf(style) : null);
  if (words === null) return { open: [open], close };
  const titleTag = fold === null ? "p" : "summary";
  const titleOpen = make("paragraph_open", titleTag, 1);
  if (fold === null) titleOpen.attrSet("data-alert-title", "");
  const inline = Object.assign(make("inline", "", 0), { content: words, children: [] });
  return { open: [open, titleOpen, inline, make("paragraph_close", titleTag, -1)], close };
}
