#!/usr/bin/env bash
# Good guess: of a tool's result, a model reads the `content` parts. `structuredContent` is there for programs, and the
# specification has servers repeat it as JSON in a text part, for clients that do not know it.
#
# What happens: Claude Code 2.1.332 and Codex 0.171.0 hand the model `structuredContent` instead of the text parts. A
# sentence that is not in the structure never arrives, and Codex drops the image of the same result too. The same parts
# without `structuredContent` arrive, each of them.
#
# Why it matters: a server that puts a document or a screenshot into `content` and its metadata into `structuredContent`
# has a model that reads the metadata alone. It has to send everything in the structure, or no structure.
#
# Needs Node and npm; downloads about 360 MB. A fake on loopback plays the model, and is the agents' proxy as well, so
# that nothing leaves the machine.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --prefix "$folder" --loglevel=error --no-audit --no-fund --ignore-scripts \
  @anthropic-ai/claude-code@2.1.332 @openai/codex@0.171.0

cat >"$folder/probe.mjs" <<'PROBE'
import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";

const folder = import.meta.dirname;
const home = `${folder}/home`;
mkdirSync(`${home}/.codex`, { recursive: true });

// The MCP server: two tools, whose results differ by `structuredContent` and its copy as JSON.
const data = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPj/HwADBwIAMCbHYQAAAABJRU5ErkJggg==";
const sentence = { type: "text", text: "Harvest: 412 crates, nine of them spoilt." };
const image = { type: "image", mimeType: "image/png", data };
const structuredContent = { crates: 412 };
const json = { type: "text", text: JSON.stringify(structuredContent) };
const results = {
  with_structure: { content: [sentence, json, image], structuredContent },
  without_structure: { content: [sentence, image] },
};
const inputSchema = { type: "object", properties: {} };
const outputSchema = { type: "object", properties: { crates: { type: "number" } }, required: ["crates"] };
const annotations = { readOnlyHint: true };
const tools = [
  { name: "with_structure", description: "The harvest.", inputSchema, annotations, outputSchema },
  { name: "without_structure", description: "The harvest.", inputSchema, annotations },
];
const methods = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion: protocolVersion === "2025-06-18" ? protocolVersion : "2025-11-25",
    capabilities: { tools: {} },
    serverInfo: { name: "orchard", version: "1.0.0" },
  }),
  "tools/list": () => ({ tools }),
  "tools/call": ({ name }) => results[name],
};
function mcp({ id, method, params }, response) {
  if (id === undefined) return response.writeHead(202).end();
  const answer = methods[method];
  const body = answer ? { result: answer(params) } : { error: { code: -32601, message: "Method not found" } };
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ jsonrpc: "2.0", id, ...body }));
}

// The model of each agent: it calls both tools in turn, then ends. `result` is what it was sent for a call.
const messages = {
  tool: ({ tools: offered = [] }, name) => offered.find((tool) => tool.name === `mcp__orchard__${name}`),
  result: (body, id) =>
    body.messages.flatMap(({ content }) => content).find((part) => part.tool_use_id === id)?.content,
  call: (id, { name }) => messages.say({ type: "tool_use", id, name, input: {} }, "tool_use"),
  end: () => messages.say({ type: "text", text: "Done" }, "end_turn"),
  say(content_block, stop_reason) {
    const usage = { input_tokens: 1, output_tokens: 1 };
    return [
      {
        type: "message_start",
        message: { id: "m", type: "message", role: "assistant", model: "m", content: [], usage },
      },
      { type: "content_block_start", index: 0, content_block },
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage },
      { type: "message_stop" },
    ];
  },
};
const responses = {
  tool: ({ tools: offered = [] }, name) => {
    const space = offered.find((tool) => tool.type === "namespace" && tool.tools.some((inner) => inner.name === name));
    return space && { namespace: space.name, name };
  },
  result: ({ input }, id) => input.find((item) => item.type === "function_call_output" && item.call_id === id)?.output,
  call: (id, tool) => responses.say({ type: "function_call", id, call_id: id, ...tool, arguments: "{}" }),
  end: () =>
    responses.say({ type: "message", id: "m", role: "assistant", content: [{ type: "output_text", text: "Done" }] }),
  say: (item) => [
    { type: "response.created", response: { id: "r" } },
    { type: "response.output_item.done", output_index: 0, item },
    { type: "response.completed", response: { id: "r" } },
  ],
};
let received = [];
function model(service, body, response) {
  const result = service.result(body, `call_${received.length}`);
  if (result !== undefined) received.push(result);
  const tool = service.tool(body, Object.keys(results)[received.length]);
  const events = tool ? service.call(`call_${received.length}`, tool) : service.end();
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.end(events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(""));
}

