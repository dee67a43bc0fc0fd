// URLs that are scripts or documents, in links that a reader presses.
import { family, markup } from "./payload.ts";

const pressed = { pressed: true } as const;
const link = (href: (strike: string) => string, more = "") =>
  markup(({ strike }) => `<a data-click${more} href="${href(strike)}">Read on</a>`, pressed);
const pageSource = (strike: string): string => encodeURIComponent(`<script>${strike}</script>`);

export const addresses = family("addresses", {
  javascript: link((strike) => `javascript:${strike}`),
  "mixed-case": link((strike) => `JaVaScRiPt:${strike}`),
  "leading-space": link((strike) => `  javascript:${strike}`),
  "leading-control": link((strike) => `&#1;javascript:${strike}`),
  "tab-within": link((strike) => `java&Tab;script:${strike}`),
  "line-within": link((strike) => `java&NewLine;script:${strike}`),
  "number-escapes": link((strike) => `&#106;&#97;&#118;&#97;&#115;&#99;&#114;&#105;&#112;&#116;&#58;${strike}`),
  "hex-escapes-unended": link((strike) => `&#x6A&#x61&#x76&#x61&#x73&#x63&#x72&#x69&#x70&#x74&#x3A${strike}`),
  "named-colon": link((strike) => `javascript&colon;${strike}`),
  "comment-first": link((strike) => `javascript://host/%0A${strike}`),
  "percent-encoded": link((strike) => `javascript:${encodeURIComponent(strike)}`),
  "to-the-top": link((strike) => `javascript:${strike}`, ` target="_top"`),
  "to-the-parent": link((strike) => `javascript:${strike}`, ` target="_parent"`),
  "image-map": markup(
    ({ strike }) =>
      `<map name="m"><area shape="default" href="javascript:${strike}"></map><img data-click usemap="#m" width="99" height="99" src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7">`,
    pressed,
  ),
  "data-page": markup(
    ({ strike }) =>
      `<iframe name="d"></iframe><a data-click target="d" href="data:text/html,${pageSource(strike)}">Read on</a>`,
    pressed,
  ),
  "data-page-base64": markup(
    ({ strike }) =>
      `<iframe name="d64"></iframe><a data-click target="d64" href="data:text/html;base64,${btoa(`<script>${strike}</script>`)}">Read on</a>`,
    pressed,
  ),
  vbscript: markup(
    ({ hit }) => `<a data-click href="vbscript:x">x</a><a data-click href="${hit()}" target="_self">x</a>`,
    pressed,
  ),
  "view-source": markup(
    ({ app, hit }) => `<a data-click href="view-source:${app}/api/profile/me">x</a><img src="${hit()}">`,
    pressed,
  ),
  "blob-of-itself": markup(
    ({ strike }) =>
      `<a data-click onclick="location=window.URL.createObjectURL(new Blob(['<script>'+this.title+'</'+'script>'],{type:'text/html'}))" title="${strike}">x</a>`,
    pressed,
  ),
  ping: markup(({ hit }) => `<a data-click href="#x" ping="${hit()}">x</a>`, pressed),
  "same-frame": markup(({ hit }) => `<a data-click href="${hit()}" target="_self">x</a>`, pressed),
  "top-frame": markup(({ hit }) => `<a data-click href="${hit()}" target="_top">x</a>`, pressed),
  download: markup(({ hit }) => `<a data-click href="${hit()}" download="invoice.exe">x</a>`, pressed),
});
