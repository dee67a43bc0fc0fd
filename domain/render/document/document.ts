// The complete HTML document of each artifact type and of its source, as the frame receives it.
// Knows the runtime's addresses and nothing of requests; its headers are content-headers.ts.
import type { Runtime } from "@plinth/runtime/manifest";
import type { Content } from "./content.ts";
import { htmlDocument } from "./html-document.ts";
import { jsxDocument } from "./jsx-document.ts";
import { markdownDocument } from "./markdown-document.ts";
import { pendingDocument } from "./pending-document.ts";
import { sourceDocument } from "./source-document.ts";

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
