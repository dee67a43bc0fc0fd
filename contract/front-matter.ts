// Finds the metadata before a markdown document: YAML between `---` lines, TOML between `+++` lines. It does not parse
// the metadata: the renderer hides them, and the command line reads them.

const opening = /^\uFEFF?(---|\+\+\+)[ \t]*\r?\n/;
const closing = { "---": /^(?:---|\.\.\.)[ \t]*\r?(?:\n|$)/gm, "+++": /^\+\+\+[ \t]*\r?(?:\n|$)/gm } as const;

export interface FrontMatter {
  readonly format: "yaml" | "toml";
  /** The text between the delimiter lines. */
  readonly text: string;
  readonly body: string;
}

/** The document's front matter; null where there is none or it has no end. Linear in the length of the source. */
export function frontMatterOf(source: string): FrontMatter | null {
  const [begin, mark] = opening.exec(source) ?? [];
  if (begin === undefined || (mark !== "---" && mark !== "+++")) return null;
  const end = closing[mark];
  end.lastIndex = begin.length;
  const found = end.exec(source);
  if (!found) return null;
  return {
    format: mark === "---" ? "yaml" : "toml",
    text: source.slice(begin.length, found.index),
    body: source.slice(found.index + found[0].length),
  };
}
