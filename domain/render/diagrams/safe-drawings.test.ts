import { describe, expect, test } from "bun:test";

import { escapeHtml } from "../escape-html.ts";
import { diagramKey, hasDiagrams, showDrawings } from "../document/diagrams.ts";
import { renderMarkdown } from "../markdown/renderer.ts";
import { safeDrawing, safeDrawings } from "./safe-drawings.ts";
import { diagramSources } from "./sources.ts";

const drawn = (inside: string, attributes = ""): string => `<svg viewBox="0 0 9 9"${attributes}>${inside}</svg>`;

describe("a drawing", () => {
  test("keeps shapes, text, colours of both schemes and what refers to a part of it", () => {
    const made = drawn(
      '<marker id="drawing_end" orient="auto"><path d="M 0 0 L 9 9 z"></path></marker>' +
        '<path d="M1,2L3,4" fill="none" stroke="light-dark(#8c877b,#7d786d)" stroke-dasharray="3, 3" marker-end="url(#drawing_end)"></path>' +
        '<text x="1" dy="1em" text-anchor="middle">A &lt;b&gt; &amp; c<tspan font-weight="700"> d</tspan></text>',
      ' width="100%" role="graphics-document document" style="max-width:90.5px;min-width:67px"',
    );
    const safe = safeDrawing(made, "d0");
    expect(safe).toContain('stroke="light-dark(#8c877b,#7d786d)"');
    expect(safe).toContain('<marker id="d0-0" orient="auto">');
    expect(safe).toContain('marker-end="url(#d0-0)"');
    expect(safe).toContain("A &lt;b> &amp; c<tspan");
    expect(safe).toContain('style="max-width:90.5px;min-width:67px"');
    expect(safe).toContain('role="graphics-document document"');
  });

  test.each([
    ["a script", "<script>alert(1)</script>"],
    ["a style sheet", "<style>*{background:url(https://a.example)}</style>"],
    ["HTML", "<foreignObject><p>x</p></foreignObject>"],
    ["HTML that leaves the drawing", "<g><p>x</p></g>"],
    ["an image", '<image href="https://a.example/x.png"></image>'],
    ["an image of HTML", '<img src="https://a.example/x.png">'],
    ["a frame", '<iframe src="https://a.example"></iframe>'],
    ["an animation", '<a><animate attributeName="href" values="javascript:alert(1)"></animate></a>'],
    ["a set", '<rect><set attributeName="onclick" to="alert(1)"></set></rect>'],
    ["a filter", '<filter id="a"><feImage href="https://a.example"></feImage></filter>'],
    ["an unknown element", "<blink></blink>"],
    ["the end of its figure", "</svg></figure><form></form>"],
    ["MathML", "<math><mtext></mtext></math>"],
  ])("with %s is refused", (_what, inside) => {
    expect(safeDrawing(drawn(inside), "d0")).toBeNull();
  });

  test.each([
    ["a handler", '<rect onload="alert(1)" ONCLICK="alert(2)"></rect>'],
    ["a link to a script", '<a href="javascript:alert(1)"><text>x</text></a>'],
    ["a link in another namespace", '<a xlink:href="javascript:alert(1)"><text>x</text></a>'],
    ["a link to data", '<a href=" data:text/html,x"><text>x</text></a>'],
    ["a link beside the document", '<a href="../x"><text>x</text></a>'],
    ["a use of another document", '<use href="https://a.example/x.svg#a"></use>'],
    ["a use of data", '<use xlink:href="data:image/svg+xml,x#a"></use>'],
    ["a paint from elsewhere", '<rect fill="url(https://a.example/x.svg#a)" stroke="url(//a.example#b)"></rect>'],
    ["a paint that ends", '<rect fill="#fff;background:url(https://a.example)"></rect>'],
    ["a mask from elsewhere", '<rect mask="url(&quot;https://a.example&quot;)"></rect>'],
    ["a style", '<rect style="background:url(https://a.example)"></rect>'],
    ["a style behind a good one", '<rect style="mix-blend-mode:multiply;position:fixed"></rect>'],
    ["a class", '<rect class="diagram-problem"></rect>'],
    ["data of the page's code", '<rect data-scheme="dark"></rect>'],
    ["an escaped address", '<rect fill="u\\72l(https://a.example)"></rect>'],
    ["a typeface from elsewhere", "<text font-family=\"x, url('https://a.example')\">x</text>"],
    ["a target", '<a target="_top"><text>x</text></a>'],
  ])("loses %s", (_what, inside) => {
    const safe = safeDrawing(drawn(inside), "d0");
    expect(safe).not.toBeNull();
    expect(safe).not.toMatch(/a\.example|alert|javascript|data|style|class|target|href|\.\./i);
  });

  test("leads to another site as a link of the text does", () => {
    const safe = safeDrawing(drawn('<a href="https://a.example/?b=1&amp;c"><text>x</text></a>'), "d0");
    expect(safe).toContain(
      '<a href="https://a.example/?b=1&amp;c" target="_blank" rel="noopener noreferrer nofollow">'.replace(
        "&#x26;",
        "&amp;",
      ),
    );
  });

  test("has no identifier but those it refers to, and refers to none of the document's", () => {
    const safe = safeDrawing(
      drawn(
        '<title id="t">T</title><g id="user-content-mine"></g><rect id="a"></rect><use href="#a"></use><use href="#other"></use>' +
          '<path marker-end="url(#gone)"></path>',
        ' aria-labelledby="t" aria-describedby="t other"',
      ),
      "d7",
    );
    expect([...(safe ?? "").matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)).toEqual(["d7-0", "d7-2"]);
    expect(safe).toContain('aria-labelledby="d7-0"');
    expect(safe).toContain('href="#d7-2"');
    expect(safe).not.toMatch(/other|gone|user-content|aria-describedby/);
  });

  test("that is too long, too deep, more than one or none is refused", () => {
    expect(safeDrawing(drawn(`<text>${"x".repeat(256 * 1024)}</text>`), "d0")).toBeNull();
    expect(safeDrawing(drawn(`${"<g>".repeat(600)}${"</g>".repeat(600)}`), "d0")).toBeNull();
    expect(safeDrawing(drawn("") + drawn(""), "d0")).toBeNull();
    expect(safeDrawing("<p>x</p>", "d0")).toBeNull();
    expect(safeDrawing("", "d0")).toBeNull();
  });

  test("takes no long time to judge what only looks like numbers", () => {
    const spaces = " ".repeat(100_000);
    expect(safeDrawing(drawn(`<g transform="translate(1)${spaces}x"></g>`), "d0")).not.toContain("transform");
    expect(safeDrawing(drawn(`<g transform="${"rotate(1) ".repeat(10_000)}x"></g>`), "d0")).not.toContain("transform");
  });
});

