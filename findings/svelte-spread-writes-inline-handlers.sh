#!/usr/bin/env bash
# Good guess: Svelte renders on the server the attributes that a component sets. A component without a handler for `load`
# gives an `<iframe>` without inline script, so that a page whose policy refuses inline handlers has nothing to refuse.
#
# What happens: with Svelte 5.57.3, an `<iframe>`, `<img>` or `<link>` with spread attributes is sent with
# `onload="this.__e=event"` and `onerror="this.__e=event"`, also where the spread has no handler: it might have had one, and
# the event could come before the page's script. The same attributes named one by one add none.
#
# Why it matters: under a Content-Security-Policy without 'unsafe-inline' each of these elements is an error in the console and
# in reports. A spread that only shortens the code changes what the policy must allow.
#
# Needs Node and npm; downloads about 5 MB.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --prefix "$folder" --loglevel=error --no-audit --no-fund --ignore-scripts svelte@5.57.3

cat >"$folder/probe.mjs" <<'PROBE'
import { writeFileSync } from "node:fs";
import { compile } from "svelte/compiler";
import { render } from "svelte/server";

const attributes = 'const attributes = { sandbox: "allow-scripts", title: "An orchard" };';
const elements = {
  "iframe, spread": "<iframe {...attributes}></iframe>",
  "iframe, named": "<iframe sandbox={attributes.sandbox} title={attributes.title}></iframe>",
  "img, spread": '<img {...attributes} alt="" />',
  "div, spread": "<div {...attributes}></div>",
};
const found = {};
for (const [name, element] of Object.entries(elements)) {
  const file = `${import.meta.dirname}/${name.replace(", ", "-")}.mjs`;
  const { js } = compile(`<script>${attributes}</script>\n${element}`, { generate: "server", filename: "A.svelte" });
  writeFileSync(file, js.code);
  const { body } = await render((await import(file)).default);
  console.log(`${name}: ${body.replace(/<!--.*?-->/g, "")}`);
  found[name] = body.includes('onload="this.__e=event"');
}
const expected = { "iframe, spread": true, "iframe, named": false, "img, spread": true, "div, spread": false };
if (JSON.stringify(found) !== JSON.stringify(expected)) process.exitCode = 1;
PROBE

if ! node "$folder/probe.mjs"; then
  echo "The behaviour differs: Svelte renders other elements with inline handlers than those described." >&2
  exit 1
fi
echo "As described: a spread on an element that loads something is rendered with inline handlers."
