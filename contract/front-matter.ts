// Where the metadata before a markdown document ends: YAML between `---` lines, TOML between `+++` lines.
// Says where it is, for readers it is hidden from and for the command line that reads it; not what is in it.

const opening = /^\uFEFF?(---|\+\+\+)[ \t]*\r?\n/;
const closing = { "---": /^(?:---|\.\.\.)[ \t]*\r?(?:\n|$)/gm, "+++": /^\+\+\+[ \t]*\r?(?:\n|$)/gm } as const;

export interface FrontMatter {
  readonly format: "yaml" | "toml";
  /** What stands between the lines that mark it. */
  readonly text: string;
  readonly body: string;
}

/** The document's front matter; null where there is none, as where it doesn't end. Linear in its length. */
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
