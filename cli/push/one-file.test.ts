// `push` and which file an artifact is of: front matter, titles that are alike, and an html document's own title.
import { describe, expect, test } from "bun:test";
import { cpSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { createInstance } from "../testing/instance.ts";
import { emptyDirectory, line, problem, type LineContext } from "../testing/line.ts";

/** A folder with these files, an instance, and pushes from the folder with a separate state directory. */
function workplace(files: Readonly<Record<string, string>>) {
  const directory = emptyDirectory();
  const instance = createInstance();
  const env = { HOME: emptyDirectory() };
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  };
  for (const [path, text] of Object.entries(files)) write(path, text);
  const push = async (words: string, context: LineContext = {}) => {
    const ran = await line(["push", ...words.split(" ")], { directory, env, answer: instance.answer, ...context });
    return { ...ran, value: JSON.parse(ran.stdout || "{}") as Record<string, unknown> };
  };
  return { directory, instance, push, write };
}

const textAt = ({ artifacts }: ReturnType<typeof createInstance>, slug: string) =>
  [...artifacts.values()].find((one) => one.slug === slug)?.versions.map(({ content }) => content);

describe("two files with the same title", () => {
  const both = { "one/report.md": "# Report\n\nOne\n", "two/report.md": "# Report\n\nTwo\n" };

  test("in one push are refused before anything is sent", async () => {
    const { push, instance } = workplace(both);
    const ran = await push("--project-slug demo one/report.md two/report.md --ensure");
    const detail = "one/report.md and two/report.md would have the same slug report";
    expect(ran).toMatchObject({ code: 2, error: { detail } });
    expect(instance.artifacts.size).toBe(0);
  });

  test("in two pushes: the second is told which file owns the page, with and without --ensure", async () => {
    const { push, instance } = workplace(both);
    await push("--project-slug demo one/report.md");
    const plain = await push("--project-slug demo two/report.md");
    expect(plain).toMatchObject({
      code: 6,
      error: {
        code: "slug_conflict",
        detail: "The slug report is that of one/report.md, and two/report.md is another file",
        hint: expect.stringContaining("another slug"),
      },
    });
    const ensured = await push("--project-slug demo two/report.md --ensure");
    expect(ensured).toMatchObject({
      code: 6,
      error: {
        code: "slug_conflict",
        detail: expect.stringContaining("is published from one/report.md, and two/report.md is another file"),
        hint: "Give this file another --slug; --slug report --ensure replaces the page with it",
      },
    });
    expect(textAt(instance, "report")).toEqual(["# Report\n\nOne\n"]);
  });

  test("the owner itself is updated, and so is a page whose slug the line names", async () => {
    const { push, instance, write } = workplace(both);
    await push("--project-slug demo one/report.md");
    write("one/report.md", "# Report\n\nOne again\n");
    expect(await push("--project-slug demo one/report.md --ensure")).toMatchObject({ code: 0 });
    expect(await push("--project-slug demo two/report.md --slug report --ensure")).toMatchObject({ code: 0 });
    expect(textAt(instance, "report")).toHaveLength(3);
    // Since then it is the other file's.
    expect(await push("--project-slug demo one/report.md --ensure")).toMatchObject({ code: 6 });
  });

  test("a file that was moved keeps its page", async () => {
    const { push, directory, write } = workplace({ "one/report.md": "# Report\n" });
    await push("--project-slug demo one/report.md");
    renameSync(join(directory, "one"), join(directory, "moved"));
    write("moved/report.md", "# Report\n\nMore\n");
    expect(await push("--project-slug demo moved/report.md --ensure")).toMatchObject({ code: 0 });
  });

  test("another checkout of the repository has the same file, another repository has not", async () => {
    const { push, directory, write } = workplace({ "one/report.md": "# Report\n" });
    const config = '[core]\n\tbare = false\n[remote "origin"]\n\turl = https://git.test/notes.git\n';
    write("one/.git/config", config);
    await push("--project-slug demo one/report.md");
    cpSync(join(directory, "one"), join(directory, "clone"), { recursive: true });
    write("clone/report.md", "# Report\n\nMore\n");
    expect(await push("--project-slug demo clone/report.md --ensure")).toMatchObject({ code: 0 });
    write("other/report.md", "# Report\n\nOther\n");
    write("other/.git/config", config.replace("notes", "other"));
    expect(await push("--project-slug demo other/report.md --ensure")).toMatchObject({ code: 6 });
    write("tree/report.md", "# Report\n\nTree\n");
    write("tree/.git", `gitdir: ${directory}/one/.git/worktrees/tree\n`);
    write("one/.git/worktrees/tree/commondir", "../..\n");
    expect(await push("--project-slug demo tree/report.md --ensure")).toMatchObject({ code: 0 });
  });

  test("the artifact of a folder's file is that file's", async () => {
    const { push, write } = workplace({ "docs/guides/start.md": "# Start\n", "start.md": "# Start\n\nOther\n" });
    await push("--project-slug demo docs -r", { env: { HOME: emptyDirectory() } });
    expect(await push("--project-slug demo start.md --ensure")).toMatchObject({
      code: 6,
      error: { detail: expect.stringContaining("is published from guides/start.md, and start.md is another file") },
    });
    write("docs/guides/start.md", "# Start\n\nMore\n");
    expect(await push("--project-slug demo docs/guides/start.md --ensure")).toMatchObject({ code: 0 });
  });

  test("standard input has no file: it updates the page under --ensure", async () => {
    const { push } = workplace(both);
    await push("--project-slug demo one/report.md");
    const piped = await push("--project-slug demo --type md - --ensure", { stdin: "# Report\n\nPiped\n" });
    expect(piped).toMatchObject({ code: 0, value: { action: "updated" } });
  });
});

