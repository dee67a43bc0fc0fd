// Pulling a project into a folder: what is written, what is kept, and paths that lead elsewhere.
import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import type { Artifact } from "@plinth/contract/schemas/artifact";

import { digestOf } from "../files/digest.ts";
import { artifactAt } from "../testing/artifact.ts";
import { createInstance, type Instance, type Stored } from "../testing/instance.ts";
import { emptyDirectory, line, type LineContext } from "../testing/line.ts";
import { layOut, type Published, unsafeReason } from "./layout.ts";

type Files = Readonly<Record<string, string>>;

/** An instance with these documents by source path (or slug, where it has no extension), each with files. */
function instanceWith(documents: Readonly<Record<string, { text: string; files?: Files; base?: string }>>): Instance {
  const instance = createInstance();
  for (const [name, { text, files = {}, base = "" }] of Object.entries(documents)) {
    const artifactId = `art_${instance.artifacts.size + 1}`;
    const sourcePath = name.includes(".") || name.includes("/") ? name : null;
    const listed = Object.entries(files).map(([path, content]) => {
      const { sha256 } = digestOf(content);
      instance.files.set(sha256, Buffer.from(content));
      return { path, sha256 };
    });
    const slug = sourcePath === null ? name : `s${instance.artifacts.size}`;
    const stored: Stored = {
      ...artifactAt(slug, { artifactId, sourcePath }),
      versions: [{ content: text, files: listed, base }],
    };
    instance.artifacts.set(artifactId, stored);
  }
  return instance;
}

/** What a client remembers is of one instance. */
const homes = new WeakMap<Instance, string>();
function environment(instance: Instance) {
  const home = homes.get(instance) ?? emptyDirectory();
  homes.set(instance, home);
  return { HOME: home };
}

const pull = (instance: Instance, directory: string, words: readonly string[] = [], context: LineContext = {}) =>
  line(["pull", "ada/demo", ...words], {
    directory,
    env: environment(instance),
    answer: instance.answer,
    ...context,
  });

const listOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();

describe("a project", () => {
  test("is written to a folder of its name: source paths, slugs, and files at their places", async () => {
    const instance = instanceWith({
      "README.md": { text: "# R\r\n", files: { "img/a.png": "a" } },
      "guide/x.md": { text: "# X", files: { "img/a.png": "a", "guide/b.png": "b" }, base: "guide/" },
      note: { text: "# Note" },
      page: { text: "# P", files: { "img/a.png": "other" } },
    });
    const directory = emptyDirectory();
    const { code, stdout, stderr } = await pull(instance, directory);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "7 written, 0 unchanged in demo\n" });
    const paths = ["README.md", "guide/b.png", "guide/x.md", "img/a.png", "note.md", "page/img/a.png", "page/page.md"];
    expect(JSON.parse(stdout)).toEqual({
      directory: join(directory, "demo"),
      written: paths,
      unchanged: 0,
      leftOut: [],
    });
    expect(listOf(join(directory, "demo"))).toEqual(paths);
    expect(readFileSync(join(directory, "demo/README.md"), "utf8")).toBe("# R\r\n");
    const before = instance.log.length;
    const again = await pull(instance, directory, ["demo", "--format", "text"]);
    // Of versions that were seen only the lists of files are read.
    expect(instance.log.slice(before).map((entry) => entry.replace(/art_\d/, "…"))).toEqual([
      "GET /api/artifacts",
      ...Array.from({ length: 3 }, () => "GET /api/artifacts/…/versions/1/files"),
    ]);
    expect({ stdout: again.stdout, stderr: again.stderr }).toEqual({
      stdout: "",
      stderr: "0 written, 7 unchanged in demo\n",
    });
  });

  test("goes to the working directory where .plinth.json names it, and to any folder that is named", async () => {
    const instance = instanceWith({ "a.md": { text: "# A" } });
    const directory = emptyDirectory();
    writeFileSync(join(directory, ".plinth.json"), '{"owner":"ada","projectSlug":"demo"}');
    const context = { directory, env: environment(instance), answer: instance.answer };
    expect((await line(["pull"], context)).code).toBe(0);
    expect((await line(["pull", "deep/er"], { ...context, directory })).code).toBe(0);
    expect(existsSync(join(directory, "a.md"))).toBe(true);
    expect((await line(["pull", "./deep/er"], context)).code).toBe(0);
    expect(existsSync(join(directory, "deep/er/a.md"))).toBe(true);
    expect((await line(["pull", "--project-slug", "demo", "x", "y"], context)).code).toBe(2);
    expect((await line(["pull"], { answer: instance.answer })).code).toBe(2);
  });

  test("--check writes nothing, --dry-run sends nothing", async () => {
    const instance = instanceWith({ "a.md": { text: "# A" } });
    const directory = emptyDirectory();
    const checked = await pull(instance, directory, ["--check"]);
    expect(JSON.parse(checked.stdout)).toMatchObject({ written: ["a.md"], dryRun: true });
    const { requests, code } = await pull(instance, directory, ["--dry-run"]);
    expect({ code, sent: requests.length, there: readdirSync(directory) }).toEqual({ code: 0, sent: 0, there: [] });
  });

  test("bytes that are not those of the list are not written", async () => {
    const instance = instanceWith({ "a.md": { text: "# A" } });
    const directory = emptyDirectory();
    const answer = (request: Request) =>
      request.url.includes("/content") ? new Response("# Other") : instance.answer(request);
    expect((await pull(instance, directory, [], { answer })).code).toBe(1);
    expect(listOf(join(directory, "demo"))).toEqual([]);
  });
});

