// The end of an address that is linked by itself.
import { expect, test } from "bun:test";

import { renderMarkdown } from "./test/render-markdown.ts";

test.each([
  ["xmpp:a@b.example next", "xmpp:a@b.example"],
  ["xmpp:a@b.example, next", "xmpp:a@b.example"],
  ["mailto:a@b.example, next", "mailto:a@b.example"],
  ["xmpp:a@b.example/res next", "xmpp:a@b.example/res"],
])("%s: the rest of the sentence is not in the link", async (source, address) => {
  const html = await renderMarkdown(source);
  const text = html.replaceAll(/<[^>]*>/g, "|");
  expect(text).toContain(`${address}|${source.slice(address.length)}`);
});
