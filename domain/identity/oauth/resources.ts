// What tokens may be for (RFC 8707): the MCP endpoint, or the instance as a whole. Both are the same API, so that a token
// for either is good for both; one for anything else is good for nothing here.

export const mcpResource = (publicUrl: string): string => `${publicUrl}/mcp`;

/** As clients write them: some end an origin in a slash. */
export const acceptedResources = (publicUrl: string): string[] => [mcpResource(publicUrl), publicUrl, `${publicUrl}/`];
