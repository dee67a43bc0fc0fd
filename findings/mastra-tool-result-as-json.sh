#!/usr/bin/env bash
# Good guess: an agent library gives its model the text of a tool's result as text and an image as an image, as the
# content of MCP has them apart.
#
# What happens: with @mastra/mcp 2.0.0 and @mastra/core 1.71.0, a model behind a chat completions service is given the
# whole result as JSON, `_meta` included, with the text escaped in it. Where the result has an
# image, it is given the list of parts as JSON, the image as base64 in it: no message has an image.
#
# Why it matters: what a server adds for programs is paid for in each call, and a screenshot of 60 KB costs some
# 50,000 tokens of letters that the model cannot see.
#
# Needs Node and npm; downloads about 40 MB. A fake on loopback plays the model.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --prefix "$folder" --loglevel=error --no-audit --no-fund --ignore-scripts @mastra/core@1.71.0 @mastra/mcp@2.0.0

cat >"$folder/probe.mjs" <<'PROBE'
import { createServer } from "node:http";
import { Agent } from "@mastra/core/agent";
import { MCPClient } from "@mastra/mcp";

const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=";
const _meta = { "orchard/note": "for programs" };
const results = {
  water: { content: [{ type: "text", text: "Watered\nthree beds" }], _meta },
  look: { content: [{ type: "text", text: "A bed" }, { type: "image", data: pixel, mimeType: "image/png" }], _meta },
};
const names = Object.keys(results);
const inputSchema = { type: "object", properties: {} };
const methods = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "orchard", version: "1.0.0" },
  }),
  "tools/list": () => ({ tools: names.map((name) => ({ name, description: "Gardens.", inputSchema })) }),
  "tools/call": ({ name }) => results[name],
};

const received = [];
function turn({ messages, tools = [] }) {
  const answer = messages.find((message) => message.tool_call_id === `call_${received.length}`);
  if (answer) received.push(answer.content);
  const wanted = names[received.length];
  const offered = tools.find((tool) => tool.function.name.endsWith(`_${wanted}`));
  if (!offered) return [{ content: "Done" }, "stop"];
  const call = { name: offered.function.name, arguments: "{}" };
  return [{ tool_calls: [{ index: 0, id: `call_${received.length}`, type: "function", function: call }] }, "tool_calls"];
}

const server = createServer(async (request, response) => {
  if (request.method !== "POST") return response.writeHead(405).end();
  const body = JSON.parse(Buffer.concat(await request.toArray()));
  if (request.url === "/v1/chat/completions") {
    const [delta, finish_reason] = turn(body);
    const chunk = { id: "c", object: "chat.completion.chunk", created: 0, model: "m" };
    const first = { ...chunk, choices: [{ index: 0, delta: { role: "assistant", ...delta }, finish_reason: null }] };
    const last = { ...chunk, choices: [{ index: 0, delta: {}, finish_reason }] };
    response.writeHead(200, { "content-type": "text/event-stream" });
    return response.end(`data: ${JSON.stringify(first)}\n\ndata: ${JSON.stringify(last)}\n\ndata: [DONE]\n\n`);
  }
  const { id, method, params } = body;
  if (id === undefined) return response.writeHead(202).end();
  const answer = methods[method];
  const part = answer ? { result: answer(params) } : { error: { code: -32601, message: "Method not found" } };
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ jsonrpc: "2.0", id, ...part }));
});
await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
const origin = `http://127.0.0.1:${server.address().port}`;
const hung = setTimeout(() => process.exit(1), 300_000);

const client = new MCPClient({ servers: { orchard: { url: new URL(`${origin}/mcp`) } } });
const model = { id: "fake/fake", url: `${origin}/v1`, apiKey: "none" };
const agent = new Agent({ id: "a", name: "a", instructions: "Go.", model, tools: await client.listTools() });
await (await agent.stream("Go.", { maxSteps: 5 })).text;
await client.disconnect();
clearTimeout(hung);
server.closeAllConnections();
server.close();

for (const [at, name] of names.entries()) console.log(`${name}: the model is given ${JSON.stringify(received[at])}`);
const [watered, looked] = received;
const isAsDescribed =
  typeof watered === "string" &&
  typeof looked === "string" &&
  ["for programs", String.raw`Watered\nthree beds`].every((part) => watered.includes(part)) &&
  looked.includes(pixel);
process.exit(isAsDescribed ? 0 : 1);
PROBE

if ! MASTRA_TELEMETRY_DISABLED=1 node "$folder/probe.mjs"; then
  echo "The behaviour differs: Mastra gives the model other parts of a tool's result, or in another form." >&2
  exit 1
fi
echo "As described: Mastra gives the model the whole result as JSON, and an image as base64 in it."
