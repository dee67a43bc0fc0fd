import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { emptyDirectory, json, line, problem, type LineContext } from "../testing/line.ts";

const directory = emptyDirectory();
writeFileSync(join(directory, "report.md"), "# Report");
const terminal = { terminal: true, stdinIsTerminal: true, directory };
const hostile = "Demo\u001b[2J\u202E\nx";
const projects = [
  { ownerUsername: "ada", slug: "demo", title: hostile },
  { ownerUsername: "team", slug: "reports", title: "Reports" },
];

/** An instance with two projects and every slug free; the bodies that were posted are kept. */
function instance() {
  const posted: [path: string, body: unknown][] = [];
  let isMissing = true;
  const answer = async (request: Request) => {
    const { pathname } = new URL(request.url);
    if (request.method === "GET") return json({ projects, nextCursor: null });
    const body = (await request.json()) as Record<string, unknown>;
    posted.push([pathname, body]);
    if (pathname === "/api/projects") isMissing = false;
    if (body["projectSlug"] === "new" && isMissing) return problem(404, "not_found");
    return json({ url: "http://h/a/b/c", latestVersion: 1, access: { publicView: true } }, 201);
  };
  return { answer, posted };
}

const push = (setup: LineContext, ...words: readonly string[]) => line(["push", "report.md", ...words], setup);

describe("a push without a project", () => {
  test("asks for none where the document names it", async () => {
    const { answer, posted } = instance();
    const own = emptyDirectory();
    writeFileSync(join(own, "report.md"), "---\nproject: reports\n---\n# Report\n");
    const { code, questions } = await push({ ...terminal, directory: own, answer });
    expect({ code, questions, body: posted[0]?.[1] }).toMatchObject({
      code: 0,
      questions: [],
      body: { projectSlug: "reports" },
    });
  });

  test("offers the person's own, by number or by name", async () => {
    for (const [answers, target] of [
      [["2"], { ownerUsername: "team", projectSlug: "reports" }],
      [["reports"], { ownerUsername: "team", projectSlug: "reports" }],
      [["ada/demo"], { ownerUsername: "ada", projectSlug: "demo" }],
      [["", "7", "n", "Not A Slug", " 1 "], { ownerUsername: "ada", projectSlug: "demo" }],
    ] as const) {
      const { answer, posted } = instance();
      const { code, stdout, stderr } = await push({ ...terminal, answer, answers });
      expect({ answers, code, stdout, target: posted[0]?.[1] }).toMatchObject({
        code: 0,
        stdout: "http://h/a/b/c\n",
        target,
      });
      expect(stderr).toContain("1  ada/demo  Demo[2J x\n2  team/reports  Reports\n");
      expect(stderr).not.toMatch(/\p{Cc}(?<!\n)|\u202E/u);
    }
  });

  test("creates one that is not there only when told so", async () => {
    const { answer, posted } = instance();
    const ran = await push({ ...terminal, answer, answers: ["nwe", "n", "new", "y"] });
    expect({ code: ran.code, paths: posted.map(([path]) => path) }).toEqual({
      code: 0,
      paths: ["/api/artifacts", "/api/projects", "/api/artifacts"],
    });
    expect(posted[1]?.[1]).toMatchObject({ slug: "new" });
  });

  test("is of the owner that the line names", async () => {
    const { answer } = instance();
    const { stderr } = await push({ ...terminal, answer, answers: ["1"] }, "--owner", "team");
    expect(stderr).toContain("1  team/reports  Reports\n");
    expect(stderr).not.toContain("ada/demo");
  });

  test("asks nothing where there is nothing to ask about", async () => {
    const { answer, posted } = instance();
    expect((await push({ ...terminal, answer }, "--project-slug", "demo")).questions).toEqual([]);
    expect(posted).toHaveLength(1);
    expect(await line(["push"], terminal)).toMatchObject({ code: 2, questions: [], requests: [] });
  });

  test("sends nothing in a dry run, and takes the name as it is", async () => {
    const { code, stdout, requests } = await push({ ...terminal, answers: ["new"] }, "--dry-run", "--format", "json");
    expect({ code, sent: requests.length }).toEqual({ code: 0, sent: 0 });
    expect(JSON.parse(stdout)).toMatchObject({ request: { body: { projectSlug: "new" } } });
  });

  test("ends with 130 where the input ends, and has sent nothing but the question for projects", async () => {
    const { answer, posted } = instance();
    const { code, stdout } = await push({ ...terminal, answer, answers: [null] });
    expect({ code, stdout, posted }).toEqual({ code: 130, stdout: "", posted: [] });
  });
});

describe("no prompt", () => {
  const lines = [
    ["push", "report.md"],
    ["profile", "set-username"],
  ] as const;

  test("where it may not be: exit 10", async () => {
    for (const words of lines)
      for (const setup of [{ env: { CI: "true" } }, { env: { SERVICE_NO_INPUT: "1" } }, {}]) {
        const more = setup.env === undefined ? ["--no-input"] : [];
        const ran = await line([...words, ...more, "--format", "json"], { ...terminal, ...setup });
        expect(ran).toMatchObject({ code: 10, stdout: "", questions: [], requests: [] });
        expect(ran.error).toMatchObject({ code: "input_needed", exitCode: 10 });
      }
  });

  test("where there is no terminal: exit 2, as for any missing flag", async () => {
    for (const words of lines)
      for (const setup of [{}, { terminal: true }, { stdinIsTerminal: true }]) {
        const ran = await line(words, { directory, ...setup });
        expect(ran).toMatchObject({ code: 2, stdout: "", questions: [], requests: [] });
      }
  });

  test("for a confirmation: a missing --yes is exit 2 anywhere", async () => {
    for (const setup of [terminal, { ...terminal, env: { CI: "1" } }, {}])
      expect(await line(["artifact", "delete", "--artifact-id", "art_1"], setup)).toMatchObject({
        code: 2,
        questions: [],
        requests: [],
      });
  });
});

test("a username is asked for", async () => {
  const bodies: unknown[] = [];
  const answer = async (request: Request) => {
    bodies.push(await request.json());
    return json({ username: "ada" });
  };
  const { code } = await line(["profile", "set-username"], { ...terminal, answer, answers: ["", "ada"] });
  expect({ code, bodies }).toEqual({ code: 0, bodies: [{ username: "ada" }] });
});
