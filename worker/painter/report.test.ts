import { expect, test } from "bun:test";
import { pageReportLimits } from "@plinth/contract/limits";

import { gatherReport } from "./report.ts";

test("a report is bounded while it is gathered, however much is said", () => {
  const gathered = gatherReport();
  for (let n = 0; n < 10_000; n++) {
    gathered.hear({ of: "console", level: "log", text: `${n} ${"x".repeat(2_000)}` });
    gathered.hear({ of: "thrown", message: `${n} ${"y".repeat(2_000)}`, line: n, column: 1 });
    gathered.hear({ of: "kept out", message: `${n}` });
    gathered.hear({ of: "told", message: `${n}`, component: "z".repeat(2_000) });
  }
  const report = gathered.report();
  expect(report.console).toHaveLength(pageReportLimits.messages);
  expect(report.errors).toHaveLength(pageReportLimits.messages);
  for (const text of [...report.console.map(({ text }) => text), ...report.errors.map(({ message }) => message)])
    expect(text.length).toBeLessThanOrEqual(pageReportLimits.characters);
});

test("controls, turned text and half characters are taken out", () => {
  const gathered = gatherReport();
  gathered.hear({ of: "console", level: "error", text: "\u001b[31mred\u0000\u202eback\ud800 \n end\n" });
  expect(gathered.report().console).toEqual([{ level: "error", text: "[31mred back\ufffd   end" }]);
});

test("what the runtime tells stands for what the browser heard of the same, and no place of another text is given", () => {
  const gathered = gatherReport();
  gathered.hear({ of: "thrown", message: "Error: one", line: 900, column: 3 });
  gathered.hear({ of: "told", message: "Error: one", component: "Chart", line: 4, column: 7 });
  gathered.hear({ of: "thrown", message: "Error: two", line: 901, column: 3 });
  expect(gathered.report().errors).toEqual([
    { message: "Error: one (in Chart)", line: 4, column: 7 },
    { message: "Error: two" },
  ]);
});

test("the same error said twice stands once, and a place that is none is left out", () => {
  const gathered = gatherReport();
  for (const line of [0, -1, 0.5]) gathered.hear({ of: "thrown", message: "Error: one", line });
  expect(gathered.report().errors).toEqual([{ message: "Error: one" }]);
});
