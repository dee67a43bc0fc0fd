// All references of a text by its kind. The parsers are loaded when a text needs them.
import type { Reference } from "./reference.ts";

/** Kinds of text that can refer to files. */
export type TextKind = "md" | "html" | "css" | "js" | "jsx" | "ts";

const kinds: Readonly<Record<string, TextKind>> = {
  md: "md",
  markdown: "md",
  html: "html",
  htm: "html",
  css: "css",
  js: "js",
  mjs: "js",
  jsx: "jsx",
  tsx: "jsx",
  ts: "ts",
};

/** By the extension of a path; null where a file of it refers to nothing. */
export const textKindOf = (path: string): TextKind | null =>
  kinds[/\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? ""] ?? null;

export interface Found {
  readonly references: readonly Reference[];
  /** Of an html document with a `<base>`. */
  readonly base: string | null;
}

export async function referencesIn(kind: TextKind, text: string): Promise<Found> {
  if (kind === "html") return (await import("./html-references.ts")).htmlReferences(text);
  const references =
    kind === "md"
      ? (await import("./markdown-references.ts")).markdownReferences(text)
      : kind === "css"
        ? (await import("./style-references.ts")).styleReferences(text)
        : (await import("./script-references.ts")).scriptReferences(text, kind);
  return { references, base: null };
}
