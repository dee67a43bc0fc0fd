// The npm package's browser takes screenshots where a machine has no browser.
import { expect, test } from "bun:test";

import { freeDocument, hung, testRenderer } from "./test/renderer.ts";
import { isWebp } from "./webp.ts";

test(
  "the packaged browser is unpacked, starts in the sandbox, and takes a screenshot",
  async () => {
    const { renderer, browser, notes, close } = await testRenderer({ chromiumPath: "package" });
    expect(browser).toMatch(/^Chromium \d+ of @sparticuz\/chromium$/);
    const { large, report } = await renderer.capture(freeDocument("<h1>Hello</h1><script>console.log(1 + 1)</script>"));
    expect(isWebp(large, { width: 1200, height: 750 })).toBe(true);
    expect(report).toEqual({ errors: [], console: [{ level: "log", text: "2" }] });
    expect(notes).toEqual([]);
    await close();
  },
  hung,
);