describe("local changes", () => {
  test("stop it before anything is written; an earlier version is no change; --force overwrites", async () => {
    const instance = instanceWith({
      "a.md": { text: "one", files: { "p.png": "first" } },
      "b.md": { text: "b" },
      "c.md": { text: "c" },
    });
    const directory = emptyDirectory();
    await pull(instance, directory);
    const [a] = [...instance.artifacts.values()];
    const second = digestOf("second");
    instance.files.set(second.sha256, Buffer.from("second"));
    a?.versions.push({ content: "two", files: [{ path: "p.png", sha256: second.sha256 }], base: "" });
    Object.assign(a ?? {}, { latestVersion: 2 });
    writeFileSync(join(directory, "demo/b.md"), "mine");
    const refused = await pull(instance, directory);
    expect({ code: refused.code, errors: refused.error["errors"] }).toEqual({
      code: 2,
      errors: [{ path: "b.md", message: "is not as it was published" }],
    });
    expect(readFileSync(join(directory, "demo/a.md"), "utf8")).toBe("one");
    writeFileSync(join(directory, "demo/b.md"), "b");
    expect(JSON.parse((await pull(instance, directory)).stdout)).toMatchObject({ written: ["a.md", "p.png"] });
    writeFileSync(join(directory, "demo/c.md"), "mine");
    expect(JSON.parse((await pull(instance, directory, ["--force"])).stdout)).toMatchObject({ written: ["c.md"] });
    expect(readFileSync(join(directory, "demo/c.md"), "utf8")).toBe("c");
  });
});

