import { beforeAll, describe, expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { tooMuch } from "./browser/reading/diagram-bounds.ts";
import { readingFiles } from "./reading.ts";

const CSS = join(import.meta.dir, "browser/reading");
const AA = 4.5;

let files: Map<string, Uint8Array>;
beforeAll(async () => {
  files = await readingFiles();
});

const text = (name: string): string => new TextDecoder().decode(files.get(name));
const compressed = (names: Iterable<string>): number => Bun.gzipSync([...names].map(text).join("\n")).length;

/** A script and what it imports at once, not what it loads later. */
function withImports(name: string, seen = new Set<string>()): Set<string> {
  if (seen.has(name)) return seen;
  seen.add(name);
  for (const [, file = ""] of text(name).matchAll(/(?:from|import)\s*"\.\/([^"]+)"/g)) withImports(file, seen);
  return seen;
}

describe("the files that a Markdown page loads", () => {
  test("the script is at most 4.25 KB, without the code that draws diagrams", () => {
    const scripts = withImports("markdown.js");
    expect(compressed(scripts)).toBeLessThanOrEqual(4.25 * 1024);
    expect([...scripts].map(text).join("")).not.toContain("sequenceDiagram");
    expect(text("markdown.js")).toMatch(/import\("\.\/chunk-[\w]+\.js"\)/);
  });

  test("the stylesheet is at most 20 KB", () => {
    expect(compressed(["markdown.css"])).toBeLessThanOrEqual(20 * 1024);
  });

  test("stylesheets load only files of the runtime, and fonts in the format that all browsers read", () => {
    for (const name of ["markdown.css", "katex.css"]) {
      const addresses = [...text(name).matchAll(/url\((?!"data:)([^)]+)\)/g)].map(([, address]) => address ?? "");
      expect(addresses.length).toBeGreaterThan(0);
      for (const address of addresses) {
        expect(address).toEndWith(".woff2");
        expect(files.get(address)?.length).toBeGreaterThan(1_000);
      }
    }
    expect(text("katex.css")).not.toMatch(/\.woff\b|\.ttf/);
    expect(text("markdown.css")).not.toContain("@import");
  });

  test("scripts import only their own siblings, by name, and none builds code from text", () => {
    for (const name of files.keys()) {
      if (!name.endsWith(".js")) continue;
      for (const [, from = ""] of text(name).matchAll(/\bimport\("([^"]+)"\)/g))
        expect(files.has(from.slice(2))).toBe(true);
      expect(text(name)).not.toMatch(/\beval\(|new Function\b|\bfetch\("|XMLHttpRequest/);
    }
  });
});

describe("colours", () => {
  test("of highlighted code have 4.5:1 on their ground, in both schemes", async () => {
    const ground = (await declared("palette.css")).get("--sunken") ?? [];
    const css = await readFile(join(CSS, "code.css"), "utf8");
    const classes = new Map<string, string[]>();
    for (const [, selectors = "", light = "", dark = ""] of css.matchAll(
      /((?:\.t-[a-z]+,?\s*)+)\{\s*color: light-dark\((#\w+), (#\w+)\)/g,
    )) {
      for (const [name] of selectors.matchAll(/t-[a-z]+/g)) classes.set(name, [light, dark]);
    }
    const named = new Set(
      (await readFile(join(CSS, "../../../domain/render/source/highlighter.ts"), "utf8")).match(/"t-[a-z]+"/g),
    );
    expect([...named].map((name) => name.slice(1, -1)).sort()).toEqual([...classes.keys()].sort());
    for (const [name, colours] of classes) {
      for (const [index, colour] of colours.entries()) {
        expect([name, contrast(colour, ground[index] ?? "") >= AA]).toEqual([name, true]);
      }
    }
  });

  test("of text, links and alerts have it on every ground they stand on", async () => {
    const palette = await declared("palette.css");
    for (const name of ["text", "muted", "accent", "note", "tip", "important", "warning", "caution"]) {
      for (const ground of ["ground", "surface", "sunken"]) {
        for (const scheme of [0, 1]) {
          const ratio = contrast(palette.get(`--${name}`)?.[scheme] ?? "", palette.get(`--${ground}`)?.[scheme] ?? "");
          expect([name, ground, ratio >= AA]).toEqual([name, ground, true]);
        }
      }
    }
  });
});

describe("tooMuch", () => {
  test("lets through what people draw", () => {
    const steps = Array.from({ length: 150 }, (_, index) => `  A${index}->>B${index}: a message of some words`);
    expect(tooMuch(["sequenceDiagram", ...steps].join("\n"))).toBeNull();
    expect(tooMuch("graph TD; A-->B; B-->C")).toBeNull();
    expect(tooMuch("")).toBeNull();
  });

  test.each([
    ["lines", Array.from({ length: 10_000 }, (_, index) => `n${index}`).join("\n"), /characters/],
    ["statements of a line", "graph TD;" + "a;".repeat(1_000), /parts/],
    ["nodes joined in a statement", "graph TD\n" + "a&".repeat(1_000) + "b", /parts/],
    ["blocks in a row", "block-beta\n" + "b ".repeat(1_000), /parts/],
    ["characters", "x".repeat(20_001), /characters/],
  ])("stops too many %s", (_name, source, said) => {
    expect(tooMuch(source)).toMatch(said);
  });
});

/** Custom properties that differ by scheme: name to light and dark. */
async function declared(file: string): Promise<Map<string, string[]>> {
  const css = await readFile(join(CSS, file), "utf8");
  const found = css.matchAll(/(--[a-z]+): light-dark\((#\w{6}), (#\w{6})\)/g);
  return new Map([...found].map(([, name = "", light = "", dark = ""]) => [name, [light, dark]]));
}

/** WCAG 2's contrast ratio of two colours written as #rrggbb. */
function contrast(one: string, other: string): number {
  const [lighter = 0, darker = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
