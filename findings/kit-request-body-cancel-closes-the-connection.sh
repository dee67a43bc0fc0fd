#!/usr/bin/env bash
# Good guess: cancelling the body of a request says that its rest is not wanted, and the answer still goes, as it does where a
# Fetch server discards the body. A hook that refuses a large upload early would do that, so that it does not read all of it.
#
# What happens in @sveltejs/kit 3.2.0: the body that `getRequest` of `@sveltejs/kit/node` makes destroys the connection when it
# is cancelled. The client gets no 413 but a reset connection. Where the body is left unread, the answer arrives.
#
# Why it matters: a browser shows its page for a lost network, and a program retries the upload that will never be taken.
#
# Needs Node and npm.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --prefix "$folder" --loglevel=error --no-audit --no-fund @sveltejs/kit@3.2.0

cat >"$folder/probe.mjs" <<'PROBE'
import { getRequest, setResponse } from "@sveltejs/kit/node";
import http from "node:http";

const server = http.createServer(async (incoming, outgoing) => {
  const request = await getRequest({ request: incoming, base: "http://localhost" });
  if (incoming.url === "/cancelled") await request.body.cancel();
  await setResponse(outgoing, new Response("too large", { status: 413 }));
});

const answerTo = (port, path) =>
  new Promise((resolve) => {
    const headers = { "content-length": 1000 };
    const post = http.request({ host: "127.0.0.1", port, path, method: "POST", headers });
    post.on("response", ({ statusCode }) => {
      resolve(String(statusCode));
      post.destroy();
    });
    post.on("error", ({ code }) => resolve(code));
    // The rest of the body never comes, as while a large one is still on its way.
    post.write("x".repeat(100));
  });

server.listen(0, "127.0.0.1", async () => {
  const { port } = server.address();
  for (const body of ["unread", "cancelled"]) console.log(`${body}: ${await answerTo(port, `/${body}`)}`);
  server.closeAllConnections();
  server.close();
});
PROBE

cd "$folder"
said=$(node probe.mjs)
echo "$said"
grep -qx 'unread: 413' <<<"$said"
grep -qx 'cancelled: ECONNRESET' <<<"$said"
echo "Seen: a cancelled body closes the connection before the answer."
