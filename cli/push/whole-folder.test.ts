// A folder as one document: what goes along, what stays behind and why, and how both are said.
import { describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { createInstance, type Stored } from "../testing/instance.ts";
import { emptyDirectory, line, type LineContext } from "../testing/line.ts";

interface Value {
  readonly action?: string;
  readonly files?: { readonly count: number };
  readonly notTaken?: { readonly count: number; readonly files: readonly { path: string; reason: string }[] };
  readonly notFound?: readonly object[];
  readonly results?: readonly (Value & { readonly file: string })[];
  readonly requests?: readonly object[];
}

const git = { PATH: process.env["PATH"] ?? "", GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };

function place(files: Readonly<Record<string, string>>) {
  const directory = emptyDirectory();
  const home = emptyDirectory();
  const instance = createInstance();
  const write = (more: Readonly<Record<string, string>>) => {
    for (const [path, content] of Object.entries(more)) {
      mkdirSync(dirname(join(directory, path)), { recursive: true });
      writeFileSync(join(directory, path), content);
    }
  };
  write(files);
  return {
    directory,
    write,
    repository: () => {
      const { exitCode } = Bun.spawnSync(["git", "init", "--quiet"], { cwd: directory, env: git });
      if (exitCode !== 0) throw new Error("git init failed");
    },
    async push(words: readonly string[], context: LineContext = {}) {
      const ran = await line(["push", "--project-slug", "demo", ...words], {
        directory,
        env: { ...git, HOME: home },
        answer: instance.answer,
        ...context,
      });
      const [first = "", ...others] = ran.stdout.trimEnd().split("\n");
      const value = JSON.parse(first === "" || others.length > 0 ? "{}" : first) as Value;
      return { ...ran, value, lines: ran.stderr.trimEnd().split("\n") };
    },
    stored: (slug: string) => [...instance.artifacts.values()].find((one) => one.slug === slug) as Stored,
  };
}

const pathsOf = (stored: Stored): string[] => stored.versions.at(-1)?.files.map(({ path }) => path) ?? [];

/** As Playwright's: no text names the files of `data`. */
const report = {
  "report/index.html": '<script>fetch("data/" + id + ".md")</script>',
  "report/data/1.md": "# Error",
  "report/data/2.png": "p",
  "report/trace/index.html": "<p>Trace",
  "report/trace/codicon.ttf": "t",
};

describe("a folder with an index page", () => {
  test("is one document with all of its files, called by its name, and said before anything is sent", async () => {
    const folder = place(report);
    const { code, value, lines } = await folder.push(["report"]);
    expect({ code, lines }).toEqual({
      code: 0,
      lines: [
        "report/index.html is one document with all files of its folder: 4 files (17 B)",
        "created: v1, public",
        "4 files with it (17 B, 4 uploaded)",
      ],
    });
    expect(value).toMatchObject({ action: "created", files: { count: 4 } });
    const { title, type } = folder.stored("report");
    expect({ title, type }).toEqual({ title: "report", type: "html" });
    expect(pathsOf(folder.stored("report"))).toEqual([
      "data/1.md",
      "data/2.png",
      "trace/codicon.ttf",
      "trace/index.html",
    ]);
    folder.write({ "report/data/1.md": "# Another error" });
    expect((await folder.push(["report", "--ensure"])).value).toMatchObject({ action: "updated", changed: ["files"] });
  });

  test("what stays behind is counted and named", async () => {
    const folder = place({
      "report/index.html": "<p>",
      "report/objects.inv": "x",
      "report/.buildinfo": "x",
      "report/.git/config": "x",
      "report/node_modules/a/index.js": "x",
      "report/large.zip": "",
      "secret.txt": "x",
    });
    truncateSync(join(folder.directory, "report/large.zip"), 20_000_001);
    symlinkSync(join(folder.directory, "report"), join(folder.directory, "report/up"));
    const outside = join(emptyDirectory(), "outside.txt");
    writeFileSync(outside, "x");
    symlinkSync(outside, join(folder.directory, "report/out.txt"));
    const { value, lines } = await folder.push(["report"]);
    expect(value.notTaken).toEqual({
      count: 6,
      files: [
        { path: "large.zip", reason: "it is larger than 20 MB" },
        { path: "objects.inv", reason: "files of its type are not published" },
        { path: "out.txt", reason: "it is a link that leads out of the folder" },
        { path: "up", reason: "it is a link to a folder" },
        { path: ".buildinfo", reason: "it is hidden" },
        { path: "node_modules/", reason: "it is in node_modules" },
      ],
    });
    expect(lines.slice(0, 4)).toEqual([
      "report/index.html is one document with all files of its folder: 0 files (0 B)",
      "6 files or folders not taken:",
      "  large.zip: it is larger than 20 MB",
      "  objects.inv: files of its type are not published",
    ]);
    expect(value.files).toBeUndefined();
  });

  test("is taken apart with -r, and by its files' names", async () => {
    const folder = place({ "site/index.html": "<p>", "site/about.html": "<p>", "site/a.png": "a" });
    const { value, lines } = await folder.push(["site", "-r"]);
    expect(value.results?.map(({ file }) => file)).toEqual(["site/about.html", "site/index.html"]);
    expect(value.results?.map(({ notTaken }) => notTaken?.files.map(({ path }) => path))).toEqual([
      undefined,
      ["a.png"],
    ]);
    expect(lines).toContain(
      "1 file was not taken, as nothing in site/index.html names it: a.png (without -r the folder takes it)",
    );
  });

  test("files that git ignores stay behind; where it ignores the folder that was named, they go along", async () => {
    const folder = place({
      ".gitignore": "*.log\n/ignored/\n/docs/drafts/\n",
      "docs/index.html": "<p>",
      "docs/a.log": "x",
      "docs/b.txt": "x",
      "docs/drafts/c.txt": "x",
      "ignored/index.html": "<p>",
      "ignored/a.log": "x",
      "ignored/.hidden": "x",
    });
    folder.repository();
    const first = await folder.push(["docs"]);
    expect(pathsOf(folder.stored("docs"))).toEqual(["b.txt"]);
    expect(first.value.notTaken?.files).toEqual([
      { path: "a.log", reason: "git ignores it" },
      { path: "drafts/", reason: "git ignores it" },
    ]);
    const second = await folder.push(["ignored"]);
    expect(pathsOf(folder.stored("ignored"))).toEqual(["a.log"]);
    expect(second.value.notTaken?.files).toEqual([{ path: ".hidden", reason: "it is hidden" }]);
  });

  test("a hidden folder that is named is not hidden, nor are the files that its pages refer to", async () => {
    const folder = place({ ".out/index.html": '<img src="img/a.png">', ".out/img/a.png": "a", ".out/b.json": "{}" });
    folder.repository();
    await folder.push([".out", "--slug", "all"]);
    expect(pathsOf(folder.stored("all"))).toEqual(["b.json", "img/a.png"]);
    await folder.push([".out/index.html", "--slug", "referred"]);
    expect(pathsOf(folder.stored("referred"))).toEqual(["img/a.png"]);
  });

  test("a likely secret in any of its files refuses the push", async () => {
    const folder = place({ ...report, "report/env.json": `{"key": "AKIA${"HGFDSAPOIUYTREWQ".slice(0, 16)}"}` });
    const { code, error } = await folder.push(["report"]);
    expect({ code, message: error["detail"] }).toEqual({
      code: 2,
      message: expect.stringContaining("env.json"),
    });
    expect((await folder.push(["report", "--allow-secrets"])).code).toBe(0);
  });

  test("several are several documents, and a dry run says the same and sends nothing", async () => {
    const folder = place({ ...report, "other/index.html": "<p>", "other/x.csv": "1" });
    const dry = await folder.push(["report", "other", "--dry-run"]);
    expect({ requests: dry.value.requests?.length, sent: dry.requests.length }).toEqual({ requests: 2, sent: 0 });
    expect(dry.lines.filter((text) => text.includes("one document")).length).toBe(2);
    const { value } = await folder.push(["report", "other"]);
    expect(value.results?.map(({ file, files }) => [file, files?.count])).toEqual([
      ["report/index.html", 4],
      ["other/index.html", 1],
    ]);
  });

  test("--watch publishes the next version when any of its files is saved, or a new one comes", async () => {
    const folder = place(report);
    const end = Promise.withResolvers<void>();
    let said = "";
    const ran = folder.push(["report", "--watch"], {
      interrupt: end.promise,
      onStderr: (text) => (said += text),
      wait: (seconds) => Bun.sleep(Math.min(seconds * 1000, 100)),
    });
    const until = async (holds: () => boolean) => {
      while (!holds()) {
        const isOver = await Promise.race([ran.then(() => true), Bun.sleep(10).then(() => false)]);
        if (isOver && !holds()) throw new Error(`It ended: ${said}`);
      }
    };
    await until(() => said.includes("Watching"));
    folder.write({ "report/trace/codicon.ttf": "changed" });
    await until(() => folder.stored("report").versions.length === 2);
    folder.write({ "report/data/3.json": "{}" });
    await until(() => folder.stored("report").versions.length === 3);
    end.resolve();
    expect((await ran).code).toBe(130);
    expect(pathsOf(folder.stored("report"))).toEqual([
      "data/1.md",
      "data/2.png",
      "data/3.json",
      "trace/codicon.ttf",
      "trace/index.html",
    ]);
  });

  test("a folder that cannot be read stays behind", async () => {
    if (process.getuid?.() === 0) return;
    const folder = place({ ...report, "report/locked/a.png": "a" });
    chmodSync(join(folder.directory, "report/locked"), 0);
    const { value } = await folder.push(["report"]);
    chmodSync(join(folder.directory, "report/locked"), 0o755);
    expect(value.notTaken?.files).toEqual([{ path: "locked/", reason: "it cannot be read" }]);
  });
});

describe("a document that is named", () => {
  test("goes with all files of its folder where the line says so, under its own name", async () => {
    const folder = place({ ...report, "report/summary.html": "<p>" });
    await folder.push(["report/summary.html", "--all-files"]);
    expect(pathsOf(folder.stored("summary"))).toEqual([
      "data/1.md",
      "data/2.png",
      "index.html",
      "trace/codicon.ttf",
      "trace/index.html",
    ]);
  });

  test("files beside an index page that nothing names are counted, and the way to take them is said", async () => {
    const folder = place({ ...report, "report/x.inv": "x" });
    const { value, lines } = await folder.push(["report/index.html"]);
    expect(value.notTaken).toEqual({
      count: 4,
      files: ["data/1.md", "data/2.png", "trace/codicon.ttf", "trace/index.html"].map((path) => ({
        path,
        reason: "nothing in the document names it",
      })),
    });
    expect(lines.at(-1)).toBe(
      "4 files were not taken, as nothing in report/index.html names them: data/1.md, data/2.png, trace/codicon.ttf, " +
        "trace/index.html (--all-files takes them)",
    );
    const other = await folder.push(["report/trace/index.html", "--slug", "trace"], { directory: folder.directory });
    expect(other.value.notTaken?.count).toBe(1);
    folder.repository();
    folder.write({ "index.html": "<p>" });
    const atRoot = await folder.push(["index.html", "--slug", "root"]);
    expect([atRoot.value.action, atRoot.value.notTaken]).toEqual(["created", undefined]);
  });
});

test.each([
  [["plain", "--all-files"], "plain has no index.html"],
  [["report", "-r", "--all-files"], "--all-files and -r exclude each other"],
  [["-", "--all-files", "--type", "html"], "--all-files needs a file or a folder, not standard input"],
  [["report", "--type", "md"], "--type is not for a folder"],
])("%j is refused: %s", async (words, message) => {
  const folder = place({ ...report, "plain/a.md": "# A" });
  const { code, error } = await folder.push(words);
  expect({ code, message: error["detail"] }).toEqual({ code: 2, message });
});
