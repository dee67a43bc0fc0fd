import { describe, expect, test } from "bun:test";
import { renderMarkdown } from "./test/render-markdown.ts";

describe("marks of citations", () => {
  test.each([
    ["It rained【12†source】.", "It rained."],
    ["It rained 【3:1†notes.pdf】 a lot 【4†L1-L9】.", "It rained a lot."],
    ["It rained :contentReference[oaicite:0]{index=0}.", "It rained."],
    ["It rained.\uE200cite\uE202turn0search1\uE202turn2news3\uE201 Twice.", "It rained. Twice."],
    ["**It**【1†a】 *rained*", "<strong>It</strong> <em>rained</em>"],
  ])("%j are not shown", async (source, html) => expect(await renderMarkdown(source)).toBe(`<p>${html}</p>\n`));

  test("an address ends ahead of one", async () => {
    expect(await renderMarkdown("https://a.example/b\uE200cite\uE202turn0search1\uE201")).toEndWith(
      ">https://a.example/b</a></p>\n",
    );
  });

  test.each(["【注】", "【12】", "a † b", ":contentReference", "`【12†source】`", "cite turn0search1"])(
    "%j is text",
    async (source) => {
      expect((await renderMarkdown(source)).replaceAll(/<[^>]*>/g, "")).toBe(`${source.replaceAll("`", "")}\n`);
    },
  );
});

describe("tables of notebooks", () => {
  const table =
    '<table border="1" class="dataframe">\n  <thead>\n    <tr style="text-align: right;">\n      <th>a</th>\n    </tr>\n  </thead>\n</table>\n';
  const style =
    "    .dataframe tbody tr th {\n        vertical-align: top;\n    }\n\n    .dataframe thead th {\n        text-align: right;\n    }\n";

  test.each([
    ["of pandas", `<div>\n<style scoped>\n${style}</style>\n${table}<p>1 row</p>\n</div>\n\nAfter`],
    ["of its styler", `<style type="text/css">\n#T_a { color: red; }\n</style>\n${table}\nAfter`],
  ])("%s have no style before them", async (_, source) => {
    const html = await renderMarkdown(source);
    expect(html).not.toContain("style");
    expect(html).not.toContain("vertical-align");
    expect(html.replaceAll(/\s*\n\s*/g, "")).toContain("<table><thead><tr><th>a</th></tr></thead></table>");
    expect(html).toEndWith("<p>After</p>\n");
  });

  test("any other style is shown as text", async () => {
    for (const source of [
      "<style scoped>\np { color: red }\n</style>\n\nText",
      `<style onload=x>\na\n</style>\n${table}`,
      `<div>\n<style scoped>\na\n${table}`,
      "`<style>` ahead",
    ]) {
      expect(await renderMarkdown(source)).toContain("&lt;style");
    }
  });
});
