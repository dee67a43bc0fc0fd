import { expect, test } from "bun:test";
import { headStart } from "./head-start.ts";

/** `|` marks the place; without one there is none. */
const cases = [
  "|",
  "|<p>",
  "|text",
  " \n|text",
  "\uFEFF|<p>",
  "<!doctype html>|",
  "<!doctype html>\n|<p>",
  "<!DOCTYPE html PUBLIC '-//W3C//DTD HTML 4.01//EN'>\r\n<html lang=en>\n<head>|\n<title>x</title>",
  '<?xml version="1.0"?>\n<!doctype html><html><head>|',
  "<!-- a --><!doctype html><!-- b --><html><!-- c --><head>|<!-- d -->",
  "<!-->|<p>",
  "<!--->|<p>",
  "<!-- > --!>|<p>",
  "<!-- <!doctype html> -->|<p>",
  "<!bogus>|<p>",
  "<![CDATA[x]]>|<p>",
  "</ bogus><head>|",
  "</div>\n<html>|<body>",
  "</>|",
  "<html>|<meta charset=utf-8>",
  "<html>\n|<body class=x>",
  "<html>\n|<frameset cols=*>",
  "<html>|</head>",
  "<html lang='a>b' title=\"</head>\"><head data-x=>|",
  "<html a\"b><head c'd>|",
  "<html lang = 'x' x =y/ ><HEAD/>|",
  "<html\n\tlang=en\n><html class=y><head>|",
  "|<header>",
  "|<htmlx>",
  "|<script>'<!doctype html><head>'</script>",
  "|\u00A0<head>",
  "|\0<head>",
  "|<",
  "<!-- never ends",
  "<!doctype html",
  "<html lang='x",
  "<html ",
];

test.each(cases)("%j", (marked) => {
  const at = marked.indexOf("|");
  expect(headStart(marked.replace("|", ""))).toBe(at < 0 ? null : at);
});

test("a long beginning takes time in proportion to its length", () => {
  const of = (length: number) => {
    const sources = [
      `<html ${"a ".repeat(length)}>`,
      `<html ${"a=".repeat(length)}>`,
      `<html a${" ".repeat(length)}b>`,
      `<html ${"='".repeat(length)}`,
      "<!---->".repeat(length),
      "</p>".repeat(length),
      "<!-".repeat(length),
    ];
    const started = performance.now();
    for (const source of sources) headStart(source);
    return performance.now() - started;
  };
  expect(of(300_000)).toBeLessThan(3_000);
});
