// Markdown's own syntax against a renderer: URLs, titles, references, fences, footnotes, front matter. The control
// renders it with a parser that trusts its author.
import { family, markdown } from "./payload.ts";

const pressed = { pressed: true } as const;
const tight = (code: string): string => encodeURIComponent(code).replaceAll("(", "%28").replaceAll(")", "%29");

export const syntax = family("syntax", {
  "link-script": markdown(({ strike }) => `[Read on](javascript:${tight(strike)})`, pressed),
  "link-angle": markdown(({ strike }) => `[Read on](<javascript:${strike}>)`, pressed),
  "link-entity": markdown(({ strike }) => `[Read on](&#106;avascript:${tight(strike)})`, pressed),
  "link-tab": markdown(({ strike }) => `[Read on](<java\tscript:${strike}>)`, pressed),
  "link-case": markdown(({ strike }) => `[Read on](JaVaScRiPt:${tight(strike)})`, pressed),
  "link-title": markdown(
    ({ strike }) =>
      `[Read on](#x "Title &quot; onpointerover=&quot;${strike}&quot;")\n\n<a title="x" onpointerover="${strike}" href="#x">x</a>`,
    pressed,
  ),
  reference: markdown(({ strike }) => `[Read on][r]\n\n[r]: javascript:${tight(strike)} "Title"`, pressed),
  "reference-collapsed": markdown(({ strike }) => `[Read on][]\n\n[read on]: <javascript:${strike}>`, pressed),
  autolink: markdown(({ strike }) => `<javascript:${tight(strike)}>`, pressed),
  "autolink-data": markdown(
    ({ strike, hit }) => `<data:text/html,${tight(`<script>${strike}</script>`)}>\n\n![x](${hit()})`,
    pressed,
  ),
  image: markdown(({ hit }) => `![A picture](${hit()})`),
  "image-titled": markdown(({ hit }) => `![A picture](${hit()} "title")`),
  "image-reference": markdown(({ hit }) => `![A picture][p]\n\n[p]: ${hit()}`),
  "image-in-link": markdown(({ hit }) => `[![A picture](${hit()})](#x)`),
  "image-protocol-relative": markdown(({ hit }) => `![A picture](${hit().replace("http:", "")})`),
  "image-in-table": markdown(({ hit }) => `| a | b |\n|---|---|\n| ![x](${hit()}) | y |`),
  "image-in-heading": markdown(({ hit }) => `## ![x](${hit()})\n\n## Another ${"word ".repeat(9)}`),
  "image-alt-breakout": markdown(({ strike, hit }) => `![x" onerror="${strike}](${hit()})`),
  "fence-language": markdown(
    ({ strike }) =>
      `\`\`\`html"><img src=data:, onerror='${strike}'>\ncode\n\`\`\`\n\n<pre><code class="x"><img src="data:," onerror="${strike}"></code></pre>`,
  ),
  "fence-holds-html": markdown(
    ({ strike }) =>
      `\`\`\`html\n<script>${strike}</script>\n\`\`\`\n\n<div><code><script>${strike}</script></code></div>`,
  ),
  "footnote-name": markdown(
    ({ strike }) => `Text[^"><img src=x>]\n\n[^"><img src=x>]: Note <img src="data:," onerror="${strike}">`,
  ),
  "footnote-html": markdown(({ strike }) => `Text[^1]\n\n[^1]: Note <img src="data:," onerror="${strike}">`),
  "alert-title": markdown(({ strike }) => `> [!NOTE] <img src="data:," onerror="${strike}">\n> Text`),
  "task-list": markdown(({ strike }) => `- [x] <img src="data:," onerror="${strike}">\n- [ ] x`),
  "heading-slug": markdown(
    ({ strike }) => `## constructor\n\n## __proto__\n\n## "><img src="data:," onerror="${strike}">`,
  ),
  "table-alignment": markdown(({ strike }) => `| a |\n|:-:|\n| <img src="data:," onerror="${strike}"> |`),
  "html-and-markdown": markdown(({ strike }) => `<div>\n\n**bold** <img src="data:," onerror="${strike}">\n\n</div>`),
  "entity-html": markdown(({ strike }) => `&lt;img src=x onerror=1&gt; <img src="data:," onerror="${strike}">`),
  "front-matter": markdown(
    ({ strike }) => `---\ntitle: "</title><script>${strike}</script>"\n---\n<script>${strike}</script>\n\nText`,
  ),
  "front-matter-yaml": markdown(
    ({ hit }) => `---\n? !!js/function 'x'\n: &a [*a]\n__proto__: { src: "${hit()}" }\n---\n![x](${hit()})`,
  ),
  "comment-breakout": markdown(({ strike }) => `<!-- a --!><img src="data:," onerror="${strike}"> -->`),
  "relative-mark": markdown(
    ({ strike, hit }) => `[x](\u0001//evil "y") <a href="&#0;${hit()}">x</a> <img src="data:," onerror="${strike}">`,
  ),
  "protocol-relative-link": markdown(({ hit }) => `[Read on](${hit().replace("http:", "")})`, {
    pressed: true,
    allows: ["page"],
  }),
  "backslash-link": markdown(({ hit }) => `[Read on](<\\\\\\\\${hit().replace("http://", "")}>)`, {
    pressed: true,
    allows: ["page"],
  }),
  "link-elsewhere": markdown(({ hit }) => `[Read on](${hit()})`, { pressed: true, allows: ["page"] }),
  "setext-and-html": markdown(({ strike }) => `<img src="data:," onerror="${strike}">\n===`),
});
