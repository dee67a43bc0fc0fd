import { describe, expect, test } from "bun:test";
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
  "<!doctype html><!-- never ends",
  "<!doctype html",
  "<html lang='x",
  "<html ",
];

test.each(cases)("%j", (marked) => {
  const at = marked.indexOf("|");
  expect(headStart(marked.replace("|", ""))).toBe(at < 0 ? null : at);
});

describe("a document's beginning is read for 64 KiB", () => {
  test("finds a head within them regardless of what follows", () => {
    const ahead = `<!--${"x".repeat(60_000)}--><html><head>`;
    expect(headStart(ahead + "y".repeat(200_000))).toBe(ahead.length);
  });

  test("for one beyond them the place is ahead of what they cut", () => {
    for (let length = 65_529; length < 65_540; length++) {
      expect(headStart(`<html>${" ".repeat(length)}<html lang=en><head>`)).toBe(Math.min(length + 6, 65_536));
      expect(headStart(`<html>\n<!--${"x".repeat(length)}--><head>`)).toBe(7);
    }
  });

  test.each(["<html>", "<?>", "<!>", "</ >", "<!-->", "<html a >"])(
    "16 MiB of %s hold no other request up",
    (piece) => {
      const source = piece.repeat(Math.floor((16 * 1024 * 1024) / piece.length));
      // Read whole it takes seconds.
      expect(quickestOf(() => expect(headStart(source)).toBeGreaterThan(65_500))).toBeLessThan(500);
    },
  );

  test("16 MiB of attributes hold none up either", () => {
    for (const attribute of ["a ", "a =", 'a="', "a = b "]) {
      const source = `<html ${attribute.repeat(8_000_000 / attribute.length)}><head>`;
      expect(quickestOf(() => expect(headStart(source)).toBe(0))).toBeLessThan(500);
    }
  });
});

/** The shortest of a few tries, in ms: a try that the machine interrupted says nothing. */
function quickestOf(work: () => void): number {
  let quickest = Infinity;
  for (let tries = 0; tries < 20 && quickest >= 500; tries++) {
    const started = performance.now();
    work();
    quickest = Math.min(quickest, performance.now() - started);
  }
  return quickest;
}
