// The result of a tool call. All of it is text, because several clients drop the text of a result that also has structured
// content (docs/decisions/mcp.md, "Results are text").
import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/server";
import type { ArtifactType } from "@plinth/contract/schemas/artifact";

export interface ToolAnswer {
  /** Complete for a model that sees nothing else, with the URL first; in detail the operation's output as JSON. */
  readonly summary: string;
  /** Text to be read: a source, a comparison. */
  readonly text?: string;
  /** An image, in base64. */
  readonly image?: { readonly data: string; readonly mimeType: string };
  /** Set for a published artifact, whose page the MCP App shows. */
  readonly app?: { readonly artifactId: string };
}

const appMeta = "plinth/app";

export const mediaTypes: Readonly<Record<ArtifactType, string>> = {
  md: "text/markdown",
  html: "text/html",
  jsx: "text/jsx",
};

/** The resource of one version. */
export const resourceUri = (artifactId: string, versionNumber: number): string =>
  `artifact://${artifactId}/v/${versionNumber}`;

export function resultOf({ summary, text = "", image, app }: ToolAnswer): CallToolResult {
  const content: ContentBlock[] = [{ type: "text", text: summary }];
  // Some models' providers refuse an empty part.
  if (text !== "") content.push({ type: "text", text });
  if (image !== undefined) content.push({ type: "image", ...image });
  return { content, ...(app !== undefined && { _meta: { [appMeta]: app } }) };
}
