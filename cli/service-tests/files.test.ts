// Documents with their files, and folders, pushed to and pulled from the real service.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import type { Artifact, Version } from "@plinth/contract/schemas/artifact";
import type { VersionFiles } from "@plinth/contract/schemas/file";

import {
  directory,
  plinth,
  result,
  startHung,
  startLine,
  startService,
  stopHung,
  stopService,
} from "../testing/service.ts";

let key = "";
let origin = "";

beforeAll(async () => {
  const started = await startService();
  ({ key, origin } = started);
}, startHung);
afterAll(stopService, stopHung);

/** Writes files in the folder that lines run in. */
function write(files: Readonly<Record<string, string | Uint8Array>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), content);
  }
}

/** Another image for each number. */
const image = (n: number): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${n + 1}" height="1"><rect width="1" height="1"/></svg>`;

interface Pushed {
  readonly action: string;
  readonly changed?: readonly string[];
  readonly artifact: Artifact;
  readonly files?: { readonly count: number; readonly uploaded: number };
  readonly notFound?: readonly { readonly url: string }[];
}

interface Folder {
  readonly results: readonly (Pushed & { readonly file: string })[];
  readonly links: { readonly count: number; readonly broken: readonly { file: string; line: number; url: string }[] };
  readonly gone?: readonly { readonly sourcePath: string }[];
  readonly pruned?: readonly { readonly sourcePath: string }[];
}

const actions = ({ results }: Folder) =>
  results.map(({ file, action, changed = [] }) => `${file}: ${[action, ...changed].join(" ")}`);

const filesOf = (artifactId: string, version: number) =>
  fetch(`${origin}/api/artifacts/${artifactId}/versions/${version}/files`, {
    headers: { authorization: `Bearer ${key}` },
  }).then((response) => response.json() as Promise<VersionFiles>);

describe("one document", () => {
  test("markdown with images: published, unchanged, updated by an image alone", async () => {
    write({ "one/report.md": "# Report\n\n![a](img/a.svg) ![gone](gone.png)\n[data](rows.csv)\n" });
    write({ "one/img/a.svg": image(1), "one/rows.csv": "a,b\n1,2\n" });
    const line = "push --project-slug one --create-project one/report.md";
    const made = await result<Pushed>(line);
    expect(made).toMatchObject({
      action: "created",
      files: { count: 2, uploaded: 2 },
      notFound: [{ url: "gone.png", line: 3 }],
    });
    const { artifactId } = made.artifact;
    const listed = await filesOf(artifactId, 1);
    expect(listed.files.map(({ path, mediaType }) => `${path} ${mediaType}`)).toEqual([
      "img/a.svg image/svg+xml",
      "rows.csv text/csv; charset=utf-8",
    ]);
    expect(await result<Pushed>(`${line} --ensure`)).toMatchObject({ action: "unchanged" });
    write({ "one/img/a.svg": image(2) });
    expect(await result<Pushed>(`${line} --ensure --check`)).toMatchObject({ action: "updated", dryRun: true });
    expect(await result<Pushed>(`${line} --ensure`)).toMatchObject({
      action: "updated",
      changed: ["files"],
      files: { count: 2, uploaded: 1 },
    });
    const { versions } = await result<{ versions: Version[] }>(`artifact versions --artifact-id ${artifactId}`);
    expect(versions.map(({ versionNumber, files }) => [versionNumber, files.count])).toEqual([
      [2, 2],
      [1, 2],
    ]);
  });

  test("html with styles, scripts and pages", async () => {
    write({
      "two/index.html": `<link rel=stylesheet href="css/a.css"><script type=module src="js/app.js"></script><a href="about.html">`,
      "two/css/a.css": "body { background: url(../bg.svg) }",
      "two/bg.svg": image(3),
      "two/js/app.js": 'import "./part.js"; fetch("the data.json")',
      "two/js/part.js": "export {}",
      "two/the data.json": "{}",
      "two/about.html": '<img src="bg.svg">',
    });
    const page = await result<Pushed>("push --project-slug one two/index.html");
    const listed = await filesOf(page.artifact.artifactId, 1);
    expect(listed.files.map(({ path }) => path)).toEqual([
      "about.html",
      "bg.svg",
      "css/a.css",
      "js/app.js",
      "js/part.js",
      "the data.json",
    ]);
  });
});

