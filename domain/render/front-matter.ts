// The metadata before a markdown document: YAML between `---`, TOML between `+++`. Hidden from readers.

const frontMatter =
  /^\uFEFF?(?:---[ \t]*\r?\n(?:[^\n]*\n)*?(?:---|\.\.\.)|\+\+\+[ \t]*\r?\n(?:[^\n]*\n)*?\+\+\+)[ \t]*(?:\r?\n|$)/;

/** The document without its front matter; one that doesn't end is none. */
export const withoutFrontMatter = (source: string): string => source.replace(frontMatter, "");
