import { describe, expect, test } from "bun:test";
import { renderMarkdown } from "./test/render-markdown.ts";

const PAYLOADS = [
  "<script>alert(1)</script>",
  "<SCRIPT SRC=//evil.example></SCRIPT>",
  "<scr<script>ipt>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  "<img src='x' OnError='alert(1)'>",
  "<details open ontoggle=alert(1)>",
  "<a href='javascript:alert(1)'>x</a>",
  "<a href='java\tscript:alert(1)'>x</a>",
  "<a href='&#106;avascript:alert(1)'>x</a>",
  "<a href='\u0001javascript:alert(1)'>x</a>",
  "[x](javascript:alert(1))",
  "[x](JaVaScRiPt:alert(1))",
  "[x](<java&#115;cript:alert(1)>)",
  "[x](data:text/html,<script>alert(1)</script>)",
  "<a href='data:text/html,<script>alert(1)</script>'>x</a>",
  "<a href='vbscript:x'>x</a>",
  "<img src='data:text/html,<script>alert(1)</script>'>",
  "<img src='data:image/svg+xml,<svg onload=alert(1)>'>",
  "<img src='javascript:alert(1)'>",
  "<img srcset='https://evil.example/x 1x'>",
  "<svg onload=alert(1)><script>alert(1)</script></svg>",
  "<svg><style><img src=x onerror=alert(1)></style></svg>",
  "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)></style></mglyph></table></mtext></math>",
  "<math href='javascript:alert(1)'>x</math>",
  "<style>@import 'https://evil.example'</style>",
  "<p style='background:url(https://evil.example)'>x</p>",
  "<iframe src='https://evil.example' srcdoc='<script>alert(1)</script>'></iframe>",
  "<object data=x></object><embed src=x>",
  "<form action='https://evil.example'><input name=a><button formaction='javascript:alert(1)'>x</button></form>",
  "<base href='https://evil.example/'>",
  "<meta http-equiv=refresh content='0;url=https://evil.example'>",
  "<link rel=stylesheet href='https://evil.example'>",
  "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>",
  "<textarea><img src=x onerror=alert(1)></textarea>",
  "<template><img src=x onerror=alert(1)></template>",
  "<xmp><img src=x onerror=alert(1)></xmp>",
  "<!--><img src=x onerror=alert(1)>-->",
  "<!-- --!><img src=x onerror=alert(1)> -->",
  "<![CDATA[<img src=x onerror=alert(1)>]]>",
  "<p title='\"><img src=x onerror=alert(1)>'>x</p>",
  "<img alt='`><script>alert(1)</script>' src=x>",
  "<a id=location name=cookie class=x href=#>x</a>",
  "<video src=https://evil.example autoplay></video><audio src=x></audio>",
  "<portal src=x></portal><marquee onstart=alert(1)>x</marquee>",
  '```"onmouseover=alert(1)\n</code><script>alert(1)</script>\n```',
  '!["onerror=alert(1) x="](x)',
  'https://a.example/"onmouseover="alert(1)',
  "<a href=//evil.example>x</a><img src=//evil.example/x>",
  "> [!note]- <img src=x onerror=alert(1)>\n> x",
  ":::tip[<script>alert(1)</script>]\n<img src=x onerror=alert(1)>\n:::",
  "::: {.callout-note title='<img src=x onerror=alert(1)>'}\nx\n:::",
  '!!! note "<img src=x onerror=alert(1)>"\n    <script>alert(1)</script>',
  "```{note} <img src=x onerror=alert(1)>\n<script>alert(1)</script>\n```",
  "[[javascript:alert(1)|x]] [[x#javascript:alert(1)|<script>alert(1)</script>]]",
  "[[//evil.example/x|x]] ![[//evil.example/x.png]] ![[\\\\evil.example/x.mp4]]",
  "![[x onerror=alert(1) .png]] ![[x' onerror='alert(1).mp4]]",
  ":rocket: <span data-emoji='rocket' onclick=alert(1)>x</span>",
  "\\ref{<script>alert(1)</script>} \\eqref{javascript:alert(1)}",
  "<details data-alert=note ontoggle=alert(1) open><summary onclick=alert(1)>x</summary></details>",
  "<p data-alert-title onclick=alert(1)>x</p>",
  "<picture><source srcset='javascript:alert(1)' media=all><img src=//evil.example/x></picture>",
  "<div>\n<style>\n</style>\n<table onclick=alert(1)><tr><td>x</table>",
];

const ALLOWED = new Set(
  (
    "h1 h2 h3 h4 h5 h6 p blockquote pre hr br wbr div ul ol li dl dt dd figure figcaption details summary table " +
    "caption thead tbody tfoot tr th td a img span code kbd samp var sub sup strong em b i u s del ins mark small " +
    "abbr cite q dfn time bdi bdo ruby rt rp aside"
  ).split(" "),
);

/** What a browser would see of it, by another parser than the renderer's. */
async function seen(html: string) {
  const tags: string[] = [];
  const attributes: [string, string][] = [];
  const reader = new HTMLRewriter().on("*", {
    element(element) {
      tags.push(element.tagName);
      for (const [name, value] of element.attributes) attributes.push([name, value]);
    },
  });
  await reader.transform(new Response(html)).text();
  return { tags, attributes };
}

describe("hostile markdown", () => {
  test.each(PAYLOADS)("%s", async (payload) => {
    const { tags, attributes } = await seen(await renderMarkdown(payload));
    for (const tag of tags) expect(ALLOWED).toContain(tag);
    for (const [name, value] of attributes) {
      expect(name).not.toMatch(/^on|^style$|^name$|^srcset$|^srcdoc$|^formaction$/);
      if (name === "id") expect(value).toStartWith("user-content-");
      if (name === "href") expect(value).toMatch(/^(https?:|mailto:|#|\0)/);
      if (name === "src") expect(value).toMatch(/^(data:image\/(png|jpeg|gif|webp|avif|svg\+xml)[;,]|\0)/);
    }
  });
});
