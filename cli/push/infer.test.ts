import { expect, test } from "bun:test";

import { slugFor } from "./infer.ts";

test("the slug of what no word is left of is a steady hash of its title", () => {
  expect(slugFor("Отчёт Q3", "report.md")).toBe("report");
  expect(slugFor("四半期報告", "報告.md")).toMatch(/^artifact-[0-9a-f]{10}$/);
  expect(slugFor("四半期報告", "-")).toBe(slugFor("四半期報告", "x/報告.md"));
});
