// `/.well-known/mcp.json`: what a client or a registry can know of the MCP server before it connects.
import { scopes } from "../scopes.ts";
import { mcpAddress, serverName } from "./connect.ts";
import { linksOf } from "./instance-links.ts";

/** The card of the instance's server. The tools are not in it: a credential decides which there are. */
export function serverCard({ publicUrl, version }: { readonly publicUrl: string; readonly version: string }) {
  const { skill, llms, resource } = linksOf(publicUrl);
  return {
    version: "1.0",
    protocolVersion: "2025-11-25",
    serverInfo: { name: serverName, title: "Plinth", version },
    description: "Publishes Markdown, HTML and JSX as pages at lasting addresses, in versions that never change",
    websiteUrl: publicUrl,
    documentationUrl: skill,
    instructionsUrl: llms,
    transport: { type: "streamable-http", endpoint: mcpAddress(publicUrl) },
    remotes: [{ type: "streamable-http", url: mcpAddress(publicUrl) }],
    capabilities: { tools: {}, resources: {}, completions: {} },
    authentication: { required: true, schemes: ["oauth2", "bearer"], protectedResource: resource, scopes: [...scopes] },
    tools: "dynamic",
  };
}
