#!/usr/bin/env bash
# Good guess: the response header `Connection-Allowlist` says where a document may connect to. The document itself was
# just loaded from its address, so it can be loaded again from there, as under a strict Content-Security-Policy.
#
# What happens: Chromium 156.0.8078.108 (Debian) also holds the list against location.reload(). A framed document whose
# list does not name the document's own address becomes the browser's error page, and no request reaches the server.
# With the own address or `response-origin` in the list it loads again.
#
# Why it matters: a publisher that locks its documents in with a list of CDNs breaks "Start again" in each game and
# form, and only in browsers that know the header. `response-origin` would open every other page of the origin, too.
#
# Needs Node, npm and Chromium at /usr/bin/chromium (or CHROMIUM=...). Nothing leaves the machine but npm's download.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --prefix "$folder" --loglevel=error --no-audit --no-fund --ignore-scripts playwright-core@1.65.1

cat >"$folder/probe.mjs" <<'PROBE'
import { createServer } from "node:http";
import { chromium } from "playwright-core";

let list;
let loads = 0;
const server = createServer(({ url }, response) => {
  const isDocument = url === "/document";
  if (!isDocument && url !== "/") return response.writeHead(204).end();
  response.setHeader("Content-Type", "text/html");
  if (!isDocument) return response.end('<iframe src="/document" sandbox="allow-scripts"></iframe>');
  loads += 1;
  if (list !== undefined) response.setHeader("Connection-Allowlist", list);
  response.end('<p>The document</p><button onclick="location.reload()">Start again</button>');
});
await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
const origin = `http://127.0.0.1:${server.address().port}`;

const cdn = '"https://cdn.example/*"';
const cases = [
  { name: "no list", shown: true },
  { name: "a CDN alone", list: `(${cdn})`, shown: false },
  { name: "a CDN and the own address", list: `(${cdn} "${origin}/document")`, shown: true },
  { name: "a CDN and response-origin", list: `(${cdn} response-origin)`, shown: true },
];
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium" });
console.log(`Chromium ${browser.version()}`);
try {
  for (const { name, shown, ...given } of cases) {
    ({ list } = given);
    loads = 0;
    const page = await browser.newPage();
    await page.goto(origin);
    const frame = page.frames()[1];
    const left = page.waitForEvent("framenavigated");
    await frame.click("button");
    await left;
    const url = frame.url();
    console.log(`${name}: sent ${loads} times, the frame shows ${url.replace(origin, "")}`);
    if (loads !== (shown ? 2 : 1) || url.startsWith("chrome-error:") === shown) process.exitCode = 1;
    await page.close();
  }
} finally {
  await browser.close();
  server.close();
}
PROBE

if ! TMPDIR=$folder node "$folder/probe.mjs"; then
  echo "The behaviour differs: Connection-Allowlist no longer decides whether a document can load itself again." >&2
  exit 1
fi
echo "As described: a document whose Connection-Allowlist leaves out its own address cannot load itself again."