test("a folder with an index page is one document with all of its files, and the same again changes nothing", async () => {
  write({
    "three/coverage/index.html": '<script>fetch("data/" + 1 + ".json")</script>',
    // No other test uploads it.
    "three/coverage/data/1.json": '{"covered":71}',
    "three/coverage/data/2.inv": "x",
  });
  const made = await result<Pushed>("push --project-slug whole --create-project three/coverage");
  expect(made).toMatchObject({
    action: "created",
    files: { count: 1, uploaded: 1 },
    notTaken: { count: 1, files: [{ path: "data/2.inv", reason: "files of its type are not published" }] },
  });
  expect((await filesOf(made.artifact.artifactId, 1)).files.map(({ path }) => path)).toEqual(["data/1.json"]);
  expect(await result<Pushed>("push --project-slug whole three/coverage --ensure")).toMatchObject({
    action: "unchanged",
  });
});

describe("a folder", () => {
  const documents = 12;
  const source = (): Record<string, string> => {
    const files: Record<string, string> = { "docs/README.md": "# Handbook\n\n[First](part/d0.md)\n" };
    for (let n = 0; n < documents; n++) {
      const next = (n + 1) % documents;
      files[`docs/part/d${n}.md`] =
        `# Part ${n}\n\n[Next](d${next}.md#x) [Home](..) ![p](../img/p${n}.svg) ![s](../img/shared.svg)\n`;
      files[`docs/img/p${n}.svg`] = image(100 + n);
    }
    return { ...files, "docs/img/shared.svg": image(99) };
  };

  test("is published, and the second time nothing changes", async () => {
    write(source());
    const { code, stdout, stderr } = await plinth("push --project-slug folder --create-project -r docs");
    expect({ code, stderr: code === 0 ? "" : stderr }).toEqual({ code: 0, stderr: "" });
    const first = JSON.parse(stdout) as Folder;
    expect(first.results.map(({ action }) => action)).toEqual(Array.from({ length: documents + 1 }, () => "created"));
    expect(first.links).toEqual({ count: 2 * documents + 1, broken: [] });
    expect(stderr).toContain(`${documents + 1} files with them`);
    const again = await result<Folder>("push --project-slug folder -r docs");
    expect(new Set(again.results.map(({ action }) => action))).toEqual(new Set(["unchanged"]));
  });

  test("retitle, rename, deletion and a new file: updated, moved, told and with --prune in the trash", async () => {
    write({ "docs/part/d1.md": "# Another title\n" });
    renameSync(join(directory, "docs/part/d2.md"), join(directory, "docs/moved.md"));
    rmSync(join(directory, "docs/part/d3.md"));
    write({ "docs/new.md": "# New\n\n[gone](part/d3.md)\n" });
    const line = "push --project-slug folder -r docs";
    const refused = await plinth(`${line} --prune`);
    expect({ code: refused.code, error: refused.error?.["code"] }).toEqual({ code: 2, error: "confirmation_needed" });
    const strict = await plinth(`${line} --strict-links --prune --yes`);
    expect({ code: strict.code, errors: strict.error?.["errors"] }).toMatchObject({
      code: 2,
      errors: [
        // They were relative to its former folder.
        { path: "docs/moved.md", line: 3, message: "d3.md#x" },
        { path: "docs/moved.md", line: 3, message: ".." },
        { path: "docs/new.md", line: 3, message: "part/d3.md" },
      ],
    });
    const pushed = await result<Folder>(`${line} --prune --yes`);
    expect(actions(pushed).filter((action) => !action.endsWith("unchanged"))).toEqual([
      "docs/moved.md: updated files sourcePath",
      "docs/new.md: created",
      "docs/part/d1.md: updated content files title",
    ]);
    expect(pushed.pruned).toMatchObject([{ sourcePath: "part/d3.md" }]);
    expect(pushed.links.broken.map(({ file, url }) => `${file} ${url}`)).toContain("docs/new.md part/d3.md");
    const d1 = pushed.results.find(({ file }) => file === "docs/part/d1.md");
    expect(d1?.artifact).toMatchObject({ slug: "part-1", title: "Another title", sourcePath: "part/d1.md" });
    const after = await result<Folder>(line);
    expect(new Set(after.results.map(({ action }) => action))).toEqual(new Set(["unchanged"]));
    expect(after.gone).toBeUndefined();
  });

  test("is pulled as it was pushed, changes are kept, and --force overwrites them", async () => {
    await result<object>("pull ada/folder copy");
    await result<object>("pull ada/one single");
    expect(existsSync(join(directory, "single/index/the data.json"))).toBe(true);
    const listOf = (folder: string) =>
      readdirSync(join(directory, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(join(directory, folder).length + 1))
        .sort();
    const used = listOf("docs").filter((path) => !["img/p1.svg", "img/p2.svg", "img/p3.svg"].includes(path));
    expect(listOf("copy")).toEqual(used);
    for (const path of used)
      expect(readFileSync(join(directory, "copy", path), "utf8")).toBe(
        readFileSync(join(directory, "docs", path), "utf8"),
      );
    expect(await result<object>("pull ada/folder copy")).toMatchObject({ written: [], unchanged: used.length });

    // A later version replaces an unchanged file, and no changed one.
    write({ "docs/new.md": "# New\n\nSecond\n", "docs/img/shared.svg": image(98) });
    await result<object>("push --project-slug folder -r docs");
    write({ "copy/part/d4.md": "mine\n" });
    const { code, error } = await plinth("pull ada/folder copy");
    expect({ code, errors: error?.["errors"] }).toEqual({
      code: 2,
      errors: [{ path: "part/d4.md", message: "is not as it was published" }],
    });
    expect(readFileSync(join(directory, "copy/new.md"), "utf8")).not.toContain("Second");
    expect(await result<object>("pull ada/folder copy --force --check")).toMatchObject({ dryRun: true });
    expect(await result<object>("pull ada/folder copy --force")).toMatchObject({
      written: ["img/shared.svg", "new.md", "part/d4.md"],
    });
    cpSync(join(directory, "copy"), join(directory, "back"), { recursive: true });
    const pushed = await result<Folder>("push --project-slug folder -r back");
    expect(new Set(pushed.results.map(({ action }) => action))).toEqual(new Set(["unchanged"]));
  });

  test("diff: a file of it against the published version", async () => {
    const line = "diff docs/new.md --project-slug folder";
    expect(await result<object>(line)).toMatchObject({ isSame: true, diff: "" });
    write({ "docs/new.md": "# New\n\nThird ![p](img/p5.svg)\n" });
    const { code, stdout } = await plinth(`${line} --format text --exit-code`);
    expect({ code, stdout }).toEqual({
      code: 1,
      stdout:
        "--- docs/new.md (v2)\n+++ docs/new.md\n@@ -1,3 +1,3 @@\n # New\n \n-Second\n+Third ![p](img/p5.svg)\n" +
        "Files: added img/p5.svg\n",
    });
    expect((await plinth(line)).code).toBe(0);
    write({ "elsewhere.md": "# Elsewhere\n" });
    expect((await plinth("diff elsewhere.md --project-slug folder")).code).toBe(3);
  });
});

test("a push that is killed is run again: whole, and no document twice", async () => {
  const files: Record<string, string> = {};
  for (let n = 0; n < 30; n++) {
    files[`many/d${n}.md`] = `# Document ${n}\n\n![own](img/${n}.svg) ![shared](img/s${n % 3}.svg)\n`;
    files[`many/img/${n}.svg`] = image(200 + n);
  }
  for (let n = 0; n < 3; n++) files[`many/img/s${n}.svg`] = image(300 + n);
  write(files);
  const words = "push --project-slug killed --create-project -r many";
  for (const after of [/5\/30/, /17\/30/]) {
    const run = startLine(words);
    await run.said(after);
    run.kill();
    await run.ended;
  }
  await result<object>(words);
  const { artifacts } = await result<{ artifacts: Artifact[] }>("search --owner ada --project killed --limit 100");
  expect(artifacts.map(({ sourcePath }) => sourcePath ?? "").sort()).toEqual(
    Object.keys(files)
      .filter((path) => path.endsWith(".md"))
      .map((path) => path.slice("many/".length))
      .sort(),
  );
  const counts = await Promise.all(
    artifacts.map(async ({ artifactId, latestVersion }) => [
      latestVersion,
      (await filesOf(artifactId, latestVersion)).files.length,
    ]),
  );
  expect(new Set(counts.map(String))).toEqual(new Set(["1,2"]));
  expect(existsSync(join(directory, ".local/state/plinth/pushes"))).toBe(true);
});
