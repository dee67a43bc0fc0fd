// Compares each client's snippet with the form that its vendor documents (the client's `source`).
import { expect, test } from "bun:test";

import { connectingClients, type Snippet } from "./connect.ts";

const publicUrl = "https://plinth.example";
const address = "https://plinth.example/mcp";
const client = (id: string, at = publicUrl) => {
  const found = connectingClients(at).find((one) => one.id === id);
  if (found === undefined) throw new Error(`there is no ${id}`);
  return found;
};
const code = (id: string, place: Snippet["place"]): string => {
  const found = client(id).snippets.find((snippet) => snippet.place === place);
  if (found === undefined) throw new Error(`${id} has no ${place}`);
  return found.code;
};

test("Claude Code: claude mcp add --transport http <name> <url>", () => {
  expect(code("claude-code", "terminal")).toBe("claude mcp add --transport http plinth https://plinth.example/mcp");
});

test("Codex: codex mcp add <name> --url <url>, codex mcp login <name>; [mcp_servers.<name>] with url", () => {
  expect(code("codex", "terminal").split("\n")).toEqual([
    "codex mcp add plinth --url https://plinth.example/mcp",
    "codex mcp login plinth",
  ]);
  expect(Bun.TOML.parse(code("codex", "file"))).toEqual({ mcp_servers: { plinth: { url: address } } });
});

test("Cursor: cursor://anysphere.cursor-deeplink/mcp/install?name=…&config=<base64 of the entry>", () => {
  const href = client("cursor").href ?? "";
  const link = new URL(href);
  expect(href).toStartWith("cursor://anysphere.cursor-deeplink/mcp/install?name=plinth&config=");
  expect(JSON.parse(atob(link.searchParams.get("config") ?? ""))).toEqual({ url: address });
  expect(JSON.parse(code("cursor", "file"))).toEqual({ mcpServers: { plinth: { url: address } } });
});

test("VS Code: vscode:mcp/install?<JSON, percent-encoded>, the same object to code --add-mcp, servers in mcp.json", () => {
  const [before = "", query = ""] = (client("vscode").href ?? "").split("?");
  expect(before).toBe("vscode:mcp/install");
  const entry = { name: "plinth", type: "http", url: address };
  expect(JSON.parse(decodeURIComponent(query))).toEqual(entry);
  const [, json = ""] = /^code --add-mcp '([^']+)'$/.exec(code("vscode", "otherTerminal")) ?? [];
  expect(JSON.parse(json)).toEqual(entry);
  expect(JSON.parse(code("vscode", "file"))).toEqual({ servers: { plinth: { type: "http", url: address } } });
});

test("Claude: the address as a custom connector, and where it can't come from outside that is said", () => {
  expect(code("claude", "connector")).toBe(address);
  const said = (at: string) => client("claude", at).isOutOfReach;
  expect(said(publicUrl)).toBe(false);
  for (const at of ["http://plinth.example", "http://localhost:3000", "https://10.0.0.1", "https://plinth.local"])
    expect([at, said(at)]).toEqual([at, true]);
});

test("any other: the address, and an entry with a bearer key", () => {
  expect(code("other", "url")).toBe(address);
  expect(JSON.parse(code("other", "keyFile"))).toEqual({
    mcpServers: { plinth: { type: "http", url: address, headers: { Authorization: "Bearer plk_…" } } },
  });
});

test("no link leads anywhere but into the client it names, and every source is a page by https", () => {
  for (const { href, source } of connectingClients(publicUrl)) {
    if (href !== undefined) expect(href).toMatch(/^(?:cursor:\/\/anysphere\.cursor-deeplink\/|vscode:mcp\/install\?)/);
    expect(new URL(source).protocol).toBe("https:");
  }
});
