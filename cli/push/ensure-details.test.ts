// `push --ensure` and what a page is called: flags, front matter and headings, against a small instance in memory.
import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { digestOf } from "../files/digest.ts";
import { artifactAt } from "../testing/artifact.ts";
import { emptyDirectory, json, line, problem } from "../testing/line.ts";

interface Page {
  readonly title: string;
  readonly description?: string | null;
  readonly content: string;
}

/** An instance with one page at `page`; what is written to it comes back. */
async function push(page: Page, text: string, ...words: readonly string[]) {
  const directory = emptyDirectory();
  writeFileSync(join(directory, "page.md"), text);
  const writes: unknown[] = [];
  let now = artifactAt("page", { artifactId: "art_1", latestVersion: 3, description: null, ...page });
  const ran = await line(["push", "--project-slug", "demo", "page.md", "--ensure", ...words], {
    directory,
    async answer(request) {
      const { pathname, searchParams } = new URL(request.url);
      const dryRun = searchParams.get("dryRun") === "true" ? { dryRun: true } : {};
      if (pathname === "/api/artifacts") return problem(409, "slug_conflict", { artifactId: "art_1" });
      if (request.method === "PATCH") {
        const change = (await request.json()) as object;
        writes.push({ ...change, ...dryRun });
        now = { ...now, ...change };
        return json({ ...now, ...dryRun });
      }
      if (request.method === "POST") {
        writes.push({ version: true, ...dryRun });
        return json({ versionNumber: 4, createdAt: "2026-11-20T00:00:00.000Z", ...dryRun }, 201);
      }
      if (pathname.endsWith("/content"))
        return new Response(page.content, { headers: { "content-type": "text/markdown" } });
      if (pathname.endsWith("/versions"))
        return json({ versions: [{ versionNumber: 3, sha256: digestOf(page.content).sha256 }], nextCursor: null });
      return json(now);
    },
  });
  const { action, changed, artifact } = JSON.parse(ran.stdout || "{}") as {
    action?: string;
    changed?: string[];
    artifact?: { title: string };
  };
  return { code: ran.code, action, changed, title: artifact?.title, writes, stderr: ran.stderr, error: ran.error };
}

const alpha = { title: "Alpha", content: "# Alpha\n" };
const slug = ["--slug", "page"];

describe("push --ensure", () => {
  test("--title and --description are applied to text that did not change", async () => {
    const ran = await push(alpha, alpha.content, ...slug, "--title", "Gamma", "--description", "D");
    expect(ran).toMatchObject({
      code: 0,
      action: "updated",
      changed: ["title", "description"],
      title: "Gamma",
      writes: [{ title: "Gamma", description: "D" }],
      stderr: "updated (title, description): v3, public\n",
    });
  });

  test("a heading and a description that changed in the text are applied with it", async () => {
    const text = "---\ndescription: New\n---\n# Beta\n";
    expect(await push(alpha, text, ...slug)).toMatchObject({
      code: 0,
      action: "updated",
      changed: ["content", "title", "description"],
      title: "Beta",
      writes: [{ title: "Beta", description: "New" }, { version: true }],
    });
  });

  test("a flag goes before the text", async () => {
    expect(await push(alpha, "# Beta\n", ...slug, "--title", "Gamma")).toMatchObject({
      title: "Gamma",
      changed: ["content", "title"],
    });
  });

  test("a title that was changed elsewhere stays while the text keeps its own", async () => {
    const renamed = { title: "Renamed on the web", content: "# Alpha\n" };
    expect(await push(renamed, "# Alpha\n\nMore\n", ...slug)).toMatchObject({
      changed: ["content"],
      title: "Renamed on the web",
      writes: [{ version: true }],
    });
    expect(await push(renamed, "# Alpha\n", ...slug)).toMatchObject({ action: "unchanged", writes: [] });
  });

  test("the name of a file without a heading is no new title", async () => {
    const ran = await push({ title: "Dashboard", content: "old\n" }, "new\n", ...slug);
    expect(ran).toMatchObject({ changed: ["content"], title: "Dashboard", writes: [{ version: true }] });
  });

  test("what is already so is unchanged", async () => {
    const ran = await push(
      { ...alpha, description: "D" },
      alpha.content,
      ...slug,
      "--title",
      "Alpha",
      "--description",
      "D",
    );
    expect(ran).toMatchObject({ action: "unchanged", changed: undefined, writes: [] });
    expect(await push(alpha, alpha.content, ...slug, "--description", "")).toMatchObject({ writes: [] });
  });

  test("--check tells what would change and writes nothing", async () => {
    const ran = await push(alpha, "# Beta\n", ...slug, "--check");
    expect(ran).toMatchObject({
      action: "updated",
      changed: ["content", "title"],
      writes: [
        { title: "Beta", dryRun: true },
        { version: true, dryRun: true },
      ],
      stderr: "would be updated (title): v4, public\n",
    });
  });
});

describe("a title of another script that is spelled like another document's", () => {
  test.each([
    { there: "方式", pushed: "仿式" },
    { there: "🎉", pushed: "Tada" },
  ])("$pushed is not published over $there", async ({ there, pushed }) => {
    const page = { title: there, content: `# ${there}\n` };
    const ran = await push(page, `# ${pushed}\n`);
    expect(ran).toMatchObject({ code: 6, writes: [], error: { code: "slug_conflict" } });
    // The person who says the address, as the hint does, means that page.
    const [, spelled = ""] = /or --slug (\S+) if it is the same one/.exec(String(ran.error["hint"])) ?? [];
    for (const said of ["page", spelled])
      expect(await push(page, `# ${pushed}\n`, "--slug", said)).toMatchObject({ code: 0, title: pushed });
  });

  test("the same words in other punctuation are the same document", async () => {
    const page = { title: "方式", content: "# 方式\n" };
    expect(await push(page, "# 方式！\n")).toMatchObject({ code: 0, title: "方式！", changed: ["content", "title"] });
  });
});
