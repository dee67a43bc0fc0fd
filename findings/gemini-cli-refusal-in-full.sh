#!/usr/bin/env bash
# Good guess: what a client passes to its model of a tool's result are the text and images of its content. `_meta` is for
# programs: the specification reserves it for protocol and extensions.
#
# What happens: Gemini CLI 0.61.0 does so where a call succeeded, each text between lines `<untrusted_context>`. Where the
# result has `isError: true`, the model is given the whole result as JSON instead, `_meta` included, after the words
# "reported tool error for function call" and the call with all of its arguments.
#
# Why it matters: a text that was refused is paid for once more, in the answer to itself, and so are identifiers and
# problem details that a server adds in `_meta`. A server that writes secrets for its own application there shows them to
# the model, only in errors.
#
# Needs Node and npm; downloads about 21 MB. A fake on loopback plays the model, and is the client's proxy as well, so that
# nothing leaves the machine.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --prefix "$folder" --loglevel=error --no-audit --no-fund --ignore-scripts --omit=optional @google/gemini-cli@0.61.0

cat >"$folder/probe.mjs" <<'PROBE'
import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";

const folder = import.meta.dirname;
const home = `${folder}/home`;
mkdirSync(`${home}/.gemini`, { recursive: true });

const given = { bed: "the one by the wall" };
const results = {
  water: { content: [{ type: "text", text: "Watered" }], _meta: { "orchard/note": "for programs" } },
  prune: { content: [{ type: "text", text: "Too early" }], _meta: { "orchard/note": "for programs" }, isError: true },
};
const names = Object.keys(results);
const inputSchema = { type: "object", properties: { bed: { type: "string" } } };
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
function turn({ contents, tools = [] }) {
  const parts = contents.flatMap((content) => content.parts ?? []);
  const answer = parts.find((part) => part.functionResponse?.id === `call_${received.length}`);
  if (answer) received.push(JSON.stringify(answer.functionResponse.response));
  const wanted = names[received.length];
  const offered = tools.flatMap((tool) => tool.functionDeclarations ?? []).find(({ name }) => name.endsWith(`_${wanted}`));
  if (!offered) return { text: "Done" };
  return { functionCall: { id: `call_${received.length}`, name: offered.name, args: given } };
}

const server = createServer(async (request, response) => {
  if (request.method !== "POST") return response.writeHead(405).end();
  const body = JSON.parse(Buffer.concat(await request.toArray()));
  if (request.url.includes(":streamGenerateContent")) {
    const candidate = { content: { role: "model", parts: [turn(body)] }, finishReason: "STOP", index: 0 };
    response.writeHead(200, { "content-type": "text/event-stream" });
    return response.end(`data: ${JSON.stringify({ candidates: [candidate] })}\n\n`);
  }
  const { id, method, params } = body;
  if (id === undefined) return response.writeHead(202).end();
  const answer = methods[method];
  const part = answer ? { result: answer(params) } : { error: { code: -32601, message: "Method not found" } };
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ jsonrpc: "2.0", id, ...part }));
});
server.on("connect", (_request, socket) => socket.end("HTTP/1.1 403 Forbidden\r\n\r\n"));
await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
const origin = `http://127.0.0.1:${server.address().port}`;
writeFileSync(
  `${home}/.gemini/settings.json`,
  JSON.stringify({
    security: { auth: { selectedType: "gemini-api-key" } },
    privacy: { usageStatisticsEnabled: false },
    general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
    mcpServers: { orchard: { httpUrl: `${origin}/mcp` } },
  }),
);

const program = `${folder}/node_modules/@google/gemini-cli/bundle/gemini.js`;
const command = [program, "--model", "gemini-2.5-pro", "--approval-mode", "yolo", "--prompt", "Go."];
const env = {
  PATH: process.env.PATH,
  HOME: home,
  GEMINI_API_KEY: "none",
  GOOGLE_GEMINI_BASE_URL: origin,
  GEMINI_CLI_TRUST_WORKSPACE: "true",
  HTTP_PROXY: origin,
  HTTPS_PROXY: origin,
  NO_PROXY: "127.0.0.1",
};
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
if (received.length < names.length) throw new Error(`The client did not make both calls:\n${said}`);

for (const [at, name] of names.entries()) console.log(`${name}: the model is given ${received[at]}`);
const [done, refused] = received;
const isAsDescribed =
  done.includes("Watered") &&
  !done.includes("for programs") &&
  ["Too early", "for programs", "the one by the wall"].every((part) => refused.includes(part));
if (!isAsDescribed) process.exitCode = 1;
PROBE

if ! node "$folder/probe.mjs"; then
  echo "The behaviour differs: Gemini CLI passes on other parts of a tool's result than those described." >&2
  exit 1
fi
echo "As described: Gemini CLI passes on the text of a result, and of an error all of it, _meta and the call included."
