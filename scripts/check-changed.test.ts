import { afterAll, expect, spyOn, test } from "bun:test";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { changedFiles, checksOf, filesAreClean } from "./check-changed.ts";
import { checks } from "./checks.ts";
import { git } from "./file-checks.ts";
import { root } from "./step.ts";

const checkout = mkdtempSync(join(tmpdir(), "plinth-changed-"));
afterAll(() => rmSync(checkout, { recursive: true }));

const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(checkout, path)), { recursive: true });
  writeFileSync(join(checkout, path), text);
};
const commit = (): void => {
  git(checkout, "add", ".");
  git(checkout, "-c", "user.name=Ada", "-c", "user.email=ada@example.com", "commit", "--quiet", "--message", "Add");
};
const namesOf = (files: string[]): string[] => checksOf(checkout, files).map(({ name }) => name);

git(checkout, "init", "--quiet");
for (const name of [".oxfmtrc.json", ".oxlintrc.json", ".oxlintrc.staged.json"])
  copyFileSync(join(root, name), join(checkout, name));
for (const name of ["staged", "unstaged", "deleted", "same"]) write(`api/${name}.ts`, "export const one = 1;\n");
write(".gitignore", "ignored.ts\n");
commit();

test("the change: staged, unstaged, new and deleted files, and none that are ignored", () => {
  write("api/staged.ts", "export const staged = 1;\n");
  git(checkout, "add", ".");
  write("api/unstaged.ts", "export const unstaged = 1;\n");
  write("api/a new one.ts", "export const created = 1;\n");
  write("api/ignored.ts", "export const ignored = 1;\n");
  rmSync(join(checkout, "api/deleted.ts"));
  const changed = ["api/a new one.ts", "api/deleted.ts", "api/staged.ts", "api/unstaged.ts"];
  expect(changedFiles(checkout)).toEqual(changed);
  commit();
  expect(changedFiles(checkout)).toEqual([]);
  expect(changedFiles(checkout, "HEAD~1")).toEqual(changed);
  expect(() => changedFiles(checkout, "no-such-commit")).toThrow("git diff failed");
});

test("a file that is not formatted, one that breaks a lint rule, and one that can't be parsed are refused", () => {
  const log = spyOn(console, "log").mockImplementation(() => {});
  const error = spyOn(console, "error").mockImplementation(() => {});
  try {
    write("api/long.ts", "export const long   = 1\n");
    write("api/any.ts", "export const some: any = 1;\n");
    write("api/broken.ts", "export const =\n");
    expect(filesAreClean(checkout, ["api/same.ts"])).toBe(true);
    expect(filesAreClean(checkout, ["api/same.ts", "api/long.ts"])).toBe(false);
    expect(error.mock.lastCall?.[0]).toContain("api/long.ts");
    expect(filesAreClean(checkout, ["api/any.ts"])).toBe(false);
    expect(error.mock.lastCall?.[0]).toContain("no-explicit-any");
    expect(filesAreClean(checkout, ["api/broken.ts"])).toBe(false);
    expect(readFileSync(join(checkout, "api/long.ts"), "utf8")).toBe("export const long   = 1\n");
  } finally {
    log.mockRestore();
    error.mockRestore();
  }
});

test("a change decides its checks: types of a module, texts of the web app, and always what spans documents", () => {
  const always = ["citations", "prose", "generated documents", "secrets"];
  write("web/src/app.ts", "export const one = 1;\n");
  expect(namesOf(["README.md"])).toEqual(always.slice(0, 3));
  expect(namesOf(["api/deleted.ts"])).toEqual(["tsc", ...always.slice(0, 3)]);
  write("domain/test/context.ts", "export const one = 1;\n");
  expect(namesOf(["e2e/deleted.test.ts", "domain/test/context.ts"])).toEqual(always);
  expect(namesOf(["web/src/app.ts", "web/src/deleted.ts"])).toEqual([...always, "literal text"]);
  expect(checksOf(checkout, ["web/src/app.ts"]).at(-1)?.command).toEqual(["scripts/literal-text.ts", "web/src/app.ts"]);
});

test("each check of a change is one of the whole check", () => {
  const all = checks.map(({ name }) => name);
  for (const name of namesOf(["api/one.ts", "web/src/app.ts"])) expect(all).toContain(name);
});
