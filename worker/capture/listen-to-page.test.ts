// Only a bounded part of a page's errors is processed, however many there are.
import { afterAll, beforeAll, expect, test } from "bun:test";

import { freeDocument, hung, testRenderer, type TestRenderer } from "./test/renderer.ts";

let opened: TestRenderer;
beforeAll(async () => {
  opened = await testRenderer();
}, hung);
afterAll(() => opened.close(), hung);

test(
  "an error of a million empty lines: the report has it cut short, and the screenshot succeeds",
  async () => {
    const { report } = await opened.renderer.capture(
      freeDocument("<script>throw new Error('\\n'.repeat(1_000_000) + 'end')</script>"),
    );
    expect(report.errors).toHaveLength(1);
    expect(report.errors[0]?.message.length).toBeLessThanOrEqual(500);
  },
  hung,
);
