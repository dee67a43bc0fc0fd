// Speculative requests of a browser: speculation rules, prefetch, preconnect.
import { family, markup, script } from "./payload.ts";

/** And documents are shown in frames. */
const ofPages = { unproven: "Chromium obeys such rules of a page alone, and of no frame" } as const;
const rules = (json: (hit: string) => string) =>
  markup(
    ({ hit }) => `<script type="speculationrules">${json(hit())}</script><a href="${hit("linked")}">x</a>`,
    ofPages,
  );
const socketLink = (rel: string) => markup(({ socket }) => `<link rel="${rel}" href="http://${socket}">`);

export const speculation = family("speculation", {
  "prefetch-rules": rules((hit) => `{"prefetch":[{"urls":["${hit}"],"eagerness":"immediate"}]}`),
  "prefetch-anonymous": rules(
    (hit) =>
      `{"prefetch":[{"urls":["${hit}"],"requires":["anonymous-client-ip-when-cross-origin"],"eagerness":"immediate"}]}`,
  ),
  "prerender-rules": rules((hit) => `{"prerender":[{"urls":["${hit}"],"eagerness":"immediate"}]}`),
  "document-rules": rules(
    () => `{"prefetch":[{"source":"document","where":{"href_matches":"*://*:*/*"},"eagerness":"immediate"}]}`,
  ),
  "rules-by-script": script(
    ({ hit }) =>
      `const s = document.createElement("script"); s.type = "speculationrules"; s.textContent = '{"prefetch":[{"urls":["${hit()}"],"eagerness":"immediate"}]}'; document.head.append(s);`,
    ofPages,
  ),
  prefetch: markup(({ hit }) => `<link rel="prefetch" href="${hit()}">`),
  "prefetch-as-document": markup(({ hit }) => `<link rel="prefetch" as="document" href="${hit()}">`),
  "prefetch-by-script": script(
    ({ hit }) =>
      `const l = document.createElement("link"); l.rel = "prefetch"; l.href = "${hit()}"; document.head.append(l);`,
  ),
  "prerender-link": markup(({ hit }) => `<link rel="prerender" href="${hit()}">`, {
    unproven: "Chromium renders no link ahead of need",
  }),
  preconnect: socketLink("preconnect"),
  "preconnect-with-credentials": markup(
    ({ socket }) => `<link rel="preconnect" crossorigin="use-credentials" href="http://${socket}">`,
  ),
  "preconnect-by-script": script(
    ({ socket }) =>
      `const l = document.createElement("link"); l.rel = "preconnect"; l.href = "http://${socket}"; document.head.append(l);`,
  ),
  "dns-prefetch-and-preconnect": markup(({ socket }) => `<link rel="dns-prefetch preconnect" href="http://${socket}">`),
  "next-and-prefetch": markup(({ hit }) => `<link rel="next prefetch" href="${hit()}">`),
  "dns-prefetch": markup(({ collector }) => `<link rel="dns-prefetch" href="${new URL(collector).origin}">`, {
    unproven: "a name that is looked up asks this server nothing",
  }),
});
