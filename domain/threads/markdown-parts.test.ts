// Long documents in parts: all of their formulas and code come, others get their turn in between, and bounds are of work.
import { afterAll, expect, setDefaultTimeout, test } from "bun:test";

import { languageWork, leftBecause, partWork, type Piece, workOf } from "../render/markdown/pieces.ts";
import { layOutMarkdown } from "../render/markdown/renderer.ts";
import { on } from "../telemetry.ts";
import { markdownFragment } from "./bounded-tasks.ts";
import { type KnownPieces, makeInParts, partsOf } from "./markdown-parts.ts";
import { closeThreads, runInThread } from "./pool.ts";
import { work } from "./test/work.ts";
import { ThreadFailure } from "./thread-errors.ts";

setDefaultTimeout(300_000);
afterAll(closeThreads);

const formulas = (count: number): string =>
  Array.from({ length: count }, (_, n) => `Step ${n}: $\\frac{a_{${n}}^2+\\sqrt{b}}{c_{${n}}}$ gives\n`).join("\n");
const count = (html: string, part: string): number => html.split(part).length - 1;

function memory(): KnownPieces & { readonly made: Map<string, string> } {
  const made = new Map<string, string>();
  return { made, find: () => Promise.resolve(made), remember: (key, html) => void made.set(key, html) };
}

async function tasksOf(run: () => Promise<unknown>): Promise<string[]> {
  const tasks: string[] = [];
  const unsubscribe = on({ rendering: ({ renderer, outcome }) => void tasks.push(`${renderer} ${outcome}`) });
  await run();
  unsubscribe();
  return tasks;
}

test("600 formulas are all typeset, in parts, the start before the rest", async () => {
  const starts: { typeset: number; left: number }[] = [];
  const { html, asSource } = await markdownFragment(formulas(600), work(), {
    onPart: (soFar, left) => void starts.push({ typeset: count(soFar(), '<span class="katex">'), left }),
  });
  expect([asSource, count(html, '<span class="katex">'), count(html, "math-error")]).toEqual([false, 600, 0]);
  expect(starts.length).toBeGreaterThan(1);
  expect(starts[0]?.typeset).toBeGreaterThan(0);
  expect(starts[0]?.typeset).toBeLessThan(600);
  expect(starts.at(-1)).toEqual({ typeset: 600, left: 0 });
});

test("a document of 6,000 formulas, or of one that stands there so often, is put together outside the server's process", async () => {
  for (const source of [formulas(6_000), "$\\alpha$ and\n\n".repeat(6_000)]) {
    const made: { html?: string } = {};
    const tasks = await tasksOf(async () => {
      made.html = (await markdownFragment(source, work())).html;
    });
    const typeset = count(made.html ?? "", '<span class="katex">');
    expect([tasks, typeset > 0, typeset + count(made.html ?? "", "math-error")]).toEqual([
      ["markdown done"],
      true,
      6_000,
    ]);
  }
});

test("40 languages are all highlighted", async () => {
  const languages = (
    "bash c clojure cpp csharp css dart diff docker elixir erlang fsharp go graphql groovy haskell html ini java " +
    "javascript json julia kotlin latex lua makefile markdown nix objective-c perl php powershell python r ruby rust " +
    "scala sql swift typescript"
  ).split(" ");
  expect(languages).toHaveLength(40);
  const others: Readonly<Record<string, string>> = {
    diff: "+ a",
    html: "<b>a</b>",
    latex: "\\begin{a}",
    markdown: "# A",
  };
  const code = (name: string): string => others[name] ?? 'if (x == 1) { return "a"; } # 2';
  const source = languages.map((name) => `\`\`\`${name}\n${code(name)}\n\`\`\`\n`).join("\n");
  const { html } = await markdownFragment(source, work());
  const blocks = html.split('<figure class="code"').slice(1);
  expect(blocks.filter((block) => !block.includes('<span class="t-'))).toEqual([]);
  expect(blocks).toHaveLength(40);
});

