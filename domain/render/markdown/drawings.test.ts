import { describe, expect, test } from "bun:test";
import { renderMarkdown } from "./test/render-markdown.ts";

const drawn = async (source: string): Promise<string> => {
  const [, data = ""] = /src="data:image\/svg\+xml,([^"]*)"/.exec(await renderMarkdown(source)) ?? [];
  return decodeURIComponent(data);
};

describe("svg in a document", () => {
  test("becomes an image of its size, with the colour of the text", async () => {
    const html = await renderMarkdown(
      'A <svg width="20" height="10px" viewBox="0 0 2 1" aria-label="Box"><rect width="2" height="1" fill="currentColor"/></svg>',
    );
    expect(html).toMatch(/^<p>A <img src="data:image\/svg\+xml,[^"]*" alt="Box" width="20" height="10"><\/p>\n$/);
    expect(await drawn('<svg viewBox="0 0 2 1"><rect width="2" height="1"/></svg>')).toBe(
      '<svg viewBox="0 0 2 1" style="color-scheme:light dark;color:light-dark(#1b1a17,#efede7);" ' +
        'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"><rect width="2" height="1" /></svg>',
    );
  });

  test("is well-formed XML", async () => {
    const svg = await drawn(
      "<svg width=2 height=2><text x=1>a &amp; b &nbsp; &lt;</text><path d='M0 0'><g><use href=#a></g></svg>",
    );
    expect(svg).toContain('<path d="M0 0"><g><use href="#a" /></g></path></svg>');
    expect(svg).not.toContain("&nbsp;");
  });

  test.each([
    "<svg onload=alert(1)><rect onclick=alert(1) width=1 /></svg>",
    "<svg><script>alert(1)</script><rect/></svg>",
    "<svg><foreignObject><img src=x onerror=alert(1)><iframe src=x></iframe></foreignObject><rect/></svg>",
    "<svg><a href='javascript:alert(1)'><rect/></a><use href='https://evil.example/x#a'/></svg>",
    "<svg><image href='https://evil.example/x.png'/><feImage xlink:href='//evil.example/x'/></svg>",
    "<svg><style>@import 'https://evil.example';</style><rect/></svg>",
    "<svg><desc><p onclick=alert(1)>x</p></desc><rect/></svg>",
  ])("%s holds nothing that runs or loads", async (source) => {
    const tags: string[] = [];
    const attributes: [string, string][] = [];
    const reader = new HTMLRewriter().on("*", {
      element(element) {
        tags.push(element.tagName);
        attributes.push(...element.attributes);
      },
    });
    const html = await renderMarkdown(source);
    expect(html).toStartWith('<p><img src="data:image/svg+xml,');
    await reader.transform(new Response(await drawn(source))).text();
    for (const tag of tags) expect(tag).not.toMatch(/^(?:script|style|foreignobject|iframe|a)$/i);
    for (const [name, value] of attributes) {
      expect(name).not.toMatch(/^on/i);
      if (!name.startsWith("xmlns")) expect(value).not.toMatch(/^\s*javascript:|evil\.example/i);
    }
  });

  test("in a data URL is made a safe one, and one that holds none is left out", async () => {
    const svg = "<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'><path d='M0 0'/></svg>";
    for (const url of [
      `data:image/svg+xml;base64,${btoa(svg)}`,
      `data:image/svg+xml;utf8,${encodeURIComponent(svg)}`,
      `data:image/svg+xml,${encodeURIComponent(svg)}`,
    ]) {
      expect(await drawn(`![a](${url})`)).toContain('<path d="M0 0" /></svg>');
      expect(await drawn(`![a](${url})`)).not.toContain("onload");
    }
    for (const url of ["data:image/svg+xml;base64,AA==", "data:image/svg+xml,%", "data:image/svg+xml,<p>x"]) {
      expect(await renderMarkdown(`<img src="${url}" alt="a">`)).toBe('<span class="missing-image">a</span>');
    }
  });
});
