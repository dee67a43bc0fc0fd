// Documents that exhaust resources: each is ended within its time, leaves no process, and does not affect the
// screenshots of other documents.
import { afterAll, beforeAll, expect, test } from "bun:test";

import { sampleBySeed } from "@plinth/support/test-seed";
import { CaptureError } from "@plinth/domain/thumbnails/renderer";

import { usualLimits, type PageLimits } from "./limits.ts";
import {
  freeDocument,
  hung,
  generousLimits,
  renderers,
  temporaryFolders,
  testRenderer,
  until,
  type TestRenderer,
} from "./test/renderer.ts";

const script = (text: string): string => `<!doctype html><h1>Bomb</h1><script>${text}</script>`;
const inWorker = (text: string): string =>
  `new Worker(URL.createObjectURL(new Blob([${JSON.stringify(text)}], { type: "text/javascript" })))`;

/** Whether it is certain for each that no screenshot can be taken. */
const bombs: Readonly<Record<string, readonly [html: string, outcome: "failure" | "either"]>> = {
  "an endless loop": [script("for (;;);"), "failure"],
  "an endless loop after the load": [
    script("addEventListener('load', () => setTimeout(() => { for (;;); }, 50))"),
    "failure",
  ],
  "endless microtasks": [script("(function again() { Promise.resolve().then(again); })()"), "failure"],
  "objects without end": [script("const all = []; for (;;) all.push(new Array(1e5).fill({}));"), "failure"],
  "buffers without end": [
    script("const all = []; setInterval(() => { const b = new Uint8Array(64 << 20); b.fill(1); all.push(b); }, 1);"),
    "either",
  ],
  "strings that double": [
    script(
      "let s = 'x'; try { for (;;) s += s; } catch {} const all = []; for (;;) all.push(s.toUpperCase() + all.length);",
    ),
    "either",
  ],
  "a canvas beyond all measure": [
    script(
      "for (let i = 0; i < 40; i++) { const c = document.createElement('canvas'); c.width = c.height = 16000; const x = c.getContext('2d'); x.fillRect(0, 0, 16000, 16000); x.getImageData(0, 0, 1, 1); document.body.append(c); }",
    ),
    "either",
  ],
  dialogs: [
    script(
      "setInterval(() => { alert('a'); confirm('b'); prompt('c'); }, 0); onbeforeunload = () => 'stay'; for (let i = 0; i < 50; i++) alert(i);",
    ),
    "either",
  ],
  downloads: [
    script(
      "setInterval(() => { const a = document.createElement('a'); a.href = URL.createObjectURL(new Blob(['x'.repeat(1e6)])); a.download = 'x'; a.click(); }, 5)",
    ),
    "either",
  ],
  "pop-ups": [
    script("setInterval(() => { for (let i = 0; i < 20; i++) open('about:blank', '_blank'); }, 5)"),
    "either",
  ],
  "requests without end": [
    script("setInterval(() => { for (let i = 0; i < 50; i++) fetch('/endless/' + Math.random()).catch(() => 0); }, 5)"),
    "either",
  ],
  "workers without end": [
    script(`setInterval(() => { for (let i = 0; i < 5; i++) ${inWorker("for (;;);")}; }, 5)`),
    "either",
  ],
  "a document that never ends": [
    script("setInterval(() => { document.write('<p>more</p>'.repeat(1000)); }, 0)"),
    "either",
  ],
  "a history without end": [
    script(
      "setInterval(() => { for (let i = 0; i < 1000; i++) try { history.pushState({}, '', '#' + Math.random()); } catch {} }, 0)",
    ),
    "either",
  ],
  "a million lines on the console": [script("for (let i = 0; i < 1e6; i++) console.log('line', i, {});"), "either"],
  "frames within frames": [
    script(
      "const s = document.documentElement.outerHTML; setInterval(() => { for (let i = 0; i < 10; i++) { const f = document.createElement('iframe'); f.srcdoc = s; document.body.append(f); } }, 10)",
    ),
    "either",
  ],
  "reloads and ways elsewhere": [
    script(
      "setInterval(() => { location.reload(); location.href = 'https://elsewhere.example/'; location.hash = Math.random(); }, 0)",
    ),
    "either",
  ],
  "a document as large as one may be": [`<!doctype html>${"<div><b>deep".repeat(180_000)}`, "either"],
};

/** All of the 18 with the production limits: `bun run stress bombs`. Otherwise two of them, chosen by the seed. */
const isWhole = process.env["BOMBS"] === "all";
const chosen = sampleBySeed(Object.keys(bombs), isWhole ? Infinity : 2);
const bombLimits: PageLimits = isWhole
  ? usualLimits
  : { ...usualLimits, pageMs: 1_500, idleWaitMs: 700, shotMs: 1_000, jobMs: 3_000 };
/** Seconds. 10 is the limit for all 18 (docs/reference/security.md §4); 60 only detects a hang. */
const ENDED = isWhole ? 10 : 60;

// Generous limits for the harmless documents, because the machine may be busy.
const limits: { -readonly [Name in keyof PageLimits]: number } = { ...generousLimits };
let opened: TestRenderer;
const harmless = () => opened.renderer.capture(freeDocument("<h1>Harmless</h1>"));

beforeAll(async () => {
  opened = await testRenderer({ limits });
  await harmless();
}, hung);
afterAll(async () => {
  await opened.close();
  expect(temporaryFolders()).toEqual([]);
}, hung);

for (const [name, [html, outcome]] of Object.entries(bombs)) {
  if (!chosen.includes(name)) continue;
  test(
    `${name}: ended in time, no process left, and the next screenshot succeeds`,
    async () => {
      const began = performance.now();
      Object.assign(limits, bombLimits);
      const result = await opened.renderer.capture(freeDocument(html)).catch((error: unknown) => error);
      Object.assign(limits, generousLimits);
      expect((performance.now() - began) / 1000).toBeLessThan(ENDED);
      await until(() => renderers() === 0, "no page is left");
      if (outcome === "failure") expect(result).toBeInstanceOf(CaptureError);
      // A page may be too slow for its screenshot on a busy machine, but nothing else may go wrong.
      else if (result instanceof Error) expect(result).toBeInstanceOf(CaptureError);
      else expect(result).toHaveProperty("large");
      expect((await harmless()).report).toEqual({ errors: [], console: [] });
    },
    hung,
  );
}
