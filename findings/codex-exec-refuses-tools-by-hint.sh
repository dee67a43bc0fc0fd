#!/usr/bin/env bash
# Good guess: a tool's annotations are hints. `codex exec` runs without questions, so it calls the tools of a server
# that its user configured, or at least one that says `destructiveHint: false`.
#
# What happens: Codex 0.171.0 takes a hint that is missing as the specification's default (not read-only, destructive,
# open), and `codex exec` refuses each tool that needs an approval by that: "MCP tool call requires approval, but
# approval policy is never". It calls a tool with `readOnlyHint: true`, and one with `destructiveHint: false` and
# `openWorldHint: false`. One of these two is not enough.
#
# Why it matters: a server without annotations, or with one of the two hints, does not work in a pipeline, while its
# tools are listed and offered to the model. A tool that says it is destructive is never called there.
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

// Each tool is named by what it says; the model calls one after the other.
const cases = {
  nothing: { refused: true },
  read_only: { annotations: { readOnlyHint: true }, refused: false },
  harmless: { annotations: { destructiveHint: false }, refused: true },
  closed: { annotations: { openWorldHint: false }, refused: true },
  harmless_and_closed: { annotations: { destructiveHint: false, openWorldHint: false }, refused: false },
  destructive_and_closed: { annotations: { destructiveHint: true, openWorldHint: false }, refused: true },
};
const names = Object.keys(cases);
const called = new Set();
const inputSchema = { type: "object", properties: {} };
const tools = names.map((name) => ({
  name,
  description: "Waters.",
  inputSchema,
  annotations: cases[name].annotations,
}));
const methods = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "orchard", version: "1.0.0" },
  }),
  "tools/list": () => ({ tools }),
  "tools/call": ({ name }) => {
    called.add(name);
    return { content: [{ type: "text", text: "Watered" }] };
  },
};

const received = [];
function turn({ input }) {
  const result = input.find((item) => item.call_id === `call_${received.length}` && item.output !== undefined);
  if (result) received.push(JSON.stringify(result.output));
  const call_id = `call_${received.length}`;
  const name = names[received.length];
  if (name) return { type: "function_call", id: call_id, call_id, namespace: "mcp__orchard", name, arguments: "{}" };
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
if (received.length < names.length) throw new Error(`Codex did not make all calls:\n${said}`);

for (const [at, name] of names.entries()) {
  const { annotations, refused } = cases[name];
  const outcome = called.has(name) ? "called" : "refused";
  console.log(`${JSON.stringify(annotations ?? "no annotations")}: ${outcome}; the model is sent ${received[at]}`);
  if (called.has(name) === refused || received[at].includes("requires approval") !== refused) process.exitCode = 1;
}
PROBE

if ! node "$folder/probe.mjs"; then
  echo "The behaviour differs: codex exec refuses other tools by their hints than those listed." >&2
  exit 1
fi
echo "As described: codex exec calls read-only tools, and those that are neither destructive nor open."
