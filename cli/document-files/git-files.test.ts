// Files that git ignores, as git itself reports them. The tests have their own home folder and git configuration.
import { describe, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { emptyDirectory, line } from "../testing/line.ts";

const home = emptyDirectory();
const env = {
  HOME: home,
  PATH: process.env["PATH"] ?? "",
  GIT_CONFIG_GLOBAL: join(home, "gitconfig"),
  GIT_CONFIG_NOSYSTEM: "1",
};
writeFileSync(join(home, "gitconfig"), `[core]\n\texcludesFile = ${join(home, "excludes")}\n`);
writeFileSync(join(home, "excludes"), "*.private.md\n");

function git(directory: string, ...words: readonly string[]): void {
  const { exitCode, stderr } = Bun.spawnSync(["git", ...words], { cwd: directory, env });
  if (exitCode !== 0) throw new Error(stderr.toString());
}

/** A repository with these files, not one of them added. */
function repository(files: Readonly<Record<string, string>>): string {
  const directory = emptyDirectory();
  git(directory, "init", "--quiet");
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), content);
  }
  return directory;
}

async function slugs(directory: string, words: readonly string[] = [".", "-r"], more: Record<string, string> = {}) {
  const ran = await line(["push", "--project-slug", "demo", "--dry-run", ...words], {
    directory,
    env: { ...env, ...more },
  });
  if (ran.code !== 0) return ran.error["hint"];
  return (JSON.parse(ran.stdout) as { requests: { body: { slug: string } }[] }).requests.map(({ body }) => body.slug);
}

const documents = {
  ".gitignore": "/build/\n",
  "a.md": "# A\n",
  "notes.md": "# Notes\n",
  "plan.private.md": "# Plan\n",
  "build/out.md": "# Out\n",
  "docs/b.md": "# B\n",
  "docs/draft.md": "# Draft\n",
  "docs/été.md": "# Été\n",
};

describe("a folder of a work tree", () => {
  test("leaves out what .gitignore, .git/info/exclude and core.excludesFile name", async () => {
    const directory = repository(documents);
    writeFileSync(join(directory, ".git/info/exclude"), "notes.md\n/docs/draft.md\n");
    expect(await slugs(directory)).toEqual(["a", "b", "ete"]);
    expect(await slugs(join(directory, "docs"))).toEqual(["b", "ete"]);
    expect(await slugs(directory, ["docs"])).toEqual(["b", "ete"]);
  });

  test("with nothing but ignored files says so, and a file that is named is published", async () => {
    const directory = repository(documents);
    writeFileSync(join(directory, ".git/info/exclude"), "*.md\n");
    expect(await slugs(directory)).toContain("git ignores");
    expect(await slugs(directory, ["a.md", "notes.md"])).toEqual(["a", "notes"]);
  });

  test("publishes a tracked file although a rule names it", async () => {
    const directory = repository(documents);
    git(directory, "add", "--force", "build/out.md");
    expect(await slugs(directory)).toEqual(["a", "out", "b", "draft", "ete", "notes"]);
  });

  test("asks a repository inside it for its own rules", async () => {
    const directory = repository(documents);
    mkdirSync(join(directory, "inner"));
    git(join(directory, "inner"), "init", "--quiet");
    writeFileSync(join(directory, "inner/.git/info/exclude"), "secret.md\n");
    writeFileSync(join(directory, "inner/secret.md"), "# Secret\n");
    writeFileSync(join(directory, "inner/open.md"), "# Open\n");
    expect(await slugs(directory)).toContain("open");
    expect(await slugs(directory)).not.toContain("secret");
  });

  test("is that of the folder, even where a hook's variables name another", async () => {
    const directory = repository(documents);
    const other = repository({ ".gitignore": "*\n" });
    expect(await slugs(directory, [".", "-r"], { GIT_DIR: join(other, ".git"), GIT_WORK_TREE: other })).toContain("a");
  });

  test("has no program of its configuration run, and none of its folder", async () => {
    const directory = repository(documents);
    const mark = join(directory, "ran");
    writeFileSync(join(directory, "git"), `#!/bin/sh\ntouch ${mark}\n`);
    chmodSync(join(directory, "git"), 0o755);
    git(directory, "config", "core.fsmonitor", join(directory, "git"));
    expect(await slugs(directory, [".", "-r"], { PATH: `.:${env.PATH}` })).toContain("a");
    expect(existsSync(mark)).toBe(false);
  });
});

const broken = emptyDirectory();
writeFileSync(join(broken, "git"), "");

describe("without git, or with one that cannot be run", () => {
  test.each([{ PATH: "" }, { PATH: "/nowhere" }, { PATH: broken }])(
    "every .gitignore is read as before (%j)",
    async (more) => {
      const directory = repository(documents);
      expect(await slugs(directory, [".", "-r"], more)).toEqual(["a", "b", "draft", "ete", "notes", "plan"]);
    },
  );
});
