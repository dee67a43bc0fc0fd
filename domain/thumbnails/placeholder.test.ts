// The placeholder for a screenshot is one well-formed SVG without active content, for every title.
import { expect, test } from "bun:test";

import { placeholder } from "./placeholder.ts";

const draw = (title: string, pixels = 1200) => placeholder({ type: "md", title, note: "A note" }, pixels);

/** The text of each line of the title. */
const linesOf = (svg: string): string[] =>
  [...svg.matchAll(/<tspan[^>]*>([^<]*)<\/tspan>/g)].map(([, text = ""]) => text);

test("placeholder has the requested size, the type, the title and the note", () => {
  expect(draw("A title", 600)).toContain('viewBox="0 0 1200 750" width="600" height="375"');
  for (const part of ["Markdown", "A title", "A note"]) expect(draw("A title")).toContain(`>${part}<`);
});

test("placeholder escapes a hostile title", () => {
  const hostile = [
    "<script>alert(1)</script>",
    '"/><image href="https://elsewhere.example/x.png"/>',
    "</title></svg><svg onload=alert(1)>",
    "]]><!--",
    "&lt;b&gt; & '",
    "<style>@import 'x'</style>",
  ];
  for (const title of hostile) {
    const svg = draw(title);
    const tags = svg.match(/<[^>]*>/g) ?? [];
    expect(tags.filter((tag) => !/^<\/?(?:svg|title|style|rect|text|tspan|line)[ >]/.test(tag))).toEqual([]);
    expect(svg.match(/<style/g)).toHaveLength(1);
    expect(tags.filter((tag) => / (?:on\w+|style|(?:xlink:)?href)=|url\(/.test(tag))).toEqual([]);
    expect(svg).not.toMatch(/<!|<\?/);
  }
});

test("placeholder stays valid with control characters, lone surrogates, bidi controls and many combining marks", () => {
  const titles = [
    "\0\u0007\u001b[31m",
    "\ud800x\udfff",
    "\u202eabc\u202c",
    "\ufffe\uffff",
    `a${"\u0301".repeat(190)}`,
    "",
  ];
  for (const title of titles) {
    const svg = draw(title);
    expect(svg.isWellFormed()).toBe(true);
    expect(svg).not.toMatch(/[\p{Cc}\p{Bidi_Control}\ufffe\uffff]/u);
    expect(svg.length).toBeLessThan(1900);
  }
});

test("placeholder breaks a long title between words or within a long word, and cuts it after the last line", () => {
  expect(linesOf(draw("Short"))).toEqual(["Short"]);
  expect(linesOf(draw("What we learned from a quarter of running the new pipeline")).join(" ")).toBe(
    "What we learned from a quarter of running the new pipeline",
  );
  for (const title of ["x".repeat(200), "漢".repeat(200), "word ".repeat(40), "👩‍👩‍👧‍👦".repeat(18), "W".repeat(200)]) {
    const lines = linesOf(draw(title));
    expect(lines.length).toBeLessThanOrEqual(4);
    for (const line of lines) expect(line.length).toBeGreaterThan(0);
  }
  expect(linesOf(draw("x".repeat(200)))).toEqual([...Array(3).fill("x".repeat(31)), `${"x".repeat(29)}…`]);
  expect(linesOf(draw("漢".repeat(200))).at(-1)).toEndWith("…");
  expect(Math.max(...linesOf(draw("漢".repeat(200))).map((line) => line.length))).toBeLessThanOrEqual(16);
});
