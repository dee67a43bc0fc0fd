// Script elements, in every form that a parser accepts.
import { family, markup, parsedMarkup } from "./payload.ts";

export const scripts = family("scripts", {
  inline: markup(({ strike }) => `<script>${strike}</script>`),
  "upper-case": markup(({ strike }) => `<SCRIPT>${strike}</SCRIPT>`),
  external: markup(({ hit }) => `<script src="${hit()}"></script>`),
  "external-module": markup(({ hit }) => `<script type="module" src="${hit()}"></script>`),
  "protocol-relative": markup(({ hit }) => `<script src="${hit().replace("http:", "")}"></script>`),
  "slash-for-space": markup(({ strike }) => `<script/x>${strike}</script>`),
  "line-break-in-tag": markup(({ strike }) => `<script\n>${strike}</script\n>`),
  "module-inline": markup(({ strike }) => `<script type="module">${strike}</script>`),
  unclosed: parsedMarkup(({ strike }) => `<p>Text<script>${strike}`, {
    unproven: "the parser runs no script that is not closed",
  }),
  "type-of-old": markup(({ strike }) => `<script type="text/javascript1.5">${strike}</script>`),
  "language-of-old": markup(({ strike }) => `<script language="javascript">${strike}</script>`),
  "double-opened": markup(({ strike }) => `<<script>${strike}//<</script>`),
  "split-by-sanitizer": markup(({ strike }) => `<scr<script></script>ipt></script><script>${strike}</script>`),
  "written-later": parsedMarkup(
    ({ hit }) => `<script>document.write('<scr'+'ipt src="${hit()}"></scr'+'ipt>')</script>`,
  ),
  "async-and-defer": markup(({ hit }) => `<script async defer src="${hit()}"></script>`),
  "data-address": markup(({ strike }) => `<script src="data:text/javascript,${encodeURIComponent(strike)}"></script>`),
  "in-comment-look-alike": markup(({ strike }) => `<!--><script>${strike}</script>-->`),
  "after-closing-comment": markup(({ strike }) => `<!-- --!><script>${strike}</script>`),
  "nomodule-off": markup(
    ({ hit }) => `<script src="${hit()}" crossorigin="use-credentials" fetchpriority="high"></script>`,
  ),
});
