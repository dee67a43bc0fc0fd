// The pages of the control, which do everything wrong with documents of strangers: trust their markup, globals,
// messages and titles.
import markdownIt from "markdown-it";

import { canary } from "./payloads/strike.ts";

const trusting = markdownIt({ html: true, linkify: true });
trusting.validateLink = () => true;
trusting.normalizeLink = (address) => address;

/** The rendering; libraries in the page draw formulas and diagrams. */
export function carelessMarkdown(source: string): string {
  const body = source.replace(/^---\n[\s\S]*?\n---\n/, (matter) => `<pre>${matter}</pre>\n\n`);
  return trusting.render(body);
}

export const carelessPage = (body: string): string => `<!doctype html><meta charset="utf-8"><title>Careless</title>
<body>${body}
<script src="/careless.js"></script>
<script>${drawing}</script>`;

// Each script is a block, because they share a page and some names.
/** Draws a page's formulas and diagrams with the loosest settings; loads the libraries only if there are any. */
const drawing = `{
const load = (src) => new Promise((ok, no) => { const s = document.createElement("script"); s.src = src; s.onload = ok; s.onerror = no; document.head.append(s); });
const diagrams = [...document.querySelectorAll("code.language-mermaid")];
if (diagrams.length > 0) load("/libraries/mermaid/dist/mermaid.min.js").then(async () => {
  mermaid.initialize({ startOnLoad: false, securityLevel: "loose", htmlLabels: true, flowchart: { htmlLabels: true }, secure: [] });
  for (const [at, code] of diagrams.entries()) {
    const { svg, bindFunctions } = await mermaid.render("drawn" + at, code.textContent);
    code.parentElement.innerHTML = svg; bindFunctions?.(document.body);
  }
});
const formula = /\\$\\$([\\s\\S]+?)\\$\\$|\\$([^$]+)\\$/g;
const main = document.querySelector("main");
const fenced = [...document.querySelectorAll("code.language-math")];
if (main && (/\\$[\\s\\S]*\\\\[a-z]+[\\s\\S]*\\$/.test(main.textContent) || fenced.length > 0)) load("/libraries/katex/dist/katex.min.js").then(() => {
  const draw = (tex, at) => katex.render(tex, at, { trust: true, strict: false, throwOnError: false });
  for (const code of fenced) draw(code.textContent, code.parentElement);
  for (const p of main.querySelectorAll("p")) {
    const found = [...p.textContent.matchAll(formula)];
    for (const one of found) { const at = document.createElement("span"); p.append(at); draw(one[1] ?? one[2], at); }
  }
});
}`;

/** The site's own scripts, which trust the page around them. */
export const carelessScript = `{
const load = (address) => { if (/^(?:https?:)?\\/\\//.test(address)) new Image().src = address; };
const text = (value) => value === undefined || value === null ? "" : String(value.value ?? value.alt ?? value.title ?? value.href ?? value);
const believe = () => {
  const config = window.config ?? {}, defaults = window.defaults ?? {};
  for (const value of [config, config.url, config.src, defaults.api?.url, document.settings, document.currentScript, document.cookie, document.getElementById, document.addEventListener?.url, document.createElement?.url])
    if (value) { load(text(value)); load(String(value)); }
  if (config.document) load(String(config.document.getElementById("url") ?? ""));
  for (const name of ["root", "plinth-errors"]) load(String(window[name]?.href ?? ""));
  load(String({}.src ?? ""));
};
for (const after of [150, 500, 1500, 3000]) setTimeout(believe, after);
// Once components have rendered, too.
if (/\\/mutation\\//.test(location.pathname))
  addEventListener("load", () => setTimeout(() => { document.body.innerHTML = document.body.innerHTML; }, 200));
}`;

/**
 * The page around a document: it writes messages as html, merges them into its settings, and navigates where they say.
 */
export const carelessViewer = (
  name: string,
): string => `<!doctype html><meta charset="utf-8"><title>Careless viewer</title>
<body><script>localStorage.setItem("${canary.storage.name}", "${canary.storage.value}")</script><div id="panel"></div><iframe id="frame" src="/document/${name}" width="900" height="500"></iframe>
<script>
const settings = {}; let received = 0;
const merge = (into, from) => {
  for (const key of Object.keys(from)) {
    if (from[key] !== null && typeof from[key] === "object") { into[key] ??= {}; merge(into[key], from[key]); }
    else into[key] = from[key];
  }
};
const textsOf = (value) => typeof value === "string" ? [value] : value && typeof value === "object" ? Object.values(value).flatMap((one) => typeof one === "string" ? [one] : []) : [];
addEventListener("message", ({ data }) => {
  if (data?.struck) return;
  received++;
  for (const text of textsOf(data)) {
    if (text.length < 1e5) panel.insertAdjacentHTML("beforeend", text);
    if (/^https?:/.test(text)) new Image().src = text.split(" ")[0];
  }
  if (typeof data?.height === "string") frame.style.cssText = "height:" + data.height;
  if (data && typeof data === "object" && !(data instanceof Map)) { try { merge(settings, data); } catch (error) { console.info(error.message); } }
  const { src } = {};
  if (src) new Image().src = src;
});
</script>`;

/** Its other pages write messages as html, too. */
export const carelessHome = `<!doctype html><meta charset="utf-8"><title>Careless</title><body><p>The careless site</p>
<script>addEventListener("message", ({ data }) => document.body.insertAdjacentHTML("beforeend", String(data.html ?? "")));</script>`;

/** A text in every place of a page, unescaped. */
export const carelessText = (text: string): string => `<!doctype html><meta charset="utf-8">
<title>${text}</title><meta name="description" content="${text}"><meta property="og:title" content='${text}'>
<body><h1>${text}</h1><!-- ${text} --><textarea>${text}</textarea><p title="${text}">x</p><p title='${text}'>x</p><p title=${text}>x</p>
<script>var title = "${text}";</script><script>var title = \`${text}\`;</script>
<script type="application/json">{"title":"${text}"}</script><style>/* ${text} */</style>`;
