// A local file against what is published: which artifact it is, and how they differ.
import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import type { Artifact } from "@plinth/contract/schemas/artifact";

import { createInstance } from "../testing/instance.ts";
import { wholeArtifact } from "@plinth/contract/test/artifact";
import { emptyDirectory, json, line } from "../testing/line.ts";
import { artifactOfFile } from "./run.ts";
import { filesDiff, filesText, textDiff } from "./local-diff.ts";

const names = { from: "a.md (v1)", to: "a.md" };

describe("texts", () => {
  test("the same differ in nothing", () => {
    expect(textDiff("a\n", "a\n", names)).toEqual({ diff: "", additions: 0, deletions: 0 });
  });

  test("a unified diff with its counts, and the end without a line break", () => {
    expect(textDiff("a\n-- b\n", "a\n++ c", names)).toEqual({
      diff: "--- a.md (v1)\n+++ a.md\n@@ -1,2 +1,2 @@\n a\n--- b\n+++ c\n\\ No newline at end of file\n",
      additions: 1,
      deletions: 1,
    });
  });

  test("texts that share nothing end in time", () => {
    const lines = (salt: number) => Array.from({ length: 30_000 }, (_, n) => `${salt * n} ${n % 7}`).join("\n");
    const { additions, deletions } = textDiff(lines(3), lines(5), names);
    expect(additions).toBeGreaterThan(10_000);
    expect(deletions).toBeGreaterThan(10_000);
  });
});

test("files: added, changed and removed, in words", () => {
  const file = (path: string, sha256: string) => ({ path, sha256 });
  const found = filesDiff(
    [file("a", "1"), file("b", "1"), file("c", "1")],
    [file("c", "2"), file("a", "1"), file("d", "1")],
  );
  expect(found).toEqual({ added: ["d"], removed: ["b"], changed: ["c"] });
  expect(filesText(found)).toBe("Files: added d; changed c; removed b\n");
  expect(filesText(filesDiff([], []))).toBe("");
});

test("the artifact is the one with the longest source path, else the one of the slug that has none", () => {
  const artifact = (slug: string, sourcePath: string | null) => ({ slug, sourcePath }) as Artifact;
  const all = [artifact("a", "x.md"), artifact("b", "docs/x.md"), artifact("x", null), artifact("y", "y.md")];
  expect(artifactOfFile("/home/docs/x.md", [], all)?.slug).toBe("b");
  expect(artifactOfFile("/home/other/x.md", [], all)?.slug).toBe("a");
  expect(artifactOfFile("/home/other/xx.md", ["x"], all)?.slug).toBe("x");
  expect(artifactOfFile("/home/other/z.md", ["y"], all)).toBeNull();
});

describe("plinth diff", () => {
  test("exits with 0, with --exit-code with 1 where it differs; names the file of an artifact", async () => {
    const instance = createInstance();
    const directory = emptyDirectory();
    writeFileSync(join(directory, "a.md"), "# A\n\n![p](p.png)\n");
    writeFileSync(join(directory, "p.png"), "one");
    const run = (...words: readonly string[]) => line(words, { directory, answer: instance.answer });
    await run("push", "--project-slug", "demo", "a.md");
    const words = ["diff", "a.md", "--project-slug", "demo", "--exit-code"];
    const same = await run(...words);
    expect({ code: same.code, value: JSON.parse(same.stdout) as object }).toMatchObject({
      code: 0,
      value: { isSame: true, version: 1, artifactId: "art_1" },
    });
    writeFileSync(join(directory, "p.png"), "two");
    const other = await run(...words, "--format", "text");
    expect({ code: other.code, stdout: other.stdout }).toEqual({ code: 1, stdout: "Files: changed p.png\n" });
    expect((await run("diff", "a.md", "--artifact-id", "art_1")).code).toBe(0);
    expect((await run("diff", "a.md", "--project-slug", "demo", "--field", "isSame")).stdout).toBe("false\n");
  });

  test("a slug alone is the artifact of the folder's project, unless a file has that name", async () => {
    const directory = emptyDirectory();
    writeFileSync(join(directory, ".plinth.json"), JSON.stringify({ owner: "ada", projectSlug: "demo" }));
    const asked = async () => {
      const answer = () => json(wholeArtifact);
      const { requests } = await line(["diff", "report"], { directory, env: { SERVICE_TOKEN: "plk_x" }, answer });
      return requests.map(({ url }) => new URL(url).pathname);
    };
    expect((await asked())[0]).toBe("/api/by-path/ada/demo/report");
    writeFileSync(join(directory, "report"), "# Report\n");
    expect(await asked()).toEqual([]);
  });

  test.each([[[]], [["a.md", "b.md"]], [["-"]], [["gone.md"]], [["a.md", "--dry-run"]]])(
    "diff %j is refused before anything is sent",
    async (words) => {
      const directory = emptyDirectory();
      writeFileSync(join(directory, "a.md"), "# A\n");
      const { code, requests } = await line(["diff", "--project-slug", "demo", ...words], { directory });
      expect({ code, sent: requests.length }).toEqual({ code: 2, sent: 0 });
    },
  );
});