describe("text between rules at the top", () => {
  const text = "---\n# Status\n\n![Chart](chart.png)\n---\n\nRegards\n";

  test("gives the title, and its images go with the document", async () => {
    const { push, instance } = workplace({ "update.md": text, "chart.png": "not read" });
    const { value } = await push("--project-slug demo update.md");
    expect(value).toMatchObject({ artifact: { title: "Status", slug: "status" }, files: { count: 1 } });
    expect(textAt(instance, "status")).toEqual([text]);
  });
});

describe("front matter", () => {
  test("gives the slug, the project and privacy", async () => {
    const { push, instance } = workplace({
      "a.md": "---\nslug: /guides/start\nproject: demo\nvisibility: private\n---\n# Title\n",
    });
    const ran = await push("a.md");
    expect(ran).toMatchObject({ code: 0, value: { action: "created" } });
    expect(ran.requests[0]?.url).toContain("/api/artifacts");
    expect(await ran.requests[0]?.json()).toMatchObject({
      projectSlug: "demo",
      slug: "guides-start",
      title: "Title",
      access: { publicView: false },
    });
    expect(textAt(instance, "guides-start")).toHaveLength(1);
  });

  test("goes before .plinth.json, and the line before both", async () => {
    const { push, write } = workplace({ "a.md": "---\nproject: demo\nslug: a\nvisibility: private\n---\nText\n" });
    write(".plinth.json", '{"projectSlug": "other"}');
    const bodyOf = async (words: string) => (await push(words)).requests[0]?.json();
    expect(await bodyOf("a.md")).toMatchObject({ projectSlug: "demo" });
    expect(await bodyOf("a.md --project-slug third --slug b --public")).toMatchObject({
      projectSlug: "third",
      slug: "b",
      access: { publicView: true },
    });
  });

  test("of several files must name one project, and different slugs", async () => {
    const { push } = workplace({
      "a.md": "---\nproject: demo\nslug: x\n---\n# A\n",
      "b.md": "---\nslug: x\n---\n# B\n",
    });
    expect(await push("a.md b.md")).toMatchObject({ code: 2, error: { detail: "push needs a project" } });
    expect(await push(". -r --project-slug demo")).toMatchObject({
      code: 2,
      error: { detail: expect.stringContaining("the same slug x") },
    });
    const { push: pushOther, write } = workplace({ "a.md": "---\nproject: demo\n---\n# A\n", "b.md": "# B\n" });
    write(".plinth.json", '{"projectSlug": "other"}');
    expect(await pushOther("a.md b.md")).toMatchObject({
      code: 2,
      error: { detail: "a.md is for the project demo, and b.md for other" },
    });
  });
});