test("another workspace's documents are rendered in between", async () => {
  const done: string[] = [];
  const long = markdownFragment(formulas(1_500), work("long")).then(() => done.push("long"));
  for (let n = 0; n < 5; n++) {
    await markdownFragment(`Short $x_${n}$`, work("short"));
    done.push("short");
  }
  await long;
  expect(done).toEqual(["short", "short", "short", "short", "short", "long"]);
});

test("what was made before is not made again: not for the same text, and of the next one only its new piece", async () => {
  const known = memory();
  const first = await markdownFragment(formulas(400), work(), { known });
  expect(known.made.size).toBe(400);
  const again: { html?: string } = {};
  const tasks = await tasksOf(async () => {
    again.html = (await markdownFragment(formulas(400), work(), { known })).html;
  });
  expect(tasks).toEqual(["markdown done"]);
  expect(again.html).toBe(first.html);
  expect(await tasksOf(() => markdownFragment(`${formulas(400)}\n$new$`, work(), { known }))).toEqual([
    "markdown done",
    "pieces done",
  ]);
  expect(known.made.size).toBe(401);
});

test("a piece that ends its process is shown as written, and every other one is made", async () => {
  const layout = await layOutMarkdown(formulas(40));
  const bad = layout.pieces[17]?.key;
  const made = await makeInParts(layout, [], 1_000, {
    work: work(),
    known: null,
    onPart: () => undefined,
    run: (pieces) =>
      pieces.some(({ key }) => key === bad)
        ? Promise.reject(new ThreadFailure("crashed"))
        : runInThread("pieces", { pieces }, { work: work(), cpuMs: 3_000 }),
  });
  expect(made.map((html) => html?.includes(leftBecause.slow))).toEqual(layout.pieces.map(({ key }) => key === bad));
});

test("a document whose pieces end their processes again and again, or take too much time, has the rest as written", async () => {
  const layout = await layOutMarkdown(formulas(400));
  const runs: number[] = [];
  const making = { work: work(), known: null, onPart: () => undefined };
  const failed = await makeInParts(layout, [], 1_000, {
    ...making,
    run: () => {
      runs.push(1);
      return Promise.reject(new ThreadFailure("crashed"));
    },
  });
  expect(runs).toHaveLength(8);
  expect(failed.filter((html) => html === undefined).length).toBeGreaterThan(390);
  const slow = await makeInParts(layout, [], 1_000, {
    ...making,
    run: () => Promise.resolve({ made: ["made"], cpuMs: 1_000 }),
  });
  expect(slow.filter((html) => html === "made").length).toBeLessThan(10);
});

test("parts are of one language or of formulas, bounded in work, and do not depend on what is there already", async () => {
  const piece = (n: number, kind: Piece["kind"], language: string, length: number): Piece => ({
    ...{ key: `${n}`, kind, language, source: "x".repeat(length) },
  });
  const pieces = Array.from({ length: 2_000 }, (_, n) =>
    n % 2 === 0 ? piece(n, "inline", "", 20) : piece(n, "code", n % 4 === 1 ? "ts" : "css", 500),
  );
  const parts = partsOf(pieces, () => true);
  expect(parts.flat().toSorted((one, other) => one - other)).toEqual([...pieces.keys()]);
  for (const part of parts) {
    const own = part.flatMap((index) => pieces[index] ?? []);
    expect(new Set(own.map(({ language }) => language)).size).toBe(1);
    expect(own.reduce((sum, one) => sum + workOf(one), 0)).toBeLessThanOrEqual(partWork);
  }
  expect(parts[0]?.[0]).toBe(0);
  expect(partsOf(pieces, (index) => index === 7)).toEqual([[7]]);
  const large = Array.from({ length: 400 }, (_, n) => piece(n, "code", `language-${n}`, 1));
  expect(partsOf(large, () => true).length * (languageWork + workOf(large[0] as Piece))).toBeLessThanOrEqual(
    20_000_000,
  );
});
