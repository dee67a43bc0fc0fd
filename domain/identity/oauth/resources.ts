// The resources of tokens (RFC 8707): the MCP endpoint, and the REST API, which is named by the instance's URL. A token
// is good at the resource that it was issued for (domain/access/load-caller.ts).

export const mcpResource = (publicUrl: string): string => `${publicUrl}/mcp`;

/** As clients write them: some end an origin in a slash. */
export const acceptedResources = (publicUrl: string): string[] => [mcpResource(publicUrl), publicUrl, `${publicUrl}/`];
