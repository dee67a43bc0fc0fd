// tailwind.config and Tailwind's plug-ins in a jsx document: what they make of its classes, and what is refused.
import { describe, expect, test } from "bun:test";

import { compileJsxSource } from "./compiler.ts";
import { nothingBeside } from "./files-beside.ts";

const page = (classes: string): string => `\nexport default () => <p className="${classes}">x</p>;`;

async function compiled(source: string, sheet?: string) {
  const beside =
    sheet === undefined ? nothingBeside : { base: "", paths: new Set(["a.css"]), texts: new Map([["a.css", sheet]]) };
  const outcome = await compileJsxSource(source, beside);
  if ("problems" in outcome) throw new Error(JSON.stringify(outcome.problems));
  return outcome;
}

async function refusal(source: string) {
  const outcome = await compileJsxSource(source);
  const [problem] = "problems" in outcome ? outcome.problems : [];
  return `${problem?.line}:${problem?.column} ${problem?.message}`;
}

describe("tailwind.config", () => {
  test("extends the theme, and is no code of the document", async () => {
    const config = `tailwind.config = {
  darkMode: 'class', content: ["./**/*.html"],
  theme: { extend: {
    colors: { brand: { DEFAULT: "#123456", 500: \`#abcdef\` } }, fontFamily: { display: ["Oswald", "sans-serif"] },
    spacing: { 18: "4.5rem" }, animation: { blip: "blip 1s" }, keyframes: { blip: { "50%": { opacity: "0" } } } } },
};`;
    const { code, css } = await compiled(
      `${config}${page("bg-brand text-brand-500/50 font-display p-18 animate-blip dark:p-1")}`,
    );
    expect(code).not.toContain("tailwind");
    for (const part of ["#123456", "#abcdef", "Oswald", "4.5rem", "@keyframes blip", ".bg-brand {", ".dark"])
      expect(css).toContain(part);
    expect(css).not.toContain("prefers-color-scheme");
  });

  test("of the global object, with a safelist, without preflight, dark by preference", async () => {
    const { css } = await compiled(
      `window.tailwind.config = { darkMode: "media", safelist: ["underline"], corePlugins: { preflight: false }, important: true };${page("dark:p-1")}`,
    );
    expect(css).toContain(".underline");
    expect(css).toContain("prefers-color-scheme");
    expect(css).toContain("!important");
    expect(css).not.toContain("::file-selector-button");
    expect((await compiled(page("p-1"))).css).toContain("::file-selector-button");
  });

  test.each([
    ["tailwind.config = { theme: { extend: { colors } } };", "1:40", "plain values"],
    ["\ntailwind.config = { theme: { extend: { spacing: () => ({}) } } };", "2:49", "plain values"],
    ["tailwind.config = { ...base };", "1:21", "plain values"],
    ["tailwind.config = load();", "1:19", "plain values"],
    ["tailwind.config = { prefix: 'tw-' };", "1:29", "no prefix"],
    ["tailwind.config = { plugins: [require('daisyui')] };", "1:31", "Of Tailwind's plug-ins a document has"],
    ["tailwind.config = { plugins: [function ({ addBase }) {}] };", "1:31", "plain values"],
    ["tailwind.config = { theme: 'x', plugins: forms };", "1:42", "plain values"],
  ])("is refused where it is no plain value: %s", async (line, place, message) => {
    expect(await refusal(`${line}${page("p-1")}`)).toStartWith(`${place} `);
    expect(await refusal(`${line}${page("p-1")}`)).toContain(message);
  });

  test("that Tailwind refuses is a problem at its place", async () => {
    const line = `\ntailwind.config = { theme: { extend: { keyframes: 5 } } };${page("p-1")}`;
    expect(await refusal(line)).toStartWith("2:1 Tailwind cannot read this configuration: ");
  });
});

describe("Tailwind's plug-ins", () => {
  const forms = "[type='text']";

  test("are those that the configuration names, with their options", async () => {
    const config =
      "tailwind.config = { plugins: [require('@tailwindcss/forms'), require('@tailwindcss/aspect-ratio')] };";
    const { css } = await compiled(`${config}${page("aspect-w-16")}`);
    expect(css).toContain(forms);
    expect(css).toContain("--tw-aspect-w");
    const { css: byClass } = await compiled(
      `tailwind.config = { plugins: [require("@tailwindcss/forms")({ strategy: "class" })] };${page("form-input")}`,
    );
    expect(byClass).toContain(".form-input");
    expect(byClass).not.toContain(forms);
  });

  test("typography comes with its classes, and with no other", async () => {
    expect((await compiled(page("prose lg:prose-xl"))).css).toContain(".prose {");
    expect((await compiled(page("p-1"))).css).not.toContain("prose");
  });

  test("are named by a style sheet as well, and no other code is", async () => {
    const source = `import "./a.css";${page("p-1")}`;
    const { css } = await compiled(source, `@import "tailwindcss"; @plugin "@tailwindcss/forms"; @plugin "./evil.js";`);
    expect(css).toContain(forms);
    expect(css).not.toContain("evil");
  });
});
