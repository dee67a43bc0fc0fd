// Snippets that connect each MCP client to this instance, in the form that its vendor documents. The settings page has
// the words for them; a test checks every line against that form.

/** The name of the server in clients. */
export const serverName = "plinth";

export const mcpAddress = (publicUrl: string): string => `${publicUrl}/mcp`;

/** The command for Claude Code, for a place with room for one client only. */
export const claudeCodeLine = (publicUrl: string): string =>
  `claude mcp add --transport http ${serverName} ${mcpAddress(publicUrl)}`;

export interface Snippet {
  /** Where the snippet goes; "file" is the one named by `file`. */
  readonly place: "terminal" | "otherTerminal" | "file" | "connector" | "url" | "keyFile";
  readonly file?: string;
  readonly code: string;
}

const connectingClientIds = ["claude-code", "codex", "cursor", "vscode", "claude", "other"] as const;

interface ConnectingClient {
  readonly id: (typeof connectingClientIds)[number];
  /** Null for all other clients together. */
  readonly name: string | null;
  /** Opens the client, which asks the user for consent. */
  readonly href?: string;
  readonly snippets: readonly Snippet[];
  /** Whether the client connects from its vendor's servers, which can't reach this instance. */
  readonly isOutOfReach?: boolean;
  /** The vendor's page that documents the form. */
  readonly source: string;
}

/** Every client that has its own form, and one entry for all others. */
export function connectingClients(publicUrl: string): readonly ConnectingClient[] {
  const address = mcpAddress(publicUrl);
  const remote = { type: "http", url: address };
  const withKey = { headers: { Authorization: "Bearer plk_…" } };
  return [
    {
      id: "claude-code",
      name: "Claude Code",
      snippets: [{ place: "terminal", code: claudeCodeLine(publicUrl) }],
      source: "https://code.claude.com/docs/en/mcp",
    },
    {
      id: "codex",
      name: "Codex",
      snippets: [
        { place: "terminal", code: `codex mcp add ${serverName} --url ${address}\ncodex mcp login ${serverName}` },
        { place: "file", file: "~/.codex/config.toml", code: `[mcp_servers.${serverName}]\nurl = "${address}"` },
      ],
      source: "https://developers.openai.com/codex/mcp",
    },
    {
      id: "cursor",
      name: "Cursor",
      href: `cursor://anysphere.cursor-deeplink/mcp/install?${new URLSearchParams({
        name: serverName,
        config: btoa(JSON.stringify({ url: address })),
      })}`,
      snippets: [
        { place: "file", file: "~/.cursor/mcp.json", code: pretty({ mcpServers: { [serverName]: { url: address } } }) },
      ],
      source: "https://cursor.com/docs/mcp/install-links",
    },
    {
      id: "vscode",
      name: "VS Code",
      href: `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: serverName, ...remote }))}`,
      snippets: [
        { place: "otherTerminal", code: `code --add-mcp '${JSON.stringify({ name: serverName, ...remote })}'` },
        { place: "file", file: ".vscode/mcp.json", code: pretty({ servers: { [serverName]: remote } }) },
      ],
      source: "https://code.visualstudio.com/api/extension-guides/ai/mcp",
    },
    {
      id: "claude",
      name: "Claude",
      snippets: [{ place: "connector", code: address }],
      isOutOfReach: !isPublic(publicUrl),
      source: "https://support.claude.com/en/articles/11175166-get-started-with-custom-connectors-using-remote-mcp",
    },
    {
      id: "other",
      name: null,
      snippets: [
        { place: "url", code: address },
        { place: "keyFile", code: pretty({ mcpServers: { [serverName]: { ...remote, ...withKey } } }) },
      ],
      source: "https://modelcontextprotocol.io/docs/develop/connect-remote-servers",
    },
  ];
}

const pretty = (value: object): string => JSON.stringify(value, null, 2);

/** Whether clients on other machines can probably reach the instance. */
function isPublic(publicUrl: string): boolean {
  const { protocol, hostname } = new URL(publicUrl);
  return protocol === "https:" && hostname.includes(".") && !/^[\d.]+$|\.(?:local|internal|localhost)$/.test(hostname);
}