test("the drawings of a document are bounded together, and a problem is text", () => {
  const svg = drawn(`<text>${"x".repeat(200 * 1024)}</text>`);
  const made = safeDrawings([...Array.from({ length: 12 }, () => ({ svg })), null, { problem: "<img src=x>" }]);
  expect(made.filter((one) => one !== null && "svg" in one)).toHaveLength(10);
  expect(made.slice(-2)).toEqual([
    null,
    { caption: `<figcaption class="diagram-problem">${escapeHtml("<img src=x>")}</figcaption>` },
  ]);
});

describe("the diagrams of a rendered document", () => {
  const source = 'graph TD\n  A["<b> & \\"c\\""] --> B';
  const fenced = (text: string): string => `\`\`\`mermaid\n${text}\n\`\`\`\n\n`;

  test("are found once each, with their sources as they were written", async () => {
    const { html } = await renderMarkdown(
      fenced(source) + fenced("pie") + fenced(source) + fenced("graph TD; A[你好]"),
    );
    expect(hasDiagrams(html)).toBe(true);
    expect(diagramSources(html).map(({ text }) => text)).toEqual([`${source}\n`, "pie\n"]);
  });

  test("at most 100 of them", async () => {
    const { html } = await renderMarkdown(
      Array.from({ length: 120 }, (_, n) => fenced(`graph TD; A-->B${n}`)).join(""),
    );
    expect(diagramSources(html)).toHaveLength(100);
  });

  test("are no author's to write", async () => {
    const written = '<figure class="mermaid"><pre><code>x</code></pre></figure>';
    const { html } = await renderMarkdown(
      `${written}\n\n\`${written}\`\n\n<p title='${written}'>x</p>\n\n\`\`\`\n${written}\n\`\`\``,
    );
    expect(hasDiagrams(html)).toBe(false);
  });

  test("are shown in their places, the others as they are, within the bounds of a document", async () => {
    const { html } = await renderMarkdown(`a\n\n${fenced(source)}b\n\n${fenced("pie")}c`);
    const [first] = diagramSources(html);
    const shown = showDrawings(html, (key) => (key === first?.key ? { svg: "<svg></svg>" } : undefined));
    expect(shown).toContain('<figure class="mermaid"><svg></svg></figure>');
    expect(shown).toContain('<figure class="mermaid"><pre><code>pie\n</code></pre></figure>');
    expect(shown.replace(/<figure.*?<\/figure>/s, "")).toBe(html.replace(/<figure.*?<\/figure>/s, ""));
    expect(showDrawings(html, () => undefined)).toBe(html);
    const caption = '<figcaption class="diagram-problem">No</figcaption>';
    expect(showDrawings(html, (key) => (key === diagramKey("pie\n") ? { caption } : undefined))).toContain(
      `<pre><code>pie\n</code></pre>${caption}</figure>`,
    );
    const many = (await renderMarkdown(fenced("pie").repeat(60))).html;
    const large = showDrawings(many, () => ({ svg: "x".repeat(100 * 1024) }));
    expect(large.length).toBeLessThan(4.1 * 1024 * 1024);
    expect(large.match(/<pre><code>pie/g)).toHaveLength(20);
  });
});
