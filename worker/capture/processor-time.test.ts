// Processor time, not the clock, decides whether the document or the machine was too slow.
import { expect, test } from "bun:test";

import { CaptureError } from "@plinth/domain/thumbnails/renderer";

import { usualLimits } from "./limits.ts";
import { processorTimeOf, wasStarved, type ProcessorTime } from "./processor-time.ts";
import { freeDocument, hung, testRenderer } from "./test/renderer.ts";

const used = (usedMs: number, waitedMs: number | null = 0): ProcessorTime => ({ usedMs, waitedMs });

test("wasStarved: little processor time and much waiting for it, compared with elapsed time", () => {
  const before = used(1000, 500);
  const cases: readonly [ProcessorTime | null, boolean][] = [
    [used(1000 + 7000, 500 + 20_000), false], // It worked all the time, beside many others.
    [used(1000 + 2000, 500 + 5000), true],
    [used(1000 + 500, 500 + 100), false], // It slept.
    [used(1000 + 500, null), true], // The kernel does not report whether it slept.
    [null, false],
  ];
  for (const [after, expected] of cases) expect(wasStarved(8000, before, after)).toBe(expected);
});

test("processorTimeOf counts what a process used", async () => {
  const work = "while (process.cpuUsage().user < 300_000); console.log('done'); setInterval(() => 0, 1000);";
  const child = Bun.spawn([process.execPath, "-e", work], { stdout: "pipe", stderr: "ignore" });
  const reader = child.stdout.getReader();
  await reader.read();
  const measured = processorTimeOf([child.pid]);
  child.kill();
  await child.exited;
  expect(measured?.usedMs).toBeGreaterThanOrEqual(290);
  expect(processorTimeOf([child.pid])).toEqual({ usedMs: 0, waitedMs: null });
});

test(
  "a document that never ends: took too long where it had a processor, got too little CPU time where it had none",
  async () => {
    // The kernel's figures before the document, and after it.
    for (const [after, reason] of [
      [used(1_000_000), "took too long"],
      [used(0, 1_000_000), "got too little CPU time"],
    ] as const) {
      let measured = 0;
      const opened = await testRenderer({
        limits: { ...usualLimits, pageMs: 1000, idleWaitMs: 500, shotMs: 500, jobMs: 2000 },
        measure: () => (measured++ % 2 === 0 ? used(0) : after),
      });
      const failure = await opened.renderer.capture(freeDocument("<script>for (;;);</script>")).catch((error) => error);
      await opened.close();
      expect(failure).toBeInstanceOf(CaptureError);
      expect((failure as CaptureError).reason).toBe(reason);
      expect(measured).toBe(2);
    }
  },
  hung,
);
