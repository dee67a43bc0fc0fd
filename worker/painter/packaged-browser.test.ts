// The npm package's browser takes screenshots where a machine has no browser.
import { expect, test } from "bun:test";

import { freeDocument, hung, testPainter } from "./testing.ts";
import { isPicture } from "./webp.ts";

test(
  "the packaged browser is unpacked, started in the cage, and takes a picture",
  async () => {
    const { painter, browser, notes, close } = await testPainter({ chromiumPath: "package" });
    expect(browser).toMatch(/^Chromium \d+ of @sparticuz\/chromium$/);
    const { large, report } = await painter.paint(freeDocument("<h1>Hello</h1><script>console.log(1 + 1)</script>"));
    expect(isPicture(large, { width: 1200, height: 750 })).toBe(true);
    expect(report).toEqual({ errors: [], console: [{ level: "log", text: "2" }] });
    expect(notes).toEqual([]);
    await close();
  },
  hung,
);
