// Runs the hooks through git, in temporary repositories with this checkout's configuration.
import { afterAll, describe, expect, test } from "bun:test";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { root } from "./step.ts";

const temporary = mkdtempSync(join(tmpdir(), "plinth-hooks-"));
afterAll(() => rmSync(temporary, { recursive: true }));
symlinkSync(process.execPath, join(temporary, "bun"));

/** Without the variables and settings of an outer git, or of this machine's user. */
const environment = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(GIT_|CI$|PLINTH_NO_HOOKS$)/.test(name))),
  PATH: `${temporary}:${process.env["PATH"]}`,
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "Ada",
  GIT_AUTHOR_EMAIL: "ada@example.com",
  GIT_COMMITTER_NAME: "Ada",
  GIT_COMMITTER_EMAIL: "ada@example.com",
};

function run(folder: string, command: readonly string[], env: Record<string, string> = {}) {
  const { exitCode, stdout, stderr } = Bun.spawnSync([...command], {
    cwd: folder,
    env: { ...environment, ...env },
  });
  return { exitCode, output: stdout.toString() + stderr.toString() };
}

/** A repository with one commit. `git` throws on failure, and `commit` returns the result. */
function repository() {
  const folder = mkdtempSync(join(temporary, "repository-"));
  const git = (...words: string[]): string => {
    const { exitCode, output } = run(folder, ["git", ...words]);
    if (exitCode !== 0) throw new Error(output);
    return output;
  };
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  git("init", "--quiet");
  for (const name of [".oxfmtrc.json", ".oxlintrc.json", ".oxlintrc.staged.json"])
    copyFileSync(join(root, name), join(folder, name));
  symlinkSync(join(root, "scripts"), join(folder, "scripts"));
  git("add", ".");
  git("commit", "--quiet", "--message", "Configure the tools");
  git("config", "core.hooksPath", join(root, ".githooks"));
  return {
    folder,
    git,
    write,
    read: (path: string) => readFileSync(join(folder, path), "utf8"),
    commit: (words: readonly string[] = [], env = {}) =>
      run(folder, ["git", "commit", "--quiet", "--message", "Add a constant", ...words], env),
  };
}

describe("pre-commit", () => {
  test("a staged file is formatted, staged again and committed", () => {
    const { git, write, read, commit } = repository();
    const path = "web/routes/[owner]/(app)/one.ts";
    write(path, "export const one   = 1\n");
    git("add", "web");
    expect(commit()).toMatchObject({ exitCode: 0, output: expect.stringContaining(path) });
    expect(read(path)).toBe("export const one = 1;\n");
    expect(git("status", "--porcelain")).toBe("");
  });

  test("a file that is not staged is left alone", () => {
    const { git, write, read, commit } = repository();
    write("api/one.ts", "export const one = 1;\n");
    write("api/two.ts", "export const two: any   = 2\n");
    git("add", "api/one.ts");
    expect(commit()).toEqual({ exitCode: 0, output: "" });
    expect(read("api/two.ts")).toBe("export const two: any   = 2\n");
  });

  test("a lint error is refused", () => {
    const { git, write, commit } = repository();
    write("api/one.ts", "export const one: any = 1;\n");
    git("add", "api");
    expect(commit()).toMatchObject({ exitCode: 1, output: expect.stringContaining("no-explicit-any") });
    write("domain/two.ts", 'import "../api/one.ts";\n');
    git("rm", "--quiet", "--cached", "api/one.ts");
    git("add", "domain");
    expect(commit()).toMatchObject({ exitCode: 1, output: expect.stringContaining("by its package name") });
  });

  test("a file that can't be read is refused", () => {
    const { git, write, commit } = repository();
    write("api/one.ts", "export const one = \n");
    git("add", "api");
    expect(commit()).toMatchObject({ exitCode: 1, output: expect.stringContaining("Unexpected token") });
  });

  test("a partly staged file is checked as it is staged, and its unstaged part stays", () => {
    const { git, write, read, commit } = repository();
    const unstaged = "export const one = 1;\nexport const two: any   = 2\n";
    write("api/one.ts", "export const one = 1;\n");
    git("add", "api");
    write("api/one.ts", unstaged);
    expect(commit()).toEqual({ exitCode: 0, output: "" });
    expect(git("show", "HEAD:api/one.ts")).toBe("export const one = 1;\n");
    expect(read("api/one.ts")).toBe(unstaged);
  });

  test("a partly staged file with a fault in its staged part is refused, and neither part is changed", () => {
    const { git, write, read, commit } = repository();
    const staged = "export const one   = 1\n";
    write("api/one.ts", staged);
    write("api/two.ts", "export const two: any = 2;\n");
    git("add", "api");
    write("api/one.ts", "export const one = 1;\n");
    write("api/two.ts", "export const two = 2;\n");
    const { exitCode, output } = commit();
    expect(exitCode).toBe(1);
    expect(output).toContain("not formatted; format and stage again:\n  api/one.ts\n");
    expect(output).toContain("no-explicit-any");
    expect(git("show", ":api/one.ts")).toBe(staged);
    expect(read("api/one.ts")).toBe("export const one = 1;\n");
  });

  test("git commit FILE is checked without being formatted, git commit --all is formatted", () => {
    const { git, write, commit } = repository();
    write("api/one.ts", "export const one = 1;\n");
    git("add", "api");
    commit();
    write("api/one.ts", "export const one   = 2\n");
    expect(commit(["api/one.ts"])).toMatchObject({ exitCode: 1, output: expect.stringContaining("not formatted") });
    expect(commit(["--all"]).exitCode).toBe(0);
    expect(git("show", "HEAD:api/one.ts")).toBe("export const one = 2;\n");
    expect(git("status", "--porcelain")).toBe("");
  });

  test("a deleted file, and one that no tool knows, are committed", () => {
    const { git, write, commit } = repository();
    write("api/one.ts", "export const one = 1;\n");
    write("picture.png", "\u0089PNG");
    git("add", ".");
    expect(commit().exitCode).toBe(0);
    git("rm", "--quiet", "api/one.ts");
    expect(commit()).toEqual({ exitCode: 0, output: "" });
  });
});

