// Diagrams drawn in the browser: each is given as soon as it is drawn, and what never ends is ended.
import { afterAll, beforeAll, expect, test } from "bun:test";

import { diagramPage } from "@plinth/domain/jobs/draw-diagrams";
import { safeDrawings } from "@plinth/domain/render/diagrams/safe-drawings";
import type { MadeDrawing } from "@plinth/domain/render/diagrams/drawing";
import { CaptureError, type DocumentToCapture } from "@plinth/domain/thumbnails/renderer";

import type { PageLimits } from "./limits.ts";
import { freeDocument, generousLimits, hung, testRenderer, type TestRenderer } from "./test/renderer.ts";

const limits: { -readonly [Name in keyof PageLimits]: number } = { ...generousLimits };
let opened: TestRenderer;
beforeAll(async () => {
  opened = await testRenderer({ limits });
}, hung);
afterAll(() => opened?.close(), hung);

async function draw(page: DocumentToCapture, sources: readonly string[]) {
  const drawn: [number, MadeDrawing][] = [];
  const error: unknown = await opened.renderer
    .draw(page, sources, (index, drawing) => drawn.push([index, drawing]))
    .catch((thrown: unknown) => thrown);
  return { drawn, error };
}

/** A page whose function does what the source says, as one that a source took over. */
const page = freeDocument(`<!doctype html><script>
  globalThis.drawForBothSchemes = async (source) => {
    if (source === "hang") for (;;);
    if (source === "throw") throw new Error("closed");
    if (source === "leave") location.href = "https://elsewhere.example/";
    if (source === "long") return { svg: "x".repeat(600 * 1024) };
    if (source === "other") return { svg: { length: 1 }, problem: 7 };
    return { svg: "<svg>" + source + "</svg>" };
  };
</script>`);

test(
  "diagrams are drawn by mermaid for both schemes, so that the sanitizer lets all of each through",
  async () => {
    const sources = [
      "flowchart LR; A[Start]-->|go|B",
      "sequenceDiagram\n  A->>B: Hello",
      "sankey-beta\nA,B,10",
      "no diagram",
    ];
    const { drawn, error } = await draw(freeDocument(diagramPage(opened.renderer.runtime)), sources);
    expect(error).toBeUndefined();
    expect(drawn.map(([index]) => index)).toEqual([0, 1, 2, 3]);
    const [flowchart, sequence, sankey, none] = safeDrawings(drawn.map(([, drawing]) => drawing));
    for (const [one, word] of [
      [flowchart, "Start"],
      [sequence, "Hello"],
      [sankey, "A"],
    ] as const) {
      expect(one).toEqual({ svg: expect.stringContaining(word) });
      expect(one).toEqual({ svg: expect.stringMatching(/light-dark\(#[\da-f]{6},#[\da-f]{6}\)/) });
    }
    expect(none).toEqual({ caption: expect.stringContaining("This diagram could not be drawn: No diagram type") });
  },
  hung,
);

test(
  "what a page gives is a drawing of bounded length or nothing, and its own errors end nothing",
  async () => {
    const { drawn, error } = await draw(page, ["first", "throw", "long", "other", "last"]);
    expect(error).toBeUndefined();
    expect(drawn).toEqual([
      [0, { svg: "<svg>first</svg>" }],
      [1, null],
      [2, null],
      [3, null],
      [4, { svg: "<svg>last</svg>" }],
    ]);
  },
  hung,
);

test(
  "a diagram that never ends is ended, with those before it drawn and the browser ready for the next document",
  async () => {
    limits.drawMs = 1_500;
    const { drawn, error } = await draw(page, ["first", "hang", "last"]);
    limits.drawMs = generousLimits.drawMs;
    expect(drawn).toEqual([[0, { svg: "<svg>first</svg>" }]]);
    expect(error).toBeInstanceOf(CaptureError);
    expect((await draw(page, ["next"])).drawn).toEqual([[0, { svg: "<svg>next</svg>" }]]);
  },
  hung,
);
