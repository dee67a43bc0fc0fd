import { describe, expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { emptyDirectory, json, line } from "../testing/line.ts";

/** A repository with a project file, and a directory deep in it. */
function repository(settings: unknown = { owner: "team", projectSlug: "reports" }) {
  const root = emptyDirectory();
  const directory = join(root, "docs", "weekly");
  mkdirSync(join(root, ".git"));
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, "report.md"), "# Report");
  writeFileSync(join(root, ".plinth.json"), typeof settings === "string" ? settings : JSON.stringify(settings));
  return { root, directory };
}

/** The body that a dry run of push would send. */
async function pushed(directory: string, ...words: readonly string[]): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await line(["push", "report.md", "--dry-run", ...words], { directory });
  expect({ code, stderr: code === 0 ? "" : stderr }).toEqual({ code: 0, stderr: "" });
  return (JSON.parse(stdout) as { request: { body: Record<string, unknown> } }).request.body;
}

const publicly = { publicView: true, publicEdit: false };

describe("the project's file", () => {
  test("says where a push goes, and it is told so", async () => {
    const { directory, root } = repository();
    expect(await pushed(directory)).toMatchObject({ ownerUsername: "team", projectSlug: "reports", access: publicly });
    const { stderr } = await line(["push", "report.md", "--dry-run"], { directory });
    const path = join(root, ".plinth.json");
    expect(stderr).toBe(`--owner team (${path})\n--project-slug reports (${path})\n`);
    expect((await line(["push", "report.md", "--dry-run", "--quiet"], { directory })).stderr).toBe("");
  });

  test("gives way to the line, and its project to another owner's", async () => {
    const { directory } = repository();
    expect(await pushed(directory, "--project-slug", "other")).toMatchObject({
      ownerUsername: "team",
      projectSlug: "other",
    });
    expect(await pushed(directory, "--owner", "team")).toMatchObject({ projectSlug: "reports" });
    const { code, error } = await line(["push", "report.md", "--dry-run", "--owner", "ada"], { directory });
    expect({ code, detail: error["detail"] }).toEqual({ code: 2, detail: "push needs a project" });
  });

  test("makes a push private, and never says more than public is by itself", async () => {
    const { directory } = repository({ projectSlug: "reports", visibility: "private" });
    expect(await pushed(directory)).toMatchObject({ access: { publicView: false, publicEdit: false } });
    const open = repository({ projectSlug: "reports", visibility: "public" }).directory;
    expect(await pushed(open)).toMatchObject({ access: publicly });
    expect(await pushed(open, "--private")).toMatchObject({ access: { publicView: false } });
  });

  test("fills what names a project or an artifact in one, and nothing else", async () => {
    const { directory } = repository();
    const asked = async (words: string) => {
      const { stdout } = await line([...words.split(" "), "--dry-run"], { directory });
      return stdout === "" ? null : new URL((JSON.parse(stdout) as { request: { url: string } }).request.url);
    };
    expect((await asked("path project"))?.pathname).toBe("/api/by-path/team/reports");
    expect((await asked("path artifact --slug a"))?.pathname).toBe("/api/by-path/team/reports/a");
    expect((await asked("artifact url-preview --slug a"))?.pathname).toBe("/api/slug-preview/team/reports/a");
    expect((await asked("search words"))?.search).toBe("?q=words");
    expect(await asked("project slug-availability --slug a")).toBeNull();
    const created = await line("project create --slug a --title A --icon a --dry-run".split(" "), { directory });
    expect(JSON.parse(created.stdout)).toMatchObject({ request: { body: { slug: "a", title: "A", icon: "a" } } });
    expect(created.stdout).not.toContain("team");
    expect((await asked("artifact open --slug a"))?.pathname).toBe("/api/by-path/team/reports/a");
    expect((await line(["artifact", "open", "art_1", "--dry-run"], { directory })).stderr).toBe("");
  });

  test("adds nothing to a body that is given whole", async () => {
    const { directory } = repository();
    const body = { projectSlug: "own", slug: "a", type: "md", title: "A", content: "", access: publicly };
    const words = ["artifact", "create", "--dry-run", "--json", JSON.stringify(body)];
    const { stdout } = await line(words, { directory });
    expect(JSON.parse(stdout)).toMatchObject({ request: { body: { ...body, content: { sizeBytes: 0 } } } });
    expect(stdout).not.toContain("team");
  });

  test("is the nearest one, and none beyond the repository or the home", async () => {
    const { root, directory } = repository();
    writeFileSync(join(root, "docs", ".plinth.json"), JSON.stringify({ projectSlug: "nearest" }));
    expect(await pushed(directory)).toMatchObject({ projectSlug: "nearest" });
    const inner = join(root, "inner");
    mkdirSync(join(inner, ".git"), { recursive: true });
    writeFileSync(join(inner, "report.md"), "# Report");
    expect((await line(["push", "report.md", "--dry-run"], { directory: inner })).code).toBe(2);
    const home = join(root, "docs", "weekly");
    expect((await line(["path", "project", "--dry-run"], { directory: home, env: { HOME: home } })).code).toBe(2);
  });

  test("outside a repository and the home counts in the working directory alone", async () => {
    const root = emptyDirectory();
    const below = join(root, "below");
    mkdirSync(below);
    for (const place of [root, below]) writeFileSync(join(place, "report.md"), "# Report");
    writeFileSync(join(root, ".plinth.json"), JSON.stringify({ projectSlug: "reports" }));
    expect(await pushed(root)).toMatchObject({ projectSlug: "reports" });
    expect((await line(["push", "report.md", "--dry-run"], { directory: below })).code).toBe(2);
  });

  test("is shown by status", async () => {
    const { root, directory } = repository({ projectSlug: "reports", visibility: "private" });
    const { stdout } = await line(["status"], { directory });
    expect(JSON.parse(stdout)).toMatchObject({
      projectFile: { path: join(root, ".plinth.json"), projectSlug: "reports", visibility: "private" },
      sources: { baseUrl: "default", webUrl: "default", format: "default" },
    });
  });
});