const paths = {
  "/mcp": mcp,
  "/v1/messages": (body, response) => model(messages, body, response),
  "/v1/responses": (body, response) => model(responses, body, response),
};
const server = createServer(async (request, response) => {
  const answer = request.method === "POST" && paths[request.url.split("?")[0]];
  if (!answer) return response.writeHead(405).end();
  answer(JSON.parse(Buffer.concat(await request.toArray())), response);
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
const servers = JSON.stringify({ mcpServers: { orchard: { type: "http", url: `${origin}/mcp` } } });
const env = {
  PATH: process.env.PATH,
  HOME: home,
  HTTP_PROXY: origin,
  HTTPS_PROXY: origin,
  NO_PROXY: "127.0.0.1",
  ANTHROPIC_BASE_URL: origin,
  ANTHROPIC_API_KEY: "none",
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  ENABLE_TOOL_SEARCH: "false",
};
const agents = {
  "Claude Code 2.1.332": [
    `${folder}/node_modules/@anthropic-ai/claude-code/cli-wrapper.cjs`,
    ...["--print", "Go.", "--strict-mcp-config", "--mcp-config", servers, "--allowedTools", "mcp__orchard"],
  ],
  "Codex 0.171.0": [`${folder}/node_modules/@openai/codex/bin/codex.js`, "exec", "--skip-git-repo-check", "Go."],
};
const started = [];
process.on("exit", () => started.forEach((pid) => process.kill(-pid, "SIGKILL")));
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(1));

/** What the model is sent for each call. */
async function converse(command) {
  received = [];
  const child = spawn(process.execPath, command, { cwd: home, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  started.push(child.pid);
  const hung = setTimeout(() => process.exit(1), 300_000);
  const [said, errors] = await Promise.all([child.stdout.toArray(), child.stderr.toArray()]);
  clearTimeout(hung);
  started.pop();
  if (received.length < 2)
    throw new Error(`the agent did not call both tools:\n${Buffer.concat([...said, ...errors])}`);
  return received;
}

let differs = false;
for (const [agent, command] of Object.entries(agents)) {
  const [structured, plain] = (await converse(command)).map((result) => (Array.isArray(result) ? result : [result]));
  const lines = (parts) =>
    parts.map((part) => (JSON.stringify(part).includes(data) ? "(the image)" : (part.text ?? part)));
  console.log(`${agent}, model's view of the result with structuredContent:`, lines(structured));
  console.log(`${agent}, model's view of the result without it:`, lines(plain));
  const [first, second] = [lines(structured).join("\n"), lines(plain).join("\n")];
  const keepsImage = agent.startsWith("Claude");
  differs ||=
    !first.includes(json.text) || first.includes(sentence.text) || first.includes("(the image)") !== keepsImage;
  differs ||= !second.includes(sentence.text) || !second.includes("(the image)");
}
server.closeAllConnections();
server.close();
process.exitCode = differs ? 1 : 0;
PROBE

if ! node "$folder/probe.mjs"; then
  echo "The behaviour differs: structuredContent no longer replaces the text parts in both agents." >&2
  exit 1
fi
echo "As described: structuredContent replaces the text parts in both agents, and the image in Codex."
