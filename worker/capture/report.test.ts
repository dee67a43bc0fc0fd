import { expect, test } from "bun:test";
import { pageReportLimits } from "@plinth/contract/limits";

import { collectReport } from "./report.ts";

test("collectReport bounds a report while it collects, however many messages come", () => {
  const collector = collectReport();
  for (let n = 0; n < 10_000; n++) {
    collector.add({ kind: "console", level: "log", text: `${n} ${"x".repeat(2_000)}` });
    collector.add({ kind: "uncaught error", message: `${n} ${"y".repeat(2_000)}`, line: n, column: 1 });
    collector.add({ kind: "blocked", message: `${n}` });
    collector.add({ kind: "runtime error", message: `${n}`, component: "z".repeat(2_000) });
  }
  const report = collector.report();
  expect(report.console).toHaveLength(pageReportLimits.messages);
  expect(report.errors).toHaveLength(pageReportLimits.messages);
  for (const text of [...report.console.map(({ text }) => text), ...report.errors.map(({ message }) => message)])
    expect(text.length).toBeLessThanOrEqual(pageReportLimits.characters);
});

test("collectReport removes control characters, bidi controls and lone surrogates", () => {
  const collector = collectReport();
  collector.add({ kind: "console", level: "error", text: "\u001b[31mred\u0000\u202eback\ud800 \n end\n" });
  expect(collector.report().console).toEqual([{ level: "error", text: "[31mred back\ufffd   end" }]);
});

test("collectReport prefers a runtime error to the same uncaught error, and gives no position of the served text", () => {
  const collector = collectReport();
  collector.add({ kind: "uncaught error", message: "Error: one", line: 900, column: 3 });
  collector.add({ kind: "runtime error", message: "Error: one", component: "Chart", line: 4, column: 7 });
  collector.add({ kind: "uncaught error", message: "Error: two", line: 901, column: 3 });
  expect(collector.report().errors).toEqual([
    { message: "Error: one (in Chart)", line: 4, column: 7 },
    { message: "Error: two" },
  ]);
});

test("collectReport lists a repeated error once, and omits an invalid position", () => {
  const collector = collectReport();
  for (const line of [0, -1, 0.5]) collector.add({ kind: "uncaught error", message: "Error: one", line });
  expect(collector.report().errors).toEqual([{ message: "Error: one" }]);
});
