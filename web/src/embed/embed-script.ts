// The script of the embed page, inline and within 2 KB: it opens links of the document, which its sandbox refuses. The
// page has an opaque origin, so the script reaches neither cookies nor storage nor the API. It imports nothing, because
// the page holds it as text.
const frame = document.querySelector("iframe");
const link = document.querySelector<HTMLAnchorElement>("#opens");
let timer: ReturnType<typeof setTimeout> | undefined;

addEventListener("message", ({ source, data, ports }) => {
  if (source === null || source !== frame?.contentWindow) return;
  const { type, url: given } = (data ?? {}) as { type?: unknown; url?: unknown };
  if (type === "plinth:copy") ports[0]?.postMessage(false);
  if (type !== "plinth:open" || typeof given !== "string" || given.length > 8192) return;
  const url = URL.parse(given, frame.dataset["base"]);
  if (!navigator.userActivation?.isActive || !url || !/^(?:https?|mailto):$/.test(url.protocol)) return;
  // In markdown no script of the author's runs, so the URL is the one that was written.
  if (frame.dataset["type"] === "md") open(url.href, "_blank", "noreferrer");
  else ask(url.href);
});

function ask(url: string): void {
  if (!link) return;
  clearTimeout(timer);
  link.removeAttribute("href");
  link.textContent = url;
  // A document may time the line to appear under a press that was meant for itself.
  timer = setTimeout(() => (link.href = url), 600);
}