describe("an html document", () => {
  test("is titled by its file's name, and the answer suggests its own title", async () => {
    const { push } = workplace({ "quarter.html": "<title>Quarter &amp; Report</title><p>Text" });
    const ran = await push("--project-slug demo quarter.html");
    expect(ran).toMatchObject({
      code: 0,
      value: { artifact: { title: "quarter" }, suggestedTitle: "Quarter & Report" },
    });
    expect(ran.stderr).toContain("--title 'Quarter & Report'");
    const titled = await push("--project-slug demo quarter.html --slug quarter --ensure --title Mine");
    expect(titled).toMatchObject({ code: 0 });
    expect(titled.value).not.toHaveProperty("suggestedTitle");
    expect((await push("--project-slug demo quarter.html --ensure")).value).not.toHaveProperty("suggestedTitle");
  });
});

describe("what cannot be published", () => {
  test("of a folder is listed whole", async () => {
    const { push, directory } = workplace({ "docs/good.md": "# Good\n" });
    for (const name of ["x", "y"])
      writeFileSync(join(directory, `docs/${name}.md`), new Uint8Array([0xff, 0xfe, 0xfd]));
    const { code, error, requests } = await push("--project-slug demo docs");
    expect({ code, sent: requests.length, detail: error["detail"] }).toEqual({
      code: 2,
      sent: 0,
      detail: "2 of 3 files cannot be published",
    });
    expect(error["errors"]).toEqual([
      { path: "", message: "docs/x.md is not UTF-8 text" },
      { path: "", message: "docs/y.md is not UTF-8 text" },
    ]);
  });

  test("for one reason is said of all files, and not of the first", async () => {
    const { push } = workplace({ "a.md": "# A\n", "b.md": "# B\n" });
    const other = { HOME: emptyDirectory() };
    await push("--project-slug demo a.md b.md");
    const { code, error } = await push("--project-slug demo a.md b.md --changelog again", { env: other });
    expect({ code, detail: error["detail"], hint: error["hint"] }).toEqual({
      code: 6,
      detail: "2 of 2 files were not published",
      hint: "Add --ensure to publish new versions of what is there",
    });
  });

  test("a place in the source is one of the file", async () => {
    const { push } = workplace({ "bad.jsx": "export default () => <p>" });
    const errors = [{ path: "content", message: "Unexpected token", line: 1, column: 25 }];
    const { error } = await push("--project-slug demo bad.jsx", {
      answer: () => problem(400, "invalid_source", { errors }),
    });
    expect(error["errors"]).toEqual([{ path: "bad.jsx", message: "Unexpected token", line: 1, column: 25 }]);
  });

  test("--ensure looks again where another writer came in between", async () => {
    const { push, instance } = workplace({ "a.md": "# A\n" });
    await push("--project-slug demo a.md");
    let races = 2;
    const answer = (request: Request) =>
      request.method === "POST" && request.url.endsWith("/versions") && races-- > 0
        ? problem(409, "version_conflict", { latestVersion: 9 })
        : instance.answer(request);
    const { directory, write } = workplace({});
    write("a.md", "# A\n\nMore\n");
    const ran = await push("--project-slug demo a.md --ensure", { directory, answer, env: { HOME: emptyDirectory() } });
    expect(ran).toMatchObject({ code: 0, value: { action: "updated" } });
    races = 9;
    write("a.md", "# A\n\nEven more\n");
    expect(
      await push("--project-slug demo a.md --ensure", { directory, answer, env: { HOME: emptyDirectory() } }),
    ).toMatchObject({ code: 6, error: { code: "version_conflict" } });
  });
});
