import { describe, expect, test } from "bun:test";
import type { Element, Root } from "hast";

import { leadAddresses } from "./addresses.ts";
import { renderMarkdown } from "./test/render-markdown.ts";

describe("links and images", () => {
  const address = async (source: string): Promise<string | undefined> =>
    /(?:href|src)="([^"]*)"/.exec(await renderMarkdown(source))?.[1];

  test.each([
    ["other-slug", "\0other-slug"],
    ["./other.md", "\0other"],
    ["other.md#part", "\0other#part"],
    ["other.markdown?v=2#part", "\0other?v=2#part"],
    ["page.HTML", "\0page"],
    ["app.tsx", "\0app"],
    ["../other-project/slug", "\0../other-project/slug"],
    ["../../owner/project/slug.md", "\0../../owner/project/slug"],
    ["/owner/project/slug", "\0../../owner/project/slug"],
    ["../../../../../x", "\0../../x"],
    ["archive.tar.gz", "\0archive.tar.gz"],
    ["https://a.example", "https://a.example"],
    ["HTTPS://a.example/B.md", "HTTPS://a.example/B.md"],
    ["//a.example/x", "https://a.example/x"],
    ["\\\\\\\\a.example/x", "\0%5C%5Ca.example/x"],
    ["#part", "#part"],
    ["mailto:a@b.example", "mailto:a@b.example"],
    ["ftp://a.example", undefined],
    ["javascript:alert(1)", undefined],
    ["data:text/html,x", undefined],
    ["<>", undefined],
    ["?v=3", undefined],
  ])("[a](%s)", async (given, expected) => expect(await address(`[a](${given})`)).toBe(expected));

  test.each(["ftp://a.example", "javascript:alert(1)", "data:text/html,x", "blob:https://a.example/x"])(
    "%s leads nowhere, even where the policy has let it by",
    (href) => {
      const link: Element = { type: "element", tagName: "a", properties: { href }, children: [] };
      const tree: Root = { type: "root", children: [link] };
      leadAddresses(tree);
      expect(link.properties).toEqual({});
    },
  );

  test("raw HTML's are read as a browser reads them", async () => {
    for (const href of ["//a.example/x", "\\\\a.example/x", "/\\a.example/x", "\t//a.example/x", "/\t/a.example/x"]) {
      expect(await address(`<a href="${href}">x</a>`)).toBe("https://a.example/x");
    }
  });

  test("leave through a new tab, without a referrer where they leave the instance; fragments stay", async () => {
    expect(await renderMarkdown("[a](https://b.example)")).toContain(
      '<a href="https://b.example" target="_blank" rel="noopener noreferrer nofollow">',
    );
    expect(await renderMarkdown("[a](b)")).toContain('<a href="\0b" target="_blank" rel="noopener">');
    expect(await renderMarkdown('<a href="#x" target="_top" rel="opener">a</a>')).toBe('<p><a href="#x">a</a></p>\n');
  });

  test("images are data or this instance's; elsewhere they are links, and their own link's text within one", async () => {
    expect(await address("![a](data:image/png;base64,AA==)")).toBe("data:image/png;base64,AA==");
    expect(await address("![a](./chart.png)")).toBe("\0chart.png");
    for (const type of ["svg+xml", "x", "png\u0130"])
      expect(await address(`![a](data:image/${type};base64,AA==)`)).toBeUndefined();
    const link = 'href="https://b.example/c.png" target="_blank" rel="noopener noreferrer nofollow"';
    expect(await renderMarkdown("![Chart](https://b.example/c.png)")).toBe(
      `<p><a class="external-image" ${link}>Chart <span class="host">b.example</span></a></p>\n`,
    );
    expect(await renderMarkdown("![](https://b.example/c.png)")).toContain('>c.png <span class="host">');
    expect(await renderMarkdown("[![a](https://b.example/c.png)](https://d.example)")).toContain(
      'nofollow"><span class="external-image">a <span class="host">b.example</span></span></a>',
    );
    expect(
      await renderMarkdown('<picture><source srcset="https://x.example"><img src="a.png" alt="b"></picture>'),
    ).toBe('<p><img src="\0a.png" alt="b" loading="lazy"></p>\n');
  });
});
