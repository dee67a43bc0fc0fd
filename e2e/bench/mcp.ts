// Measures the cost of MCP for agents: calls per second beside the bare library, and tokens that a model has to read
// (docs/reference/experience.md §3).
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { textsOf } from "@plinth/support/mcp-text";
import { encode } from "gpt-tokenizer";
import { join } from "node:path";

import { projectSlug, username } from "./account.ts";
import { connections, warmUpMs, type Bench } from "./figures.ts";
import { compare, load, startServer } from "./measure.ts";

const revision = "2026-07-28";

/** A call as a client of the newest revision sends it. */
function callOf(name: string, given: object) {
  const meta = {
    "io.modelcontextprotocol/protocolVersion": revision,
    "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  return {
    headers: {
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      "mcp-protocol-version": revision,
      "mcp-method": "tools/call",
      "mcp-name": name,
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name, arguments: given, _meta: meta },
    }),
  };
}

/** The tool that explains access, alternating with a tool of the same library that does nothing. */
export async function mcpFigure(
  { report, rounds, measureMs, instance, account }: Bench,
  artifactIds: readonly string[],
): Promise<void> {
  const calls = artifactIds.map((artifactId) => callOf("get_artifact_access", { artifactId }));
  const baseline = await startServer(join(import.meta.dir, "mcp-baseline.ts"), null);
  const job = {
    method: "POST",
    paths: calls.map(() => "/mcp"),
    bodies: calls.map(({ body }) => body),
    headers: { ...calls[0]?.headers, authorization: account.authorization },
    status: 200,
    connections,
    warmUpMs,
    measureMs,
  };
  const of = (url: string) => () => load({ url, ...job });
  const name = `MCP tools/call, ${connections} connections`;
  try {
    await compare(
      report,
      { name, baseline: "empty tool", rounds, target: { ratio: 0.7 } },
      {
        product: of(instance.origin),
        baseline: of(baseline.url),
      },
    );
  } finally {
    baseline.stop();
  }
}

/**
 * Tokens of the transmitted text, counted by a common tokenizer: of the part of `tools/list` that clients give to a model, and
 * of publishing, changing a line and reading the change, without the document itself.
 */
const limits = { tools: 3500, work: 2500 };

const documentBytes = 100 * 1024;

/** Publishes a document of 100 KB, changes one line of it and reads the change, through a real client. */
export async function measureEconomy({ report, instance, account: { authorization } }: Bench): Promise<void> {
  const texts: string[] = [];
  const noting = async (url: string | URL, init?: RequestInit): Promise<Response> => {
    const response = await fetch(url, init);
    const sent = typeof init?.body === "string" ? init.body : "";
    const text = await response.text();
    texts.push(sent, text);
    return new Response(response.status === 202 ? null : text, { status: response.status, headers: response.headers });
  };
  const client = new Client({ name: "bench", version: "1" }, { versionNegotiation: { mode: "auto" } });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${instance.origin}/mcp`), {
      fetch: noting,
      requestInit: { headers: { authorization } },
    }),
  );
  const listed = await client.listTools();
  const compact = listed.tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  const tools = tokensOf(JSON.stringify(compact));
  texts.length = 0;
  const content = documentOf(documentBytes);
  const line = "The figure of line 700 is 700.";
  const call = async (name: string, given: Record<string, unknown>) =>
    textsOf(await client.callTool({ name, arguments: given }));
  const access = { publicView: true, publicEdit: false };
  const slug = "economy";
  await call("create_artifact", { projectSlug, slug, type: "md", title: "Economy", content, access });
  const artifactId = `${username}/${projectSlug}/${slug}`;
  await call("edit_artifact", { artifactId, edits: [{ oldText: line, newText: "The figure of line 700 is 701." }] });
  await call("diff_artifact_versions", { artifactId, fromVersion: 1, toVersion: 2 });
  await client.close();
  const document = JSON.stringify(content).slice(1, -1);
  const work = texts.reduce((sum, text) => sum + tokensOf(text.replace(document, "")), 0);
  report.limited("MCP tools/list", tools, limits.tools, "tokens");
  report.limited("MCP publish 100 KB, change a line, compare", work, limits.work, "tokens");
}

const tokensOf = (text: string): number => encode(text).length;

function documentOf(bytes: number): string {
  const lines: string[] = [];
  for (let size = 0, n = 1; size < bytes; n++) {
    const text = `The figure of line ${n} is ${n}.`;
    lines.push(text);
    size += text.length + 1;
  }
  return `${lines.join("\n")}\n`;
}
