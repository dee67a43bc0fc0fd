import { describe, expect, test } from "bun:test";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { emptyDirectory, line } from "../testing/line.ts";
import { publishableIn } from "./folder.ts";

/** Files by path with their content; a link where it begins with `->`. */
function folder(files: Readonly<Record<string, string>>): string {
  const directory = emptyDirectory();
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    if (content.startsWith("->")) symlinkSync(content.slice(2), join(directory, path));
    else writeFileSync(join(directory, path), content);
  }
  return directory;
}

interface Body {
  readonly slug: string;
  readonly title: string;
  readonly type: string;
}

/** The bodies that would be sent. */
async function wouldSend(directory: string, ...words: readonly string[]): Promise<Body[]> {
  const { code, stdout, stderr } = await line(["push", "--project-slug", "demo", "--dry-run", ...words], { directory });
  expect({ code, stderr: code === 0 ? "" : stderr }).toEqual({ code: 0, stderr: "" });
  return (JSON.parse(stdout) as { requests: { body: Body }[] }).requests.map(({ body }) => body);
}

const slugs = async (directory: string, ...words: readonly string[]): Promise<string[]> =>
  (await wouldSend(directory, ...words)).map(({ slug }) => slug);

describe("a folder", () => {
  const docs = folder({
    "docs/b.md": "# B",
    "docs/a.html": "<h1>A</h1>",
    "docs/Z.JSX": "export default () => null",
    "docs/notes.txt": "no",
    "docs/.draft.md": "# hidden",
    "docs/.secret/c.md": "# hidden",
    "docs/node_modules/x/README.md": "# theirs",
    "docs/guide/index.md": "# Guide",
    "docs/guide/deep/last.markdown": "# Last",
    "docs/link.md": "->b.md",
    "docs/out": "->..",
    "other/d.tsx": "export default () => null",
  });

  test("is the files in it, sorted, and with -r those of its folders too; hidden files, links and packages stay out", async () => {
    expect(await slugs(docs, "docs")).toEqual(["z", "a", "b"]);
    const all = ["z", "a", "b", "last", "guide"];
    expect(await slugs(docs, "docs", "-r")).toEqual(all);
    expect(await slugs(docs, "--file", "docs", "--recursive", "other")).toEqual([...all, "d"]);
    expect((await wouldSend(docs, "docs")).map(({ type }) => type)).toEqual(["jsx", "html", "md"]);
  });

  test("a document whose name another system reads as something else is named before anything is sent", async () => {
    const directory = folder({ "docs/ok.md": "# Ok", "docs/a\u202Ec.md": "# A", "docs/aux.md": "# B" });
    const { code, stderr } = await line(["push", "docs", "-r", "--project-slug", "demo"], { directory });
    expect(code).not.toBe(0);
    const problem = (JSON.parse(stderr) as { error: { errors: { message: string }[] } }).error;
    expect(problem.errors.map(({ message }) => message)).toEqual([
      "The path of a document must not contain a name that Windows reserves, as `aux.md` is",
      "The path of a document must not contain an invisible format character, as `a\\u{202E}c.md` does",
    ]);
  });

  test("with one file is a list as well", async () => {
    expect(await slugs(docs, "other")).toEqual(["d"]);
  });

  test.each([
    { what: "without files", words: ["docs/.secret/none"], detail: "docs/.secret/none does not exist" },
    { what: "of the same file twice", words: ["docs", "./docs/b.md"], detail: "./docs/b.md is given twice" },
    { what: "with --type", words: ["docs", "--type", "md"], detail: "--type is not for a folder" },
    { what: "with --title", words: ["docs", "--title", "x"], detail: "--title and --slug are for one file" },
  ])("$what is refused", async ({ words, detail }) => {
    const { code, error, requests } = await line(["push", "--project-slug", "demo", ...words], { directory: docs });
    expect({ code, detail: error["detail"], sent: requests.length }).toEqual({ code: 2, detail, sent: 0 });
  });

  test("that holds nothing to publish says why", async () => {
    const directory = folder({
      ".git/HEAD": "",
      ".gitignore": "*.md\n",
      "ignored/a.md": "",
      "none/x.txt": "",
      "deep/in/a.md": "",
    });
    const hintOf = async (name: string) => {
      const { code, error } = await line(["push", "--project-slug", "demo", name], { directory });
      expect(code).toBe(2);
      return error["hint"];
    };
    expect(await hintOf("ignored")).toContain("git ignores 1");
    expect(await hintOf("none")).toContain(".markdown");
    expect(await hintOf("deep")).toContain("-r");
  });
});