describe("paths that lead elsewhere", () => {
  test.each([
    ["../up.md", "its path must not contain an empty part, `.` or `..`"],
    ["a/../../up.md", "its path must not contain an empty part, `.` or `..`"],
    ["/etc/x.md", "its path must be relative"],
    ["a\\..\\b.md", "its path must not contain a backslash or a control character"],
    ["a\u0000.md", "its path must not contain a backslash or a control character"],
    [".git/hooks/x.md", "it would be hidden"],
    ["a/.bashrc.md", "it would be hidden"],
    ["Node_Modules/x/index.js", "it would be in node_modules"],
  ])("%j is not written anywhere", async (path, reason) => {
    const instance = instanceWith({ "ok.md": { text: "ok", files: { [path]: "x" } }, [path]: { text: "evil" } });
    const directory = emptyDirectory();
    const { code, stdout, error } = await pull(instance, directory);
    expect({ code, error: error["code"] }).toEqual({ code: 1, error: "partial_failure" });
    expect(new Set((JSON.parse(stdout) as { leftOut: { reason: string }[] }).leftOut.map((one) => one.reason))).toEqual(
      new Set([reason]),
    );
    expect(listOf(directory)).toEqual(["demo/ok.md"]);
  });

  test("names of Windows' devices, streams and endings are none there, and files here", () => {
    for (const name of ["con.md", "a/NUL.txt", "com1.md", "lpt¹.x", "a:b.md", "x./y.md", "x /y.md", "a?.md"]) {
      expect(unsafeReason(name, "win32")).not.toBeNull();
      expect(unsafeReason(name, "linux")).toBeNull();
    }
    expect(unsafeReason("console.md", "win32")).toBeNull();
  });

  test("links in the folder are not followed, and other things are not replaced", async () => {
    const outside = emptyDirectory();
    writeFileSync(join(outside, "target.md"), "theirs");
    const directory = emptyDirectory();
    const demo = join(directory, "demo");
    mkdirSync(join(demo, "folder.md"), { recursive: true });
    symlinkSync(outside, join(demo, "out"));
    symlinkSync(join(outside, "target.md"), join(demo, "link.md"));
    symlinkSync(join(outside, "new.md"), join(demo, "dangling.md"));
    writeFileSync(join(demo, "file"), "");
    const instance = instanceWith(
      Object.fromEntries(
        ["out/x.md", "link.md", "dangling.md", "folder.md", "file/y.md", "ok.md"].map((path) => [
          path,
          { text: "new" },
        ]),
      ),
    );
    const { code, stdout } = await pull(instance, directory, ["--force"]);
    expect(code).toBe(1);
    expect((JSON.parse(stdout) as { leftOut: object[] }).leftOut).toEqual([
      { path: "file/y.md", reason: "file is a file" },
      { path: "folder.md", reason: "something else than a file is there" },
      { path: "dangling.md", reason: "dangling.md is a link" },
      { path: "link.md", reason: "link.md is a link" },
      { path: "out/x.md", reason: "out is a link" },
    ]);
    expect(readdirSync(outside)).toEqual(["target.md"]);
    expect(readFileSync(join(outside, "target.md"), "utf8")).toBe("theirs");
    expect(readFileSync(join(demo, "ok.md"), "utf8")).toBe("new");
  });

  test("the folder itself may be a link that the person has made", async () => {
    const directory = emptyDirectory();
    const real = emptyDirectory();
    symlinkSync(real, join(directory, "demo"));
    expect((await pull(instanceWith({ "a.md": { text: "a" } }), directory)).code).toBe(0);
    expect(listOf(real)).toEqual(["a.md"]);
  });
});

describe("the layout", () => {
  const published = (
    sourcePath: string | null,
    slug: string,
    files: readonly string[] = [],
    base = "",
    hash = "0",
  ): Published => ({
    artifact: { artifactId: `art_${slug}`, slug, type: "md", sourcePath } as Artifact,
    versionNumber: 1,
    sha256: `document ${slug}`,
    files: {
      base,
      files: files.map((path) => ({ path, sha256: hash, sizeBytes: 1, mediaType: "image/png" })),
    },
  });
  const pathsOf = (all: readonly Published[], platform: NodeJS.Platform = "linux") => {
    const { entries, refused } = layOut(all, platform);
    return { paths: entries.map(({ path }) => path), refused: refused.map(({ path, reason }) => `${path}: ${reason}`) };
  };

  test("files that began above the folder: those in it are written", () => {
    expect(pathsOf([published("guide/x.md", "x", ["docs/guide/a.png", "assets/l.png"], "docs/guide/")])).toEqual({
      paths: ["guide/x.md", "guide/a.png"],
      refused: ["../assets/l.png: its path must not contain an empty part, `.` or `..`"],
    });
    expect(pathsOf([published("docs/guide/x.md", "x", ["a.png", "deep/b.png"], "")])).toEqual({
      paths: ["docs/guide/x.md", "docs/guide/a.png", "docs/guide/deep/b.png"],
      refused: [],
    });
  });

  test("two files of one place: the same is written once, another one is left out", () => {
    const one = published("a.md", "a", ["p.png"], "", "1");
    expect(pathsOf([one, published("b.md", "b", ["p.png"], "", "1")]).paths).toEqual(["a.md", "p.png", "b.md"]);
    expect(pathsOf([one, published("b.md", "b", ["p.png"], "", "2")]).refused).toEqual([
      "p.png: p.png of a has the same place",
    ]);
    expect(pathsOf([published("a", "a"), published("a/b.md", "b")]).refused).toEqual(["a/b.md: a is a file"]);
    expect(pathsOf([published("a/b.md", "b"), published("a", "a")]).refused).toEqual([
      "a: a/b.md has a folder of this name",
    ]);
  });

  test("names that differ in case alone are one file where the system says so", () => {
    const both = [published("README.md", "a"), published("readme.md", "b")];
    expect(pathsOf(both).paths).toEqual(["README.md", "readme.md"]);
    expect(pathsOf(both, "darwin").refused).toEqual(["readme.md: README.md of a has the same place"]);
  });
});
