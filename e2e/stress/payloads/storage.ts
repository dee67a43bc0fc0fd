// Payloads against the browser storage of the app's origin: cookies, storages, databases, caches, files.
import { canary } from "./strike.ts";
import { family, script } from "./payload.ts";

const { cookie, storage: kept } = canary;
const read = (expression: string) => script(({ tell }) => `const found = ${expression}; ${tell("read", "found")}`);

export const storage = family("storage", {
  "cookie-read": read("document.cookie"),
  "cookie-write": script(({ tell }) => `document.cookie = "stolen=1; path=/"; ${tell("wrote", "document.cookie")}`),
  "cookie-overwrite": script(
    ({ tell }) =>
      `document.cookie = "plinth_session=attacker; path=/"; document.cookie = "${cookie.name}=attacker; path=/"; ${tell("wrote", "document.cookie")}`,
  ),
  "cookie-of-domain": script(
    ({ tell }) =>
      `document.cookie = "a=1; domain=" + location.hostname + "; path=/"; ${tell("wrote", "document.cookie")}`,
  ),
  "cookie-bomb": script(
    ({ tell }) =>
      `for (let i = 0; i < 100; i++) document.cookie = "b" + i + "=" + "x".repeat(3000) + "; path=/bomb"; ${tell("wrote", "document.cookie.length")}`,
  ),
  "cookie-store": read(`await cookieStore.getAll().then((all) => all.map((one) => one.name + "=" + one.value).join())`),
  "cookie-store-set": script(({ tell }) => `await cookieStore.set("stolen", "1"); ${tell("wrote", "document.cookie")}`),
  "local-storage": read(`localStorage.getItem("${kept.name}").toString()`),
  "local-storage-write": script(
    ({ tell }) =>
      `localStorage.setItem("theme", "attacked"); localStorage.removeItem("${kept.name}"); ${tell("wrote", "localStorage.length")}`,
  ),
  "session-storage": script(
    ({ tell }) => `sessionStorage.setItem("stolen", "1"); ${tell("wrote", "sessionStorage.length")}`,
  ),
  "storage-of-inner-frame": script(
    ({ tell }) =>
      `const f = document.createElement("iframe"); document.body.append(f); ${tell("read", `f.contentWindow.localStorage.getItem('${kept.name}')`)}`,
  ),
  "storage-event": script(
    ({ tell }) =>
      `const s = Object.getOwnPropertyDescriptor(Window.prototype, "localStorage") ?? Object.getOwnPropertyDescriptor(window, "localStorage"); const found = s.get.call(window).getItem("${kept.name}"); ${tell("read", "found")}`,
  ),
  "indexed-database": script(
    ({ tell }) =>
      `const r = indexedDB.open("stolen"); await new Promise((ok, no) => { r.onsuccess = ok; r.onerror = no; }); ${tell("opened", "r.result.name")}`,
  ),
  "databases-listed": read("(await indexedDB.databases()).length"),
  "cache-open": script(({ tell }) => `const c = await caches.open("stolen"); ${tell("opened", "typeof c.add")}`),
  "cache-poison": script(
    ({ app, tell }) =>
      `const c = await caches.open("kit"); await c.put("${app}/", new Response("attacked")); const names = await caches.keys(); ${tell("wrote", "names.join()")}`,
  ),
  "private-files": script(
    ({ tell }) => `const d = await navigator.storage.getDirectory(); ${tell("opened", "d.kind")}`,
  ),
  "storage-access": script(
    ({ tell }) => `await document.requestStorageAccess(); ${tell("granted", "document.cookie")}`,
  ),
  "broadcast-channel": script(
    ({ tell }) =>
      `const b = new BroadcastChannel("plinth"); b.postMessage("x"); const d = new BroadcastChannel("plinth"); await new Promise((ok) => { d.onmessage = ok; b.postMessage("x"); setTimeout(ok, 300); }); ${tell("spoke", "self.origin")}`,
  ),
  locks: script(({ tell }) => `await navigator.locks.request("plinth", () => { ${tell("held", "self.origin")} });`),
});
