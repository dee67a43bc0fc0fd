// The type of a document by its file's name. Apart from inference.ts, whose reader of front matter is heavy on a page.
import type { ArtifactType } from "../schemas/artifact.ts";

const types: Readonly<Record<string, ArtifactType>> = {
  ".md": "md",
  ".markdown": "md",
  ".html": "html",
  ".htm": "html",
  ".jsx": "jsx",
  ".tsx": "jsx",
};

export const knownExtensions: readonly string[] = Object.keys(types);

/** The type by the file extension; null for an unknown extension. */
export const inferType = (name: string): ArtifactType | null => types[extension(name).toLowerCase()] ?? null;

/** The extension with its dot; empty where the whole name is an extension. */
export const extension = (path: string): string => /[^.](\.[^.]*)$/.exec(fileName(path))?.[1] ?? "";

/** The last part of a path with `/` or `\\`. */
export const fileName = (path: string): string => /[^/\\]*$/.exec(path.replace(/[/\\]+$/, ""))?.[0] ?? "";
