// The sanitizing policy by itself, without the layers before and after it.
import { describe, expect, test } from "bun:test";
import type { Element, Root } from "hast";
import { sanitize } from "hast-util-sanitize";

import { markdownPolicy } from "./policy.ts";

const sanitized = (tagName: string, properties: Element["properties"], children: Element["children"] = []): Root =>
  sanitize({ type: "root", children: [{ type: "element", tagName, properties, children }] }, markdownPolicy) as Root;

describe("the policy alone", () => {
  test.each(["javascript:alert(1)", "JAVASCRIPT:alert(1)", "Javascript:alert(1)", "vbscript:x", "data:text/html,x"])(
    "a link to %s loses its address",
    (href) => {
      expect(sanitized("a", { href }).children).toMatchObject([{ tagName: "a", properties: {} }]);
      expect((sanitized("a", { href }).children[0] as Element).properties).not.toHaveProperty("href");
    },
  );

  test.each(["https://a.example/", "http://a.example/", "mailto:a@a.example", "#part"])(
    "a link to %s keeps it",
    (href) => {
      expect(sanitized("a", { href }).children).toMatchObject([
        { properties: { href: expect.stringContaining(href) } },
      ]);
    },
  );

  test.each([{}, { type: "text" }, { type: "password", name: "secret" }, { type: "checkbox", disabled: false }])(
    "an input %p becomes a disabled checkbox",
    (properties) => {
      expect(sanitized("input", properties).children).toMatchObject([
        { tagName: "input", properties: { type: "checkbox", disabled: true } },
      ]);
      expect((sanitized("input", properties).children[0] as Element).properties).not.toHaveProperty("name");
    },
  );
});

describe("text that is code or a fallback, should it get past the escaping of tags", () => {
  test.each(markdownPolicy.strip ?? [])("the policy drops <%s> with its text", (tagName) => {
    const text = { type: "text" as const, value: "hiddenwords" };
    expect(sanitized(tagName, {}, [text]).children).toEqual([]);
  });

  test("the policy drops these", () => {
    expect((markdownPolicy.strip ?? []).toSorted()).toEqual([
      "iframe",
      "noembed",
      "noframes",
      "noscript",
      "object",
      "plaintext",
      "script",
      "select",
      "style",
      "template",
      "textarea",
      "title",
      "xmp",
    ]);
  });
});
