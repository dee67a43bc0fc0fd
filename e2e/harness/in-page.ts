// Uses of what a document has in itself, and what the parts of it that run by themselves try to reach elsewhere.
import { expect } from "bun:test";

/** Each is the body of an async function; `elsewhere` is the address of a server that must receive nothing. */
const tries = (elsewhere: string): Readonly<Record<string, string>> => ({
  fetchData: `return (await (await fetch('data:application/json,{"a":1}')).json()).a`,
  fetchBlob: "return await (await fetch(blobOf('text'))).text()",
  xhrData: "return await asked('data:text/plain,text')",
  xhrBlob: "return await asked(blobOf('text'))",
  worker: "return await workerSays('postMessage(1 + 1)', 'classic')",
  // A policy of the document holds in its workers.
  workerFetch: `return await workerSays("fetch('${elsewhere}/worker', { mode: 'no-cors' }).then(() => postMessage('sent'), () => postMessage('refused'))", 'classic')`,
  moduleWorkerFetch: `return await workerSays("fetch('${elsewhere}/module-worker', { mode: 'no-cors' }).then(() => postMessage('sent'), () => postMessage('refused'))", 'module')`,
  workerXhr: `return await workerSays("const x = new XMLHttpRequest(); x.onload = () => postMessage('sent'); x.onerror = () => postMessage('refused'); x.open('GET', '${elsewhere}/worker-xhr'); x.send()", 'classic')`,
  workerImport: `return await workerSays("try { importScripts('${elsewhere}/worker-import.js'); postMessage('sent') } catch { postMessage('refused') }", 'classic')`,
  moduleWorkerImport: `return await workerSays("import('${elsewhere}/module-import.js').then(() => postMessage('sent'), () => postMessage('refused'))", 'module')`,
  workerSocket: `return await workerSays("try { const s = new WebSocket('${elsewhere.replace("http", "ws")}/socket'); s.onopen = () => postMessage('sent'); s.onerror = () => postMessage('refused') } catch { postMessage('refused') }", 'classic')`,
  dataRedirect: `return await fetch('data:text/html,<meta http-equiv=refresh content=0;url=${elsewhere}/data>').then((answer) => answer.text()).then((text) => text.length > 0)`,
  gamepads: "return Array.isArray(Array.from(navigator.getGamepads()))",
  database: `const opened = await done(indexedDB.open("notes", 1), (db) => db.createObjectStore("texts", { keyPath: "id" }).createIndex("by", "by"));
    const texts = opened.transaction("texts", "readwrite").objectStore("texts");
    await Promise.all([1, 2].map((id) => done(texts.put({ id, by: "ada" }))));
    const found = await done(opened.transaction("texts").objectStore("texts").index("by").getAll(IDBKeyRange.only("ada")));
    return [found.length, opened instanceof IDBDatabase, (await indexedDB.databases()).length].join()`,
  cache: `const cache = await caches.open("kept"); await cache.put("https://a.example/x?y", new Response("text"));
    const [first, again] = [await caches.match("https://a.example/x?y"), await cache.match("https://a.example/x", { ignoreSearch: true })];
    return [await first.text(), await again.text(), (await cache.keys()).length, await cache.delete("https://a.example/x?y"), await caches.has("other")].join()`,
  cacheFetch: `return await caches.open("kept").then((cache) => cache.add('${elsewhere}/cache')).then(() => "sent", () => "refused")`,
  storage: "await window.storage.set('key', 'kept'); return (await window.storage.get('key')).value",
  storageMethods:
    "Storage.prototype.setItem.call(localStorage, 'key', 'kept'); return localStorage.getItem('key') === 'kept'",
});

/** Chromium starts no module worker of a blob in a document of an opaque origin. */
const notSent: unknown = expect.stringMatching(/^(?:refused|Error: worker)/);

export const inPageOutcomes = {
  fetchData: 1,
  fetchBlob: "text",
  xhrData: "text",
  xhrBlob: "text",
  worker: 2,
  workerFetch: "refused",
  moduleWorkerFetch: notSent,
  workerXhr: "refused",
  workerImport: "refused",
  moduleWorkerImport: notSent,
  workerSocket: "refused",
  dataRedirect: true,
  gamepads: true,
  database: "2,true,1",
  cache: "text,text,1,true,false",
  cacheFetch: "refused",
  storage: "kept",
  storageMethods: true,
};

const helpers = `
  const blobOf = (text, type = "text/javascript") => URL.createObjectURL(new Blob([text], { type }));
  const asked = (address) => new Promise((ok, no) => { const x = new XMLHttpRequest(); x.onload = () => ok(x.responseText); x.onerror = () => no(new Error("blocked")); x.open("GET", address); x.send(); });
  const done = (request, upgrade) => new Promise((ok, no) => { request.onupgradeneeded = () => upgrade(request.result); request.onsuccess = () => ok(request.result); request.onerror = () => no(request.error); });
  const workerSays = (text, type) => new Promise((ok, no) => { const w = new Worker(blobOf(text), { type }); w.onmessage = ({ data }) => ok(data); w.onerror = (event) => no(new Error("worker " + event.message)); });`;

/** A document that writes the outcome of each into `#outcome`. */
export function inPageDocument(type: "html" | "jsx", elsewhere: string): string {
  const all = Object.entries(tries(elsewhere))
    .map(
      ([name, body]) =>
        `try { out.${name} = await (async () => { ${body} })(); } catch (e) { out.${name} = String(e); }`,
    )
    .join("\n");
  const run = `async () => { ${helpers} const out = {}; ${all} return JSON.stringify(out); }`;
  if (type === "html")
    return `<!doctype html><title>In the page</title><body><pre id="outcome"></pre><script>
      (${run})().then((text) => { document.getElementById("outcome").textContent = text; });</script>`;
  return `import { useEffect, useState } from "react";
const attempt = ${run};
export default function InPage() {
  const [outcome, setOutcome] = useState("");
  useEffect(() => { attempt().then(setOutcome); }, []);
  return <pre id="outcome">{outcome}</pre>;
}`;
}
