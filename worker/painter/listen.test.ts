// Only a bounded part of a page's errors is processed, however many there are.
import { afterAll, beforeAll, expect, test } from "bun:test";

import { freeDocument, hung, testPainter, type TestPainter } from "./testing.ts";

let painter: TestPainter;
beforeAll(async () => {
  painter = await testPainter();
}, hung);
afterAll(() => painter.close(), hung);

test(
  "an error of a million empty lines is reported, cut short, and its page has its picture",
  async () => {
    const { report } = await painter.painter.paint(
      freeDocument("<script>throw new Error('\\n'.repeat(1_000_000) + 'end')</script>"),
    );
    expect(report.errors).toHaveLength(1);
    expect(report.errors[0]?.message.length).toBeLessThanOrEqual(500);
  },
  hung,
);
