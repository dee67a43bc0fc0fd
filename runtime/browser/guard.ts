// Runs ahead of a document of html or jsx: tells the page around it that it begins, what was kept out, what failed, whether nothing is
// shown and how high it is, keeps in memory what the sandbox won't let it store, prints and scrolls when asked, asks the
// page for links, files and the clipboard, and takes WebRTC away. The document can undo all but the last, so nothing else
// depends on it.
import { tellWhenBlank } from "./blank.ts";
import { reportHeight } from "./document-height.ts";
import { memoryCookies } from "./memory-cookies.ts";
import { keyValueStorage } from "./key-value-storage.ts";
import { adoptMemoryStorages, memoryStorage } from "./memory-storage.ts";
import { ownFiles } from "./own-files.ts";
import { askPage } from "./page-requests.ts";
import { drawPlaceholders, isPlaceholder } from "./placeholder-images.ts";
import { printWhole } from "./print-whole.ts";
import { tellRefusedFeatures } from "./refused-features.ts";
import { tellScriptErrors } from "./script-errors.ts";
import { follow } from "./scroll-together.ts";
import { tellStarted } from "./started.ts";

const reportsMax = 50;
const { parent } = window;
const reported = new Set<string>();

tellStarted();

window.addEventListener(
  "securitypolicyviolation",
  ({ effectiveDirective: directive, blockedURI }) => {
    if (isPlaceholder(blockedURI)) return;
    const address = withoutQuery(blockedURI);
    const key = `${directive} ${address}`;
    if (reported.size >= reportsMax || reported.has(key)) return;
    reported.add(key);
    parent.postMessage({ type: "plinth:blocked", directive, address }, "*");
  },
  true, // ahead of any listener of the document's own
);

window.addEventListener("message", ({ source, data }) => {
  if (source !== parent) return;
  const { type, on, top } = (data ?? {}) as { type?: unknown; on?: unknown; top?: unknown };
  if (type === "plinth:print") window.print();
  else if (type === "plinth:follow") follow(on === true, top);
});

// Reading these throws in the sandbox, which ends scripts that only meant to look whether they are there.
const define = (name: string, value: unknown, on: object = window) =>
  Object.defineProperty(on, name, { value, configurable: true, enumerable: true, writable: true });
adoptMemoryStorages();
define("localStorage", memoryStorage());
define("sessionStorage", memoryStorage());
define("storage", keyValueStorage());
// Not there at all is what scripts are prepared for.
define("indexedDB", undefined);
define("caches", undefined);
Reflect.deleteProperty(Navigator.prototype, "serviceWorker");
Object.defineProperty(document, "cookie", { ...memoryCookies(), configurable: true, enumerable: true });

tellRefusedFeatures();
askPage(ownFiles(document.currentScript));
drawPlaceholders();
printWhole();
reportHeight();

// A document of jsx, whose scripts have a nonce, shows its failures itself. A screenshot's report has them from the browser.
if (document.currentScript?.nonce === "" && parent !== window) {
  let errors = 0;
  tellScriptErrors(() => errors++);
  tellWhenBlank(() => errors + reported.size > 0);
}

// Chromium's `webrtc=block` still sends to a peer whose address the document names itself, and no policy forbids it.
// Gone for good: another window's constructors are out of reach of an opaque origin
// (docs/decisions/content-isolation.md, "Connection-Allowlist").
for (const name of ["RTCPeerConnection", "webkitRTCPeerConnection"]) Reflect.deleteProperty(window, name);

document.currentScript?.remove();

/** The query can hold what the document asked for; the origin and the path say only where. */
function withoutQuery(address: string): string {
  const url = URL.parse(address);
  return url?.host ? url.origin + url.pathname : address;
}
