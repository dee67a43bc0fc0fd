// The network egress probes of a document, as scripts. Each has its own address or port, so that a listener can tell
// which one got through.

/** An address of this machine other than loopback, in the test's own network. */
export const HOST = "198.51.100.7";
export const METADATA = "169.254.169.254";
export const WEB_PORT = 8080;
/** Names in this zone resolve. */
export const ZONE = "out.example";

export const streamPorts = { preconnect: 7001 } as const;
export const datagramPorts = { webtransport: 7101 } as const;

const to = (name: string, host = HOST): string => `http://${host}:${WEB_PORT}/${encodeURIComponent(name)}`;

const element = (tag: string, properties: Readonly<Record<string, string>>): string =>
  `{ const e = document.createElement("${tag}"); Object.assign(e, ${JSON.stringify(properties)}); document.body.append(e); }`;
const link = (rel: string, href: string, more: Readonly<Record<string, string>> = {}): string =>
  element("link", { rel, href, ...more });
const style = (text: string): string => element("style", { textContent: text });

/** One document tries all of these. */
export const quietProbes: Readonly<Record<string, string>> = {
  fetch: `fetch("${to("fetch")}", { mode: "no-cors" })`,
  "fetch of the loopback": `fetch("${to("fetch of the loopback", "127.0.0.1")}", { mode: "no-cors" })`,
  "fetch of the metadata": `fetch("${to("fetch of the metadata", METADATA)}", { mode: "no-cors" })`,
  "fetch of a name": `fetch("${to("fetch of a name", `fetch.${ZONE}`)}", { mode: "no-cors" })`,
  "fetch that stays": `fetch("${to("fetch that stays")}", { mode: "no-cors", keepalive: true, method: "POST" })`,
  xhr: `{ const x = new XMLHttpRequest(); x.open("GET", "${to("xhr")}"); x.send(); }`,
  beacon: `navigator.sendBeacon("${to("beacon")}", "x")`,
  "event source": `new EventSource("${to("event source")}")`,
  "web socket": `new WebSocket("${to("web socket").replace("http", "ws")}")`,
  image: element("img", { src: to("image") }),
  script: element("script", { src: to("script") }),
  module: `import("${to("module")}").catch(() => 0)`,
  stylesheet: link("stylesheet", to("stylesheet")),
  background: style(`body { background: url("${to("background")}") }`),
  font: style(`@font-face { font-family: out; src: url("${to("font")}") } body { font-family: out }`),
  video: element("video", { src: to("video"), preload: "auto" }),
  frame: element("iframe", { src: to("frame") }),
  object: element("object", { data: to("object"), type: "text/html" }),
  "frame of its own": element("iframe", { srcdoc: `<img src="${to("frame of its own")}">` }),
  worker: `new Worker(URL.createObjectURL(new Blob(['fetch("${to("worker")}", { mode: "no-cors" })'])))`,
  prefetch: link("prefetch", to("prefetch")),
  preload: link("preload", to("preload"), { as: "image" }),
  preconnect: link("preconnect", `http://${HOST}:${streamPorts.preconnect}`),
  "dns-prefetch": link("dns-prefetch", `http://dns-prefetch.${ZONE}`),
  redirect: element("img", { src: `${to("redirected")}?to=${encodeURIComponent(to("redirect"))}` }),
  webtransport: `new WebTransport("https://${HOST}:${datagramPorts.webtransport}/").ready.catch(() => 0)`,
  "speculation rules": element("script", {
    type: "speculationrules",
    textContent: JSON.stringify({
      prefetch: [{ urls: [to("speculation rules", "127.0.0.1")], eagerness: "immediate" }],
    }),
  }),
};

/** A separate document tries each of these, because it may navigate. */
export const navigatingProbes: Readonly<Record<string, string>> = {
  form: `<form action="${to("form")}" method="post"></form><script>document.forms[0].submit()</script>`,
  location: `<p>Leaving</p><script>location.href = "${to("location")}"</script>`,
  refresh: `<meta http-equiv="refresh" content="0;url=${to("refresh")}">`,
  "pop-up": `<script>open("${to("pop-up")}")</script>`,
};

/** The probes that arrive from the first document, and from each of these navigating ones in order, without confinement. */
export const expectedArrivals = (navigating: readonly string[]): readonly (readonly string[])[] => [
  [...Object.keys(quietProbes).map((probe) => (probe === "dns-prefetch" ? `name: ${probe}` : probe)), "name: fetch"],
  ...navigating.map((probe) => [probe]),
];

/** A probe that throws does not prevent the others. */
export const quietDocument = `<!doctype html><body><script>${Object.values(quietProbes)
  .map((probe) => `try { ${probe} } catch {}`)
  .join("\n")}</script>`;

/** Must be refused without any network traffic: the document prints on its console what it could read. */
export const fileDocument = `<!doctype html><body><script>
  for (const address of ["file:///etc/hostname", "file:///proc/self/environ"]) {
    fetch(address).then((response) => response.text()).then((text) => console.log("read " + text), () => console.log("refused"));
    const frame = document.createElement("iframe"); frame.src = address;
    frame.onload = () => { try { console.log("framed " + frame.contentDocument.body.textContent); } catch { console.log("refused"); } };
    document.body.append(frame);
  }
</script>`;
