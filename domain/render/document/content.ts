// Types of the content of each kind of document.
import type { CompiledJsx } from "../jsx/compiler.ts";
import type { ShownDrawing } from "./diagrams.ts";
import type { DocumentFiles } from "./relative-links.ts";
import type { ShownImage } from "./remote-images.ts";

export interface MarkdownContent {
  readonly kind: "md";
  readonly title: string;
  /** From `markdownFragment`. */
  readonly html: string;
  /** Absolute, with a slash at the end: relative links lead there. */
  readonly folderUrl: string;
  /** The origins of the app and of the content. */
  readonly ownOrigins: ReadonlySet<string>;
  /** Absent where there are none. */
  readonly files?: DocumentFiles | null;
  /** The kept image of another site, or why it is missing. */
  readonly imageOf: (url: string) => ShownImage;
  /** The drawing of a diagram by its key; absent where the reader's browser draws all of them. */
  readonly drawingOf?: ((key: string) => ShownDrawing | undefined) | undefined;
  /** Whether its images are being fetched, or formulas and code of it made: it then loads itself again. */
  readonly isWaiting?: boolean;
}

/** What a jsx document loads of kept packages. */
export interface LoadedPackages {
  /** Addresses of modules by what the document imports. */
  readonly imports: Readonly<Record<string, string>>;
  /** Addresses of style sheets, in the order of their imports. */
  readonly styles: readonly string[];
}

export interface JsxContent {
  readonly kind: "jsx";
  readonly title: string;
  readonly compiled: CompiledJsx;
  /** Absent where it imports none. */
  readonly loaded?: LoadedPackages;
  readonly files?: DocumentFiles | null;
}

export interface HtmlContent {
  readonly kind: "html";
  readonly source: string;
  readonly files?: DocumentFiles | null;
}

export interface SourceContent {
  readonly kind: "source";
  readonly title: string;
  /** From `highlightedSource`. */
  readonly html: string;
}

/** Its rendering is not finished. */
export interface PendingContent {
  readonly kind: "pending";
  readonly title: string;
  /** The text to show until the document renders; empty for jsx. */
  readonly text: string;
  /** What it waits for; its rendering unless told. */
  readonly status?: string;
}

export type Content = PendingContent | MarkdownContent | JsxContent | HtmlContent | SourceContent;
