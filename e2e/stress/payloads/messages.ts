// Messages to the surrounding page: forged, malformed, huge, and too many. The control's page writes them as html,
// navigates where they say, and counts them.
import { family, script } from "./payload.ts";

const say = (message: (hit: string) => string) => script(({ hit }) => `parent.postMessage(${message(hit())}, "*");`);
const image = (hit: string): string => `<img src='${hit}'>`;

export const messages = family("messages", {
  "expired-with-address": say((hit) => `{ type: "plinth:expired", url: "${hit}" }`),
  "expired-often": script(
    ({ hit }) =>
      `for (let i = 0; i < 2000; i++) parent.postMessage({ type: "plinth:expired", html: i < 1 ? "${image(hit())}" : "" }, "*");`,
  ),
  "blocked-with-html": say((hit) => `{ type: "plinth:blocked", directive: "${image(hit)}", address: "${image(hit)}" }`),
  "blocked-with-script-address": script(
    ({ strike }) =>
      `parent.postMessage({ type: "plinth:blocked", directive: "img-src", address: "javascript:${strike}", html: "<img src='data:,' onerror=\\"${strike}\\">" }, "*");`,
  ),
  "blocked-flood": script(
    ({ hit }) =>
      `for (let i = 0; i < 3000; i++) parent.postMessage({ type: "plinth:blocked", directive: "img-src", address: "${hit()}" + i }, "*");`,
  ),
  "error-with-html": say(
    (hit) => `{ type: "plinth:error", message: "${image(hit)}", component: "${image(hit)}", line: 1, column: 1 }`,
  ),
  "error-huge": say((hit) => `{ type: "plinth:error", message: "${hit} ".repeat(200000), component: "x".repeat(1e6) }`),
  "error-flood": script(
    ({ hit }) =>
      `for (let i = 0; i < 3000; i++) parent.postMessage({ type: "plinth:error", message: "${hit()} " + i }, "*");`,
  ),
  "error-of-odd-places": say(
    (hit) =>
      `{ type: "plinth:error", message: "${image(hit)}", line: Infinity, column: -1, component: { toString: null } }`,
  ),
  "error-of-directions": say(
    (hit) => `{ type: "plinth:error", message: "\\u202e${image(hit)}\\u0000\\ud800", component: "\\u2066" }`,
  ),
  "height-huge": say((hit) => `{ type: "plinth:height", height: 1e308, html: "${image(hit)}" }`),
  "height-of-text": say((hit) => `{ type: "plinth:height", height: "1px;background:url(${hit})" }`),
  "height-not-a-number": say((hit) => `{ type: "plinth:height", height: NaN, html: "${image(hit)}" }`),
  "height-flood": script(
    ({ hit }) =>
      `for (let i = 0; i < 3000; i++) parent.postMessage({ type: "plinth:height", height: i, html: i < 1 ? "${image(hit())}" : "" }, "*");`,
  ),
  "unknown-type": say((hit) => `{ type: "plinth:navigate", url: "${hit}", html: "${image(hit)}" }`),
  "plain-text": say((hit) => `"${image(hit)}"`),
  "as-json-text": say((hit) => `JSON.stringify({ type: "plinth:expired", url: "${hit}", html: "${image(hit)}" })`),
  "through-the-top": script(({ hit }) => `top.postMessage({ type: "plinth:error", message: "${image(hit())}" }, "*");`),
  "from-inner-frame": script(
    ({ hit }) => `const f = document.createElement("iframe"); document.body.append(f);
    f.contentWindow.eval("top.postMessage({ type: 'plinth:expired', html: \\"${image(hit())}\\" }, '*')");`,
  ),
  "with-a-port": script(
    ({ hit }) =>
      `const c = new MessageChannel(); parent.postMessage({ type: "plinth:error", message: "${image(hit())}" }, "*", [c.port2]); c.port1.onmessage = () => {};`,
  ),
  cyclic: script(
    ({ hit }) =>
      `const m = { type: "plinth:error", message: "${image(hit())}" }; m.self = m; parent.postMessage(m, "*");`,
  ),
  "exotic-values": script(
    ({ hit }) =>
      `for (const value of [null, undefined, 0n, new Map([["type", "x"]]), new Error("x"), [], new ArrayBuffer(9), /x/, new Date(NaN)]) parent.postMessage(value, "*"); parent.postMessage({ type: "plinth:height", height: new Map(), html: "${image(hit())}" }, "*");`,
  ),
});