test("commit-msg: a subject against the rules is refused, unless the hooks are skipped", () => {
  const { folder } = repository();
  const commit = (subject: string, env = {}) =>
    run(folder, ["git", "commit", "--quiet", "--allow-empty", "--message", subject], env);
  const long = `Add ${"a".repeat(69)}`;
  expect(commit(long)).toMatchObject({
    exitCode: 1,
    output: expect.stringContaining("It has 73 characters; 72 are allowed."),
  });
  expect(commit(long, { PLINTH_NO_HOOKS: "1" }).exitCode).toBe(0);
  expect(commit("Add a constant").exitCode).toBe(0);
});

describe("install-hooks.sh", () => {
  const script = join(root, "scripts/install-hooks.sh");
  const hooksPath = (folder: string) => run(folder, ["git", "config", "core.hooksPath"]).output;
  const install = (folder: string, env: Record<string, string> = {}) => run(folder, ["/bin/sh", script], env);
  const empty = () => {
    const folder = mkdtempSync(join(temporary, "empty-"));
    run(folder, ["git", "init", "--quiet"]);
    return folder;
  };

  test("sets the path of the hooks, unless there is one", () => {
    const folder = empty();
    expect(install(folder)).toEqual({ exitCode: 0, output: "" });
    expect(hooksPath(folder)).toBe(".githooks\n");
    run(folder, ["git", "config", "core.hooksPath", "mine"]);
    expect(install(folder).exitCode).toBe(0);
    expect(hooksPath(folder)).toBe("mine\n");
  });

  test.each([{ CI: "true" }, { PLINTH_NO_HOOKS: "1" }])("sets nothing with %o", (env) => {
    const folder = empty();
    expect(install(folder, env)).toEqual({ exitCode: 0, output: "" });
    expect(hooksPath(folder)).toBe("");
  });

  test("does nothing outside a checkout, or without git", () => {
    expect(install(mkdtempSync(join(temporary, "folder-")))).toEqual({ exitCode: 0, output: "" });
    const folder = empty();
    expect(install(folder, { PATH: "/nowhere" })).toEqual({ exitCode: 0, output: "" });
    expect(hooksPath(folder)).toBe("");
  });
});