test("a folder of more than 10,000 files is refused", async () => {
  const directory = folder(Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`docs/${n}.md`, ""])));
  const found = () => publishableIn(join(directory, "docs"), "docs", true, {});
  expect(await found()).toHaveLength(10_000);
  writeFileSync(join(directory, "docs/more.md"), "");
  expect(await found().catch((error: Error) => error.message)).toBe("docs holds more than 10000 files to publish");
}, 60_000);

describe("what git ignores is left out", () => {
  test("by the rules of every folder from the repository down, the nearest going first", async () => {
    const directory = folder({
      ".git/HEAD": "",
      ".gitignore": "*.draft.md\n/docs/build/\nlocal.md\n",
      "docs/.gitignore": "!local.md\n# a comment\n/top.md\n",
      "docs/a.md": "# A",
      "docs/b.draft.md": "# no",
      "docs/local.md": "# Local",
      "docs/top.md": "# no",
      "docs/build/x.md": "# Built",
      "docs/sub/.gitignore": "*\n!keep.md\n",
      "docs/sub/keep.md": "# Keep",
      "docs/sub/lost.md": "# no",
      "docs/sub2/top.md": "# Top",
      "docs/sub2/build/x.md": "# X",
    });
    expect(await slugs(directory, "docs", "-r")).toEqual(["a", "local", "keep", "x", "top"]);
    // From inside, and for a folder that is ignored as a whole.
    expect(await slugs(join(directory, "docs"), ".", "-r")).toEqual(["a", "local", "keep", "x", "top"]);
    expect((await line(["push", "--project-slug", "demo", "docs/build"], { directory })).code).toBe(2);
    // A file named by itself is the person's word against the rule's.
    expect(await slugs(directory, "docs/build/x.md", "docs/a.md")).toEqual(["built", "a"]);
  });

  test("but not by rules from outside the repository", async () => {
    const directory = folder({ ".gitignore": "*.md\n", "repo/.git/HEAD": "", "repo/a.md": "# A" });
    expect(await slugs(directory, "repo")).toEqual(["a"]);
  });

  test("rules that could block the client without end are refused", async () => {
    const deep = `${"a/".repeat(25)}d.md`;
    const ran = async (rule: string) => {
      const directory = folder({ ".gitignore": `${rule}\n`, [deep]: "# A" });
      return line(["push", "--project-slug", "demo", ".", "-r", "--dry-run"], { directory });
    };
    const { code, error } = await ran(`${"a/**/".repeat(9)}c.md`);
    expect({ code, detail: error["detail"] }).toEqual({ code: 2, detail: expect.stringContaining("more than 4 **") });
    const began = performance.now();
    expect((await ran(`${"a/**/".repeat(4)}c.md`)).code).toBe(0);
    expect((await ran(`${"*a?".repeat(100)}[cd]`)).code).toBe(0);
    expect(performance.now() - began).toBeLessThan(20_000);
  });

  test("folders as deep as no person makes them are refused", async () => {
    const deep = (levels: number) => folder({ [`${"a/".repeat(levels - 1)}d.md`]: "# A" });
    expect(await slugs(deep(32), ".", "-r")).toEqual(["a"]);
    const { code, error } = await line(["push", "--project-slug", "demo", ".", "-r"], { directory: deep(33) });
    expect({ code, detail: error["detail"] }).toEqual({ code: 2, detail: ". has folders deeper than 32" });
  });
});

