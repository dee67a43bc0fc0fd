#!/usr/bin/env bash
# Good guess: an agent offers the tools of an MCP server to its model as functions of one flat list, and a model that
# calls a function by the name it was offered under reaches the tool.
#
# What happens: Codex 0.171.0 offers one tool of the type `namespace` for each server, named `mcp__SERVER`, that holds
# the functions under their own names. A call of `count_crates` without a `namespace` member beside the name is answered
# with "unsupported call", and the MCP server never receives it. With the member it arrives.
#
# Why it matters: a prefix in a tool's name is paid twice, and a model service, proxy or test that reads `tools` as a
# flat list of functions finds no MCP tool there, or calls it in vain.
#
# Needs Node and npm; downloads about 170 MB. A fake on loopback plays the model, and is Codex's proxy as well, so that
# nothing leaves the machine.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --prefix "$folder" --loglevel=error --no-audit --no-fund --ignore-scripts @openai/codex@0.171.0

cat >"$folder/probe.mjs" <<'PROBE'
import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";

const folder = import.meta.dirname;
const home = `${folder}/home`;
mkdirSync(`${home}/.codex`, { recursive: true });

const inputSchema = { type: "object", properties: {} };
const tool = { description: "Counts.", inputSchema, annotations: { readOnlyHint: true } };
const called = [];
const methods = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "orchard", version: "1.0.0" },
  }),
  "tools/list": () => ({ tools: ["count_crates", "count_trees"].map((name) => ({ name, ...tool })) }),
  "tools/call": ({ name }) => {
    called.push(name);
    return { content: [{ type: "text", text: "412 crates" }] };
  },
};

// The model makes the same call twice, and the second one says the namespace.
const calls = [{ name: "count_crates" }, { namespace: "mcp__orchard", name: "count_crates" }];
const received = [];
let offered;
function turn({ tools = [], input }) {
  const id = `call_${received.length}`;
  const result = input.find((item) => item.type === "function_call_output" && item.call_id === id);
  if (result) received.push({ sent: JSON.stringify(result.output), served: called.length });
  offered ??= tools;
  const call = calls[received.length];
  const call_id = `call_${received.length}`;
  if (call) return { type: "function_call", id: call_id, call_id, ...call, arguments: "{}" };
  return { type: "message", id: "m", role: "assistant", content: [{ type: "output_text", text: "Done" }] };
}

const server = createServer(async (request, response) => {
  if (request.method !== "POST") return response.writeHead(405).end();
  const body = JSON.parse(Buffer.concat(await request.toArray()));
  if (request.url === "/v1/responses") {
    const events = [
      { type: "response.created", response: { id: "r" } },
      { type: "response.output_item.done", output_index: 0, item: turn(body) },
      { type: "response.completed", response: { id: "r" } },
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
writeFileSync(
  `${home}/.codex/config.toml`,
  `model = "m"
model_provider = "fake"
check_for_update_on_startup = false
analytics.enabled = false
features = { apps = false, plugins = false }
model_providers.fake = { name = "fake", base_url = "${origin}/v1", wire_api = "responses" }
mcp_servers.orchard.url = "${origin}/mcp"
`,
);

const command = [`${folder}/node_modules/@openai/codex/bin/codex.js`, "exec", "--skip-git-repo-check", "Go."];
const env = { PATH: process.env.PATH, HOME: home, HTTP_PROXY: origin, HTTPS_PROXY: origin, NO_PROXY: "127.0.0.1" };
const child = spawn(process.execPath, command, { cwd: home, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
const end = () => process.kill(-child.pid, "SIGKILL");
process.on("exit", end);
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(1));
const hung = setTimeout(() => process.exit(1), 300_000);
const said = Buffer.concat((await Promise.all([child.stdout.toArray(), child.stderr.toArray()])).flat());
clearTimeout(hung);
process.off("exit", end);
server.closeAllConnections();
server.close();
if (received.length < 2) throw new Error(`Codex did not make both calls:\n${said}`);

const flat = offered.filter(({ type, name }) => type === "function" && /count_/.test(name));
const spaces = offered.filter(({ type, name }) => type === "namespace" && name === "mcp__orchard");
console.log("MCP tools offered as functions of the flat list:", flat.length);
for (const { name, tools } of spaces) console.log(`Namespace ${name}:`, tools.map((each) => each.name).join(", "));
const [bare, spaced] = received;
console.log(`Without namespace: ${bare.sent}; calls at the MCP server: ${bare.served}`);
console.log(`With namespace: ${spaced.sent}; calls at the MCP server: ${spaced.served}`);
const isNested = flat.length === 0 && spaces.length === 1 && spaces[0].tools.length === 2;
const isRefused = bare.sent.includes("unsupported call") && bare.served === 0;
process.exitCode = isNested && isRefused && spaced.sent.includes("412 crates") && spaced.served === 1 ? 0 : 1;
PROBE

if ! node "$folder/probe.mjs"; then
  echo "The behaviour differs: Codex no longer keeps MCP tools in a namespace that each call has to name." >&2
  exit 1
fi
echo "As described: Codex keeps MCP tools in a namespace, and refuses a call that does not name it."
