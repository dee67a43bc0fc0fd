// The complete HTML document of each artifact type and of its source, as the frame receives it.
// Knows the runtime's addresses and nothing of requests; its headers are content-headers.ts.
import type { Runtime } from "../../runtime/manifest.ts";
import { htmlDocument } from "./html-document.ts";
import type { CompiledJsx } from "../jsx/compiler.ts";
import { jsxDocument } from "./jsx-document.ts";
import { markdownDocument } from "./markdown-document.ts";
import { pendingDocument } from "./pending-document.ts";
import { sourceDocument } from "./source-document.ts";

export interface MarkdownContent {
  readonly kind: "md";
  readonly title: string;
  /** From `markdownFragment`. */
  readonly html: string;
  /** Absolute, with a slash at the end: relative links lead there. */
  readonly projectUrl: string;
}

export interface JsxContent {
  readonly kind: "jsx";
  readonly title: string;
  readonly compiled: CompiledJsx;
}

export interface HtmlContent {
  readonly kind: "html";
  readonly source: string;
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
  /** What can be read meanwhile; empty for jsx. */
  readonly text: string;
}

export type Content = PendingContent | MarkdownContent | JsxContent | HtmlContent | SourceContent;

/** Makes the document to serve; the nonce is the one its headers allow. */
export function contentDocument(content: Content, runtime: Runtime, nonce: string): string {
  switch (content.kind) {
    case "pending":
      return pendingDocument(content, runtime);
    case "md":
      return markdownDocument(content, runtime);
    case "jsx":
      return jsxDocument(content, runtime, nonce);
    case "html":
      return htmlDocument(content, runtime);
    case "source":
      return sourceDocument(content, runtime);
  }
}