describe("a project's file that is not right ends the line before anything is sent", () => {
  const wrong: readonly (readonly [settings: unknown, says: string, hint: string])[] = [
    [{ baseUrl: "https://evil.example.com" }, "must not hold baseUrl", "--base-url"],
    [{ projectSlug: "a", webUrl: "https://evil.example.com" }, "must not hold webUrl", "--base-url"],
    [{ token: "plk_0123456789abcdef" }, "must not hold token", "revoke it"],
    [{ apiKey: "plk_0123456789abcdef" }, "must not hold apiKey", "revoke it"],
    [{ project: "a" }, "must not hold project", "It may hold owner, projectSlug, visibility"],
    [{ "a\u001b[2Jb\u202Ec": 1 }, "must not hold a[2Jbc", "It may hold"],
    ['{"__proto__": {"projectSlug": "a"}}', "must not hold __proto__", "It may hold"],
    [{ owner: "../../evil" }, "owner must be the name of an account", ""],
    [{ owner: "\u001b]0;x\u0007" }, "owner must be the name of an account", ""],
    [{ projectSlug: 7 }, "projectSlug must be a slug", ""],
    [{ visibility: "everyone" }, "visibility must be public or private", ""],
    [[], "must hold one JSON object", ""],
    ["null", "must hold one JSON object", ""],
    ['{\n  "owner": "a",\n  projectSlug: "b"\n}\n', "is not JSON: line 3", ""],
    ['{\r\n  "owner": "ada",\r\n}\r\n', "is not JSON: line 3", ""],
    ["", "is not JSON: line 1", ""],
    [`"${"x".repeat(70_000)}"`, "is larger than 64 KiB", ""],
  ];
  test.each(wrong.map(([settings, says, hint]) => ({ settings, says, hint })))("$says", async (row) => {
    const { directory } = repository(row.settings);
    const { code, stdout, stderr, error, requests } = await line(["push", "report.md"], { directory });
    expect({ code, stdout, sent: requests.length }).toEqual({ code: 2, stdout: "", sent: 0 });
    expect(error["detail"]).toEqual(expect.stringContaining(row.says));
    expect(error["hint"] ?? "").toEqual(expect.stringContaining(row.hint));
    expect(stderr).not.toMatch(/\p{Cc}(?<!\n)|plk_0|evil/u);
    const inWords = await line(["push", "report.md", "--format", "text"], { directory });
    expect(inWords.stderr).not.toMatch(/\p{Cc}(?<!\n)|\u202E|plk_0|evil/u);
  });

  test("a pipe, a directory or another user's file in its place", async () => {
    const { root, directory } = repository();
    const elsewhere = join(root, "docs", ".plinth.json");
    mkdirSync(elsewhere);
    expect((await line(["path", "project"], { directory })).error["detail"]).toMatch(/is not a file|cannot be read/);
    const place = join(directory, ".plinth.json");
    execFileSync("mkfifo", [place]);
    expect((await line(["path", "project"], { directory })).error["detail"]).toContain("is not a file");
  });

  test("a link to a file of secrets shows none of them", async () => {
    const { root, directory } = repository();
    writeFileSync(join(root, "secrets"), 'pass = "plk_0123456789"');
    symlinkSync(join(root, "secrets"), join(directory, ".plinth.json"));
    const { code, stderr } = await line(["path", "project"], { directory });
    expect(code).toBe(2);
    expect(stderr).not.toContain("pass");
  });

  test("commands that have no such target do not read it", async () => {
    const { directory } = repository("{");
    expect((await line(["whoami"], { directory, answer: () => json({}) })).code).toBe(0);
    expect((await line(["status"], { directory })).code).toBe(2);
  });
});
