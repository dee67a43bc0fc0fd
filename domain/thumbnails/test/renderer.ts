// A renderer for tests. It records the documents, and captures, waits or fails as the test wants.
import { escapeHtml } from "../../render/escape-html.ts";
import type { PageReport } from "@plinth/contract/schemas/artifact";

import type { Runtime } from "@plinth/runtime/manifest";
import type { DocumentToCapture, FileAt, ThumbnailRenderer } from "../renderer.ts";

export interface TestRenderer extends ThumbnailRenderer {
  version: number;
  readonly captured: DocumentToCapture[];
  /** Gives the files of the packages of the last document. */
  fileAt: FileAt | undefined;
  /** The report of every page. */
  report: PageReport;
  /** The sources of every drawing. */
  readonly drawn: string[];
  /** Runs before each drawing; its error is the drawing's error. */
  duringDrawing: (() => Promise<void>) | null;
  /** Runs during each capture; its error is the capture's error. */
  duringCapture: (() => Promise<void>) | null;
}

/** No file of the built runtime is needed here. */
const runtime: Runtime = {
  hash: "0000",
  path: "/_runtime/0000/",
  imports: {},
  versions: {},
  files: [],
  loads: {},
  directory: "",
  guard: "",
};

/** A WebP of 1 by 1 pixel, with a number at its end that distinguishes one from another. */
export const webp = (number: number): Uint8Array<ArrayBuffer> => {
  const pixel = Buffer.from("UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==", "base64");
  return Uint8Array.from(Buffer.concat([pixel, Buffer.from(String(number))]));
};

export function testRenderer(version = 1): TestRenderer {
  const renderer: TestRenderer = {
    version,
    runtime,
    captured: [],
    drawn: [],
    duringDrawing: null,
    fileAt: undefined,
    report: { errors: [], console: [] },
    duringCapture: null,
    async capture(document, fileAt) {
      renderer.fileAt = fileAt;
      renderer.captured.push(document);
      const number = renderer.captured.length;
      await renderer.duringCapture?.();
      return { large: webp(number), small: webp(number + 0.5), report: renderer.report };
    },
    async draw(_page, sources, onDrawn) {
      for (const [index, written] of sources.entries()) {
        const source = written.trim();
        await renderer.duringDrawing?.();
        renderer.drawn.push(source);
        const isBroken = source.includes("broken");
        onDrawn(
          index,
          isBroken ? { problem: "It is broken" } : { svg: `<svg><text>${escapeHtml(source)}</text></svg>` },
        );
      }
    },
  };
  return renderer;
}
