// Tells the guard of a document which files are beside it, so that a link to one is followed there.
import { escapeHtml } from "../escape-html.ts";
import type { DocumentFiles } from "./relative-links.ts";

/** An attribute of the guard's script element, with a space ahead of it; empty without files. */
export const filesAttribute = (files: DocumentFiles | null): string =>
  files === null ? "" : ` data-files="${escapeHtml(JSON.stringify({ root: files.url, paths: [...files.paths] }))}"`;
