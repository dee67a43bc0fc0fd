import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { emptyDirectory } from "../testing/line.ts";
import { ignoreRulesOf } from "./ignore-rules.ts";

test("outside a repository a .gitignore may have four ** in a rule and no more", async () => {
  const folder = emptyDirectory();
  const outcome = async (rule: string) => {
    writeFileSync(join(folder, ".gitignore"), `*.log\n${rule}\n`);
    return ignoreRulesOf(folder, {}).then(
      (rules) => rules.ignores(join(folder, "a.log"), false),
      (error: { code?: string; message: string }) => error.message,
    );
  };
  expect(await outcome("a/**/b/**/c/**/d/**")).toBe(true);
  expect(await outcome("a/**/b/**/c/**/d/**/e/**")).toContain("more than 4 **");
});
