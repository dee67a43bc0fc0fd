// The result of a tool call: one sentence with the URL first for readers of text, the result itself as structured
// content, and links to its resources. Clients from before 2025-06-18 only read text, and get all of it as text.
import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/server";
import type { Tool } from "@plinth/contract/mcp/tools";
import type { ArtifactType } from "@plinth/contract/schemas/artifact";

import { asWritten } from "./arguments.ts";
import { problemIn, type Exchange } from "./exchange.ts";

export interface Told {
  /** One sentence, the URL first. */
  readonly sentence: string;
  readonly value: Record<string, unknown>;
  /** Text to be read: a source, a comparison. */
  readonly text?: string;
  /** An image, in base64. */
  readonly image?: { readonly data: string; readonly mimeType: string };
  readonly link?: Link;
}

interface Link {
  readonly artifactId: string;
  readonly versionNumber: number;
  readonly type: ArtifactType;
  readonly title: string;
}

/** The revision that introduced structured content and links. */
export const structuredSince = "2025-06-18";

export const mediaTypes: Readonly<Record<ArtifactType, string>> = {
  md: "text/markdown",
  html: "text/html",
  jsx: "text/jsx",
};

/** The resource of one version. */
export const resourceUri = (artifactId: string, versionNumber: number): string =>
  `artifact://${artifactId}/v/${versionNumber}`;

export function resultOf({ revision }: Exchange, { sentence, value, text, image, link }: Told): CallToolResult {
  const content: ContentBlock[] = [{ type: "text", text: sentence }];
  if (text !== undefined) content.push({ type: "text", text });
  if (image !== undefined) content.push({ type: "image", ...image });
  if (revision < structuredSince) {
    if (text === undefined) content.push({ type: "text", text: JSON.stringify(value) });
    return { content };
  }
  if (link !== undefined) content.push(linkTo(link));
  return { content, structuredContent: value };
}

const linkTo = ({ artifactId, versionNumber, type, title }: Link): ContentBlock => ({
  type: "resource_link",
  uri: resourceUri(artifactId, versionNumber),
  name: title,
  mimeType: mediaTypes[type],
});

/**
 * The problem as in REST (docs/reference/contract.md §2), without structured content: clients validate that against the
 * output's schema.
 */
export function refusalOf(exchange: Exchange, tool: Tool, error: unknown): CallToolResult {
  const problem = problemIn(exchange, asWritten(tool, error));
  return { content: [{ type: "text", text: JSON.stringify(problem) }], isError: true };
}
