// The forms in which a callout is named: GitHub's, Obsidian's and GitLab's `[!note]`, Docusaurus' and VitePress' `:::tip Title`,
// Quarto's `::: {.callout-tip}`, MyST's `{tip}`, MkDocs' `!!! tip "Title"`. What one looks like is the renderer's.

export const alertStyles = ["note", "tip", "important", "warning", "caution"] as const;
type AlertStyle = (typeof alertStyles)[number];

export interface Callout {
  /** Null for a box that opens and has no kind. */
  readonly style: AlertStyle | null;
  /** Null where the style's name is the title. */
  readonly title: string | null;
  /** Null where it does not fold. */
  readonly fold: "open" | "closed" | null;
}

const names: Readonly<Record<AlertStyle, string>> = {
  note: "note info todo abstract summary tldr example quote cite question help faq seealso admonition",
  tip: "tip hint success check done",
  important: "important",
  warning: "warning attention",
  caution: "caution danger error failure fail missing bug",
};
const styles = new Map(alertStyles.flatMap((style) => names[style].split(" ").map((name) => [name, style] as const)));
const boxes = new Set(["details", "dropdown"]);

/** A name with a capital. */
export const titleOf = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1).toLowerCase();

/** Null where no callout has that name. */
export function calloutNamed(name: string, given: string, fold: Callout["fold"] = null): Callout | null {
  const title = given.trim();
  const key = name.toLowerCase();
  if (boxes.has(key)) return { style: null, title: title === "" ? "Details" : title, fold: fold ?? "closed" };
  const style = styles.get(key);
  if (style === undefined) return null;
  return { style, title: title !== "" ? title : key === style ? null : titleOf(key), fold };
}

/** A callout by what stands behind the signs of a container or a fence; null where that is none. */
export function calloutOf(info: string): Callout | null {
  const [, directive, behind = ""] = /^\{([a-z][\w-]*)\}(.*)$/i.exec(info) ?? [];
  if (directive !== undefined) return calloutNamed(directive, behind);
  const [, attributes] = /^\{([^{}]*)\}$/.exec(info) ?? [];
  if (attributes !== undefined) return ofAttributes(attributes);
  const [, name = "", bracketed, rest = ""] =
    /^([a-z][\w-]*)(?:\[([^\]]*)\])?(?:\{[^{}]*\})?(?:[ \t](.*))?$/i.exec(info) ?? [];
  return calloutNamed(name, bracketed ?? rest);
}

function ofAttributes(attributes: string): Callout | null {
  const [, collapse] = /(?:^|\s)collapse=["']?(true|false)/.exec(attributes) ?? [];
  const [, , title = ""] = /(?:^|\s)title=(["'])(.*?)\1/.exec(attributes) ?? [];
  const fold = collapse === "true" ? "closed" : collapse === "false" ? "open" : null;
  for (const [, name = ""] of attributes.matchAll(/(?:^|\s)\.(?:callout-)?([\w-]+)/g)) {
    const found = calloutNamed(name, title, fold);
    if (found !== null) return found;
  }
  return null;
}

/** The first lines of a directive of MyST's, which are its options. */
const options = /^(?:[ \t]*:[\w-]+:[^\n]*(?:\n|$))+/;

/** A directive's callout and text without its options, of which one may name another kind or fold it. */
export function withOptions(callout: Callout, text: string): { readonly callout: Callout; readonly text: string } {
  const [given] = options.exec(text) ?? [];
  if (given === undefined) return { callout, text };
  const classes = /:class:([^\n]*)/.exec(given)?.[1]?.trim().split(/\s+/) ?? [];
  const style = classes.map((name) => styles.get(name)).find((one) => one !== undefined) ?? callout.style;
  const fold = classes.includes("dropdown") ? "closed" : callout.fold;
  return { callout: { ...callout, style, fold }, text: text.slice(given.length) };
}
