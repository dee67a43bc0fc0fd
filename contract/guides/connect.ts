// How to connect each MCP client to this instance, in the form that its vendor documents. The settings page, llms.txt
// and SKILL.md use it; a test checks every line against that form.

/** The name of the server in clients. */
export const serverName = "plinth";

export const mcpAddress = (publicUrl: string): string => `${publicUrl}/mcp`;

/** The command for Claude Code, for a place with room for one client only. */
export const claudeCodeLine = (publicUrl: string): string =>
  `claude mcp add --transport http ${serverName} ${mcpAddress(publicUrl)}`;

export interface Snippet {
  /** "Terminal", or the file that the snippet belongs in. */
  readonly label: string;
  readonly code: string;
}

export interface ConnectingClient {
  readonly id: string;
  readonly name: string;
  /** The necessary steps, in a few words. */
  readonly brief: string;
  /** Opens the client, which asks the user for consent. */
  readonly link?: { readonly label: string; readonly href: string };
  readonly snippets: readonly Snippet[];
  /** Steps that the user does by hand. */
  readonly steps: readonly string[];
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
      brief: "One line in a terminal",
      snippets: [{ label: "Terminal", code: claudeCodeLine(publicUrl) }],
      steps: ["Type /mcp in a session, choose plinth and sign in. The browser opens, and you allow it."],
      source: "https://code.claude.com/docs/en/mcp",
    },
    {
      id: "codex",
      name: "Codex",
      brief: "Two lines in a terminal",
      snippets: [
        { label: "Terminal", code: `codex mcp add ${serverName} --url ${address}\ncodex mcp login ${serverName}` },
        { label: "or ~/.codex/config.toml", code: `[mcp_servers.${serverName}]\nurl = "${address}"` },
      ],
      steps: ["The browser opens, and you allow it. /mcp in a session shows whether it is there."],
      source: "https://developers.openai.com/codex/mcp",
    },
    {
      id: "cursor",
      name: "Cursor",
      brief: "One press",
      link: {
        label: "Add to Cursor",
        href: `cursor://anysphere.cursor-deeplink/mcp/install?${new URLSearchParams({
          name: serverName,
          config: btoa(JSON.stringify({ url: address })),
        })}`,
      },
      snippets: [{ label: "or ~/.cursor/mcp.json", code: pretty({ mcpServers: { [serverName]: { url: address } } }) }],
      steps: ["Cursor asks whether to install it, then shows “Connect” beside it: press that, and allow it."],
      source: "https://cursor.com/docs/mcp/install-links",
    },
    {
      id: "vscode",
      name: "VS Code",
      brief: "One press",
      link: {
        label: "Add to VS Code",
        href: `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: serverName, ...remote }))}`,
      },
      snippets: [
        { label: "or a terminal", code: `code --add-mcp '${JSON.stringify({ name: serverName, ...remote })}'` },
        { label: "or .vscode/mcp.json", code: pretty({ servers: { [serverName]: remote } }) },
      ],
      steps: ["VS Code asks whether to trust it and opens the browser, where you allow it."],
      source: "https://code.visualstudio.com/api/extension-guides/ai/mcp",
    },
    {
      id: "claude",
      name: "Claude",
      brief: "On the web, the desktop and the phone",
      snippets: [{ label: "Address of the connector", code: address }],
      steps: [
        "In Claude, open Customize (or Settings), then Connectors, and choose + and “Add custom connector”.",
        "Name it Plinth, give it the address above, and connect. You sign in here and allow it.",
        ...(isPublic(publicUrl)
          ? []
          : [
              "Claude connects from its makers' servers: they can't reach this instance until its address is public, by https.",
            ]),
      ],
      source: "https://support.claude.com/en/articles/11175166-get-started-with-custom-connectors-using-remote-mcp",
    },
    {
      id: "other",
      name: "Any other client",
      brief: "The address, and a sign-in or a key",
      snippets: [
        { label: "Address, Streamable HTTP", code: address },
        { label: "mcp.json with a key", code: pretty({ mcpServers: { [serverName]: { ...remote, ...withKey } } }) },
      ],
      steps: [
        "A client that knows OAuth needs the address alone: it registers itself and opens the browser.",
        "One that doesn't, or that runs unattended, sends an API key as a bearer token.",
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
