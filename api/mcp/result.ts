// The result of a tool call: text that is complete for a model, and the result as structured content for programs.
// Clients from before 2025-06-18 only read text, and get the structured content as text too.
import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/server";
import type { ArtifactType } from "@plinth/contract/schemas/artifact";

import type { Exchange } from "./exchange.ts";

export interface ToolAnswer {
  /** Complete for a model that sees no structured content; the URL is first. */
  readonly summary: string;
  readonly value: Record<string, unknown>;
  /** Text to be read: a source, a comparison. */
  readonly text?: string;
  /** An image, in base64. */
  readonly image?: { readonly data: string; readonly mimeType: string };
}

/** The revision that introduced structured content. */
export const structuredSince = "2025-06-18";

export const mediaTypes: Readonly<Record<ArtifactType, string>> = {
  md: "text/markdown",
  html: "text/html",
  jsx: "text/jsx",
};

/** The resource of one version. */
export const resourceUri = (artifactId: string, versionNumber: number): string =>
  `artifact://${artifactId}/v/${versionNumber}`;

export function resultOf({ revision }: Exchange, { summary, value, text, image }: ToolAnswer): CallToolResult {
  const content: ContentBlock[] = [{ type: "text", text: summary }];
  if (text !== undefined) content.push({ type: "text", text });
  if (image !== undefined) content.push({ type: "image", ...image });
  if (revision < structuredSince) {
    if (text === undefined) content.push({ type: "text", text: JSON.stringify(value) });
    return { content };
  }
  return { content, structuredContent: value };
}
