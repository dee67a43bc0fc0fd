import { describe, expect, test } from "bun:test";

import type { ArtifactType } from "../schemas/artifact.ts";
import { htmlWords } from "./html-words.ts";
import { inferTitle } from "./inference.ts";
import { webTitle } from "./web-title.ts";

const page = (head: string, body = "") => `<!doctype html><html><head>${head}</head><body>${body}</body></html>`;

/** Pasted, so without a file's name. */
const pasted: readonly (readonly [type: ArtifactType, content: string, title: string | null])[] = [
  // The title of html.
  ["html", page("<title>Quarter in numbers</title>", "<h1>Other</h1>"), "Quarter in numbers"],
  ["html", page("<TITLE lang=en>\n Two\n words </TITLE>"), "Two words"],
  ["html", page("<title>Q&amp;A &ndash; &#x41;&#66;&eacute; &lt;b&gt;</title>"), "Q&A – ABé <b>"],
  ["html", page("<title>A <b>tag</b> is text</title>"), "A <b>tag</b> is text"],
  ["html", page("<!-- <title>No</title> --><title>Yes</title>"), "Yes"],
  ["html", page("<script>document.write('<title>No</title>')</script><title>Yes</title>"), "Yes"],
  ["html", page("<style>a::before { content: '<title>No</title>' }</style><title>Yes</title>"), "Yes"],
  ["html", page('<meta name="a" content="<title>No</title>"><title>Yes</title>'), "Yes"],
  ["html", page("", "<textarea><title>No</title></textarea><svg><title>No</title></svg><h1>Yes</h1>"), "Yes"],
  ["html", page("", "<template><title>No</title><h1>No</h1></template><h1>Yes</h1>"), "Yes"],
  ["html", page("", "<svg><svg/><title>No</title></svg><svg/><h1>Yes</h1>"), "Yes"],
  ["html", page("<title> \n </title>", "<h1>Heading</h1>"), "Heading"],
  ["html", `<script>${" ".repeat(100_000)}</script><title>Late</title>`, "Late"],
  // Its headings and words.
  ["html", "<h1>One<br>two <b>thr</b>ee</h1>", "One two three"],
  ["html", "<nav><h2>Menu</h2></nav><h1>Report</h1>", "Report"],
  ["html", "<h1><img alt=Logo></h1><h2>Report &amp; more</h2>", "Report & more"],
  ["html", "<style>p{}</style><p>Total</p><p>90 of 100.</p><script>let a</script>", "Total 90 of 100"],
  ["html", "<h1>Never closed", "Never closed"],
  ["html", "<title>Never closed", "Never closed"],
  ["html", "<canvas></canvas><script>draw()</script>", null],
  ["html", "", null],
  // Components.
  ["jsx", "export default function Sales() {\n  return <h1>2026</h1>;\n}", "Sales"],
  ["jsx", "export default function App() {\n  return <h1>Sales 2026</h1>;\n}", "Sales 2026"],
  ["jsx", "export default function App() {\n  return <p>Sales 2026</p>;\n}", "App"],
  ["jsx", 'export default () => <h1 className="a">Q&amp;A{" "}\n  <b>today</b></h1>;', "Q&A today"],
  ["jsx", "export default function SalesReport() { return <h1>{title}</h1>; }", "Sales Report"],
  ["jsx", "// export default function Old() { return <h1>Old</h1> }\nexport default class HTMLView {}", "HTML View"],
  ["jsx", "const Sales = () => <p>Hi</p>;\nexport default Sales;", "Sales"],
  ["jsx", "const Sales = () => <p>Hi</p>;\nexport default memo(Sales);", "Sales"],
  ["jsx", "function Q3Report() {}\nexport { a, Q3Report as default };", "Q3 Report"],
  ["jsx", "export default async function sales_by_region() {}", "sales by region"],
  ["jsx", "export default () => <main><p>Hello there, reader.</p></main>;", "Hello there, reader"],
  ["jsx", "export default () => <div><button onClick={() => go()}>Press me</button></div>;", "Press me"],
  ["jsx", "export default () => null;", null],
  // Markdown.
  ["md", "---\ntitle: Given\n---\n# Heading", "Given"],
  ["md", "Words\n\n# Heading", "Heading"],
  ["md", "---\n# Status\n\nWe ship.\n---\n", "Status"],
  ["md", "\n\nWe ship on Monday.\n\nMore.", "We ship on Monday"],
  ["md", "- [ ] **Buy** [milk](https://a.example)\n- bread", "Buy milk"],
  ["md", "> 1. A quote", "A quote"],
  ["md", "| Name | Sum |\n|---|---|\n| a | 1 |", "Name Sum"],
  ["md", "***\n\n![A chart](a.png)", "A chart"],
  ["md", "<!-- note -->\n```js\nlet a = 1;\n```", "let a = 1"],
  ["md", `${"word ".repeat(11)}another and more`, "word ".repeat(11).trim()],
  ["md", "x".repeat(80), "x".repeat(60)],
  ["md", "数".repeat(80), "数".repeat(60)],
  ["md", "🚀".repeat(80), null],
  ["md", "---\nlayout: post\n---\n", null],
  ["md", " \n", null],
];

describe("the title on the web", () => {
  test.each(pasted.map(([type, content, title]) => ({ type, content, title, start: content.slice(0, 80) })))(
    "$type $start",
    ({ type, content, title }) => expect(webTitle(null, type, content)).toBe(title),
  );

  test("a file's name comes after title and heading, and before the words", () => {
    expect(webTitle("out.html", "html", "<title>Report</title>")).toBe("Report");
    expect(webTitle("out.html", "html", "<h1>Report</h1>")).toBe("Report");
    expect(webTitle("a/out.html", "html", "<p>Report</p>")).toBe("out");
    expect(webTitle("sales.jsx", "jsx", "export default function App() {}")).toBe("sales");
    expect(webTitle("out.jsx", "jsx", "export default () => <h1>Sales</h1>")).toBe("out");
    expect(webTitle("q3 report.md", "md", "No heading")).toBe("q3 report");
  });

  test("push takes the first Markdown heading, else the file's name", () => {
    expect(inferTitle("out.html", "html", "<title>Report</title><h1>Report</h1>")).toBe("out");
    expect(inferTitle("-", "html", "<title>Report</title>")).toBeNull();
    expect(inferTitle("notes.md", "md", "Words")).toBe("notes");
  });

  test("has at most as many characters as a title", () => {
    expect(Array.from(webTitle(null, "html", `<title>${"🚀a".repeat(500)}</title>`) ?? "")).toHaveLength(200);
  });

  test("of hostile text is found in time", () => {
    const began = performance.now();
    const sources = [
      "<h1>",
      "<title>",
      "<svg>",
      "<b id=x><p>",
      "<!--",
      "&amp",
      "<p a='",
      "</",
      "export default ",
      "{",
      "// ",
      "/*",
      "<h1 ",
      '<h1>{"',
      "|",
      "- ",
      "[",
      "<h1>a",
      "<p>a{",
      "/* ",
      "\n",
      "export {a ",
    ];
    for (const one of sources)
      for (const type of ["md", "html", "jsx"] as const) webTitle(null, type, one.repeat(2 ** 18 / one.length));
    expect(performance.now() - began).toBeLessThan(30_000);
    expect(htmlWords("<p>a".repeat(1_000_000)).text?.length).toBeLessThan(3000);
  });
});