describe("slugs in a folder", () => {
  const directory = folder({
    "docs/index.md": "# Introduction",
    "docs/api/index.md": "# Introduction",
    "docs/報告/四半期.md": "# Q",
  });

  test("follow from each title, and from the path for all that share one", async () => {
    expect(await slugs(directory, "docs", "-r")).toEqual(["api-index", "index", "q"]);
  });

  test("without -r, and where paths are spelled alike too, two of one slug are refused before anything is sent", async () => {
    const flat = folder({ "docs/a-b.md": "# Same", "docs/a b.md": "# Same" });
    for (const words of [[], ["-r"]]) {
      const ran = await line(["push", "--project-slug", "demo", "docs", ...words], { directory: flat });
      expect({ code: ran.code, sent: ran.requests.length }).toEqual({ code: 2, sent: 0 });
      expect(ran.error["detail"]).toBe(
        `docs/a b.md and docs/a-b.md would have the same slug ${words.length > 0 ? "a-b" : "same"}`,
      );
    }
  });

  test("come from the path with --slug-from path, wherever the folder is", async () => {
    const expected = ["api-index", "index", "bao-gao-si-ban-qi"];
    expect(await slugs(directory, "docs", "-r", "--slug-from", "path")).toEqual(expected);
    expect(await slugs(join(directory, "docs"), ".", "-r", "--slug-from", "path")).toEqual(expected);
  });
});

describe("titles that are not Latin", () => {
  const directory = folder({
    "docs/a.md": "# 第一章\n",
    "docs/b.md": "# 第二章\n",
    "docs/c.md": "# Отчёт Q3\n",
    "docs/d.md": "# Итоги Q3\n",
    "docs/e.md": "# تقرير\n",
    "docs/f.md": "# 🎉\n",
    "docs/g.md": "---\ntitle: —\n---\nfirst\n",
    "docs/h.md": "---\ntitle: —\n---\nsecond\n",
  });

  test("each document of a folder gets its own slug, and the same one again", async () => {
    const first = await slugs(directory, "docs", "-r");
    expect(first.slice(0, 6)).toEqual(["di-yi-zhang", "di-er-zhang", "otchet-q3", "itogi-q3", "tqryr", "tada"]);
    expect(first.slice(6)).toEqual([
      expect.stringMatching(/^untitled-[0-9a-f]{6}$/),
      expect.stringMatching(/^untitled-[0-9a-f]{6}$/),
    ]);
    expect(new Set(first).size).toBe(8);
    expect(await slugs(directory, "docs", "-r")).toEqual(first);
  });

  test("the name of the file changes nothing: it is no title", async () => {
    const same = folder({ "x/report.md": "# Отчёт Q3\n", "y/notes.md": "# Отчёт Q3\n" });
    expect([await slugs(same, "x"), await slugs(same, "y")]).toEqual([["otchet-q3"], ["otchet-q3"]]);
  });
});

describe("links that lead out of a repository", () => {
  const outside = emptyDirectory();
  const checkout = emptyDirectory();
  mkdirSync(join(checkout, ".git"));
  mkdirSync(join(outside, "notes"));
  writeFileSync(join(outside, "notes/diary.md"), "# Diary\n");
  writeFileSync(join(checkout, "real.md"), "# Real\n");
  symlinkSync(join(outside, "notes"), join(checkout, "docs"));
  symlinkSync(join(outside, "notes/diary.md"), join(checkout, "readme.md"));
  symlinkSync(join(checkout, "real.md"), join(checkout, "again.md"));

  test.each(["docs", "docs/diary.md", "readme.md"])("%s is not published", async (word) => {
    const { code, error, requests } = await line(["push", "--project-slug", "demo", word], { directory: checkout });
    expect({ code, detail: error["detail"], requests }).toEqual({
      code: 2,
      detail: `${word} is a link that leads out of the repository; nothing was sent`,
      requests: [],
    });
  });

  test("one that stays within is", async () => {
    const ran = await line(["push", "--project-slug", "demo", "again.md", "--dry-run"], { directory: checkout });
    expect(ran.code).toBe(0);
  });

  test("rules that are a link to something endless are refused, and so is a device", async () => {
    const strange = emptyDirectory();
    writeFileSync(join(strange, "a.md"), "# A\n");
    symlinkSync("/dev/zero", join(strange, ".gitignore"));
    symlinkSync("/dev/zero", join(strange, "b.md"));
    for (const word of [".", "b.md"])
      expect((await line(["push", "--project-slug", "demo", word], { directory: strange })).code).toBe(2);
  });
});
