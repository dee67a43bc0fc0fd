#!/usr/bin/env bash
# Good guess: a client offers its model the tools of a connected MCP server with description and schema, at least where
# there are only three. Search of tools, if any, is for long lists.
#
# What happens: Claude Code 2.1.332 offers all three by name alone, in a line of text (`mcp__orchard__count_crates`). No
# description and no schema reach the model before it calls `ToolSearch`. The server's `instructions` do reach it. With
# `ENABLE_TOOL_SEARCH=false`, which the user sets, all are offered whole; with `"anthropic/alwaysLoad": true` in a
# tool's `_meta`, which the server sets, that tool is.
#
# Why it matters: a description that says when to use a tool is not read at the time of choosing. The name, the
# `instructions` and `_meta` are all that a server has to be found by, and the first use costs one more turn.
#
# Needs Node and npm; downloads about 190 MB. A fake on loopback plays the model, and is the agent's proxy as well, so
# that nothing leaves the machine.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --prefix "$folder" --loglevel=error --no-audit --no-fund --ignore-scripts @anthropic-ai/claude-code@2.1.332

cat >"$folder/probe.mjs" <<'PROBE'
import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { createServer } from "node:http";

const folder = import.meta.dirname;
const home = `${folder}/home`;
mkdirSync(home);

const instructions = "Count before you water.";
const description = "Asks the gardener.";
const names = ["count_crates", "count_trees", "water_trees"];
const inputSchema = { type: "object", properties: { orchard: { type: "string" } } };
let listed;
const methods = {
  initialize: () => ({
    protocolVersion: "2025-11-25",
    capabilities: { tools: {} },
    serverInfo: { name: "orchard", version: "1.0.0" },
    instructions,
  }),
  "tools/list": () => ({ tools: listed }),
};

let asked = [];
const server = createServer(async (request, response) => {
  if (request.method !== "POST") return response.writeHead(405).end();
  const body = JSON.parse(Buffer.concat(await request.toArray()));
  if (request.url.startsWith("/v1/messages")) {
    asked.push(body);
    const usage = { input_tokens: 1, output_tokens: 1 };
    const events = [
      {
        type: "message_start",
        message: { id: "m", type: "message", role: "assistant", model: "m", content: [], usage },
      },
      { type: "content_block_start", index: 0, content_block: { type: "text", text: "Done" } },
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { stop_reason: "end_turn", stop_sequence: null }, usage },
      { type: "message_stop" },
    ];
    response.writeHead(200, { "content-type": "text/event-stream" });
    return response.end(events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(""));
  }
  const { id, method, params } = body;
  if (id === undefined) return response.writeHead(202).end();
  const answer = methods[method];
  const part = answer ? { result: answer(params) } : { error: { code: -32601, message: "Method not found" } };
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ jsonrpc: "2.0", id, ...part }));
});
await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
const origin = `http://127.0.0.1:${server.address().port}`;

let running;
process.on("exit", () => running && process.kill(-running, "SIGKILL"));
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(1));
const servers = JSON.stringify({ mcpServers: { orchard: { type: "http", url: `${origin}/mcp` } } });
const program = `${folder}/node_modules/@anthropic-ai/claude-code/cli-wrapper.cjs`;
const command = [program, "--print", "Go.", "--strict-mcp-config", "--mcp-config", servers];

/** What the first request that has tools tells the model of the server. */
async function offer(always, settings) {
  listed = names.map((name) => {
    const meta = always.includes(name) ? { _meta: { "anthropic/alwaysLoad": true } } : {};
    return { name, description, inputSchema, ...meta };
  });
  asked = [];
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    HTTP_PROXY: origin,
    HTTPS_PROXY: origin,
    NO_PROXY: "127.0.0.1",
    ANTHROPIC_BASE_URL: origin,
    ANTHROPIC_API_KEY: "none",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    ...settings,
  };
  const child = spawn(process.execPath, command, { cwd: home, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  running = child.pid;
  const hung = setTimeout(() => process.exit(1), 300_000);
  const said = Buffer.concat((await Promise.all([child.stdout.toArray(), child.stderr.toArray()])).flat());
  clearTimeout(hung);
  running = undefined;
  const first = asked.find(({ tools = [] }) => tools.length > 0);
  if (!first) throw new Error(`Claude Code asked its model nothing with tools:\n${said}`);
  const text = JSON.stringify([first.system, first.messages]);
  const whole = names.filter((name) =>
    first.tools.some((tool) => tool.name === `mcp__orchard__${name}` && tool.input_schema),
  );
  return {
    whole,
    byName: names.filter((name) => !whole.includes(name) && text.includes(`mcp__orchard__${name}`)),
    search: first.tools.some(({ name }) => name === "ToolSearch"),
    describes: text.includes(description),
    instructs: text.includes(instructions),
  };
}

const [one, ...others] = names;
const cases = [
  ["By default", [], {}, { whole: [], byName: names, search: true, describes: false, instructs: true }],
  [
    "anthropic/alwaysLoad",
    [one],
    {},
    { whole: [one], byName: others, search: true, describes: false, instructs: true },
  ],
  [
    "ENABLE_TOOL_SEARCH=false",
    [],
    { ENABLE_TOOL_SEARCH: "false" },
    { whole: names, byName: [], search: false, describes: false, instructs: true },
  ],
];
for (const [what, always, settings, expected] of cases) {
  const seen = await offer(always, settings);
  console.log(
    `${what}: whole: ${seen.whole.join(", ") || "none"}; by name alone: ${seen.byName.join(", ") || "none"};`,
  );
  console.log(
    `  ToolSearch: ${seen.search}; descriptions in the text: ${seen.describes}; instructions: ${seen.instructs}`,
  );
  if (JSON.stringify(seen) !== JSON.stringify(expected)) process.exitCode = 1;
}
server.closeAllConnections();
server.close();
PROBE

if ! node "$folder/probe.mjs"; then
  echo "The behaviour differs: Claude Code offers a server of three tools in another way than by name alone." >&2
  exit 1
fi
echo "As described: three tools are offered by name alone, unless the user or the tool's _meta says otherwise."
