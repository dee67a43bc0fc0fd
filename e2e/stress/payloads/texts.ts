// Titles, descriptions and version descriptions that break out of their place. The control writes them unescaped into a
// title, attributes, a comment, a script and the page.
import { family, text } from "./payload.ts";

const image = (hit: string): string => `<img src=${hit}>`;
const showing = (source: (hit: string) => string) => text(({ hit }) => source(hit()));

export const texts = family("texts", {
  image: showing(image),
  "script-element": showing((hit) => `<script src=${hit}></script>`),
  "script-ends": showing((hit) => `</script>${image(hit)}`),
  "title-ends": showing((hit) => `</title>${image(hit)}`),
  "style-ends": showing((hit) => `</style>${image(hit)}`),
  "textarea-ends": showing((hit) => `</textarea>${image(hit)}`),
  "comment-ends": showing((hit) => `-->${image(hit)}`),
  "double-quote": showing((hit) => `">${image(hit)}`),
  "single-quote": showing((hit) => `'>${image(hit)}`),
  "double-quote-handler": showing((hit) => `" autofocus tabindex=1 onfocus=alert(1) x="${image(hit)}`),
  "script-string": showing((hit) => `";new Image().src='${hit}';"`),
  "script-template": showing((hit) => "`;${new Image().src='" + hit + "'};`" + image(hit)),
  "svelte-html": showing((hit) => `{@html "${image(hit)}"}${image(hit)}`),
  "svelte-expression": showing((hit) => `{(new Image().src='${hit}')}${image(hit)}`),
  "template-braces": showing((hit) => `{{constructor.constructor('x')()}}${image(hit)}`),
  "entity-encoded": showing((hit) => `&lt;img src=x&gt;&#60;b&#62;${image(hit)}`),
  "json-ends": showing((hit) => `"}]}</script>${image(hit)}`),
  separators: showing((hit) => `\u2028\u2029${image(hit)}`),
  directions: showing((hit) => `\u202e\u2066${image(hit)}\u2069`),
  invisible: showing((hit) => `\u200b\u00ad\ufeff${image(hit)}`),
  refresh: showing((hit) => `<meta http-equiv=refresh content=0;url=${hit}>`),
  "markdown-image": showing((hit) => `![x](${hit})${image(hit)}`),
  "markdown-link": showing((hit) => `[x](javascript:1)${image(hit)}`),
  "header-lines": showing((hit) => `x%0d%0aSet-Cookie:a=1${image(hit)}`),
  "percent-and-plus": showing((hit) => `%3Cimg%3E+&amp=1;${image(hit)}`),
  drawing: showing((hit) => `<svg><image href=${hit} /></svg>`),
  "style-import": showing((hit) => `<style>@import '${hit}';</style>`),
  "object-words": showing((hit) => `__proto__ constructor ${image(hit)}`),
});
