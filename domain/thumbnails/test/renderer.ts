// A painter to test with: it keeps the documents it was given, and paints, waits or fails as it is told.
import type { PageReport } from "@plinth/contract/schemas/artifact";

import type { Runtime } from "@plinth/runtime/manifest";
import type { DocumentToPaint, Painter } from "../painter.ts";

export interface TestPainter extends Painter {
  version: number;
  readonly painted: DocumentToPaint[];
  /** What pages say. */
  report: PageReport;
  /** Done for each document before its picture is there; what it throws is thrown. */
  meanwhile: (() => Promise<void>) | null;
}

/** Named like the built one, of which no file is needed here. */
const runtime: Runtime = {
  hash: "0000",
  path: "/_runtime/0000/",
  imports: {},
  files: [],
  loads: {},
  directory: "",
  guard: "",
};

/** A WebP of 1 by 1 pixel, with a number at its end that tells one picture from another. */
export const webp = (number: number): Uint8Array<ArrayBuffer> => {
  const pixel = Buffer.from("UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==", "base64");
  return Uint8Array.from(Buffer.concat([pixel, Buffer.from(String(number))]));
};

export function testPainter(version = 1): TestPainter {
  const painter: TestPainter = {
    version,
    runtime,
    painted: [],
    report: { errors: [], console: [] },
    meanwhile: null,
    async paint(document) {
      painter.painted.push(document);
      const number = painter.painted.length;
      await painter.meanwhile?.();
      return { large: webp(number), small: webp(number + 0.5), report: painter.report };
    },
  };
  return painter;
}
