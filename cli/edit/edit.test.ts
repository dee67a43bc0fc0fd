import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { emptyDirectory, json, line, problem, type LineContext } from "../testing/line.ts";
import { countOccurrences, occurrencesOf, replaceAll, textBefore } from "./by-replacement.ts";

// A draft of a failed edit is kept in the temporary directory.
const usual = process.env["TMPDIR"];
beforeAll(() => void (process.env["TMPDIR"] = emptyDirectory()));
afterAll(() => {
  if (usual === undefined) delete process.env["TMPDIR"];
  else process.env["TMPDIR"] = usual;
});

const artifactId = "art_01jd8w3c5t7k9m2n4p6q8r0s1v";
const artifact = {
  artifactId,
  slug: "report",
  type: "md",
  title: "Report",
  latestVersion: 5,
  url: "http://h/a/b/report",
};
const text = "\uFEFF# Report\n\nteh end, teh start\nQ2: 41 %\n";

interface Answers {
  readonly content?: string;
  readonly edits?: () => Response;
  readonly versions?: () => Response;
}

/** An instance with the artifact at version 5; what was sent to it is kept. */
function instance({ content = text, edits, versions }: Answers = {}) {
  const bodies: unknown[] = [];
  const paths: string[] = [];
  const written = () => json({ artifactId, versionNumber: 6, url: artifact.url }, 201);
  const answer = async (request: Request): Promise<Response> => {
    const { pathname, search } = new URL(request.url);
    paths.push(`${request.method} ${pathname}${search}`);
    if (request.method === "POST") bodies.push(await request.json());
    if (pathname.endsWith("/content"))
      return new Response(content, { headers: { "content-type": "text/markdown", "x-artifact-version": "5" } });
    if (pathname.endsWith("/edits")) return (edits ?? written)();
    if (request.method === "POST") return (versions ?? written)();
    if (pathname.endsWith("/versions")) return json({ versions: [{ artifactId, versionNumber: 5 }], nextCursor: null });
    return json(artifact);
  };
  return { answer, bodies, paths };
}

const edit = (words: readonly string[], setup: LineContext) => line(["artifact", "edit", ...words], setup);
const refusal = () => problem(400, "invalid_request", { errors: [{ path: "edits.0.oldText", message: "no" }] });

describe("by replacement", () => {
  test("one request with the edits alone, in their order", async () => {
    const { answer, bodies, paths } = instance();
    const words = ["--replace", "41", "--with", "43", "--replace", "teh end", "--with=", "--changelog", "Corrected"];
    const { code, stdout } = await edit([artifactId, ...words, "--expected-latest-version", "5"], { answer });
    expect({ code, paths }).toEqual({ code: 0, paths: [`POST /api/artifacts/${artifactId}/edits`] });
    expect(bodies).toEqual([
      {
        edits: [
          { oldText: "41", newText: "43" },
          { oldText: "teh end", newText: "" },
        ],
        changelog: "Corrected",
        expectedLatestVersion: 5,
      },
    ]);
    expect(JSON.parse(stdout)).toMatchObject({ versionNumber: 6 });
  });

  test("the edits as a body, and an artifact by its path", async () => {
    const { answer, bodies, paths } = instance();
    const edits = [{ oldText: "--replace", newText: "@file" }];
    const stdin = JSON.stringify({ edits, changelog: "in the body" });
    expect((await edit(["ada/demo/report", "--json", "-", "--check"], { answer, stdin })).code).toBe(0);
    expect(paths).toEqual(["GET /api/by-path/ada/demo/report", `POST /api/artifacts/${artifactId}/edits?dryRun=true`]);
    expect(bodies).toEqual([{ edits, changelog: "in the body" }]);
  });

  test("a dry run shows the request and sends nothing", async () => {
    const words = [artifactId, "--replace", "a", "--with", "b", "--dry-run"];
    const { code, stdout, requests } = await edit(words, {});
    expect({ code, sent: requests.length }).toEqual({ code: 0, sent: 0 });
    expect(JSON.parse(stdout)).toMatchObject({
      dryRun: true,
      request: { method: "POST", body: { edits: [{ oldText: "a", newText: "b" }] } },
    });
  });

  test("a text that occurs several times is shown where", async () => {
    const { answer, paths } = instance({ edits: refusal });
    const { code, stdout, error } = await edit([artifactId, "--replace", "teh", "--with", "the"], { answer });
    expect({ code, stdout }).toEqual({ code: 7, stdout: "" });
    expect(error).toMatchObject({
      code: "invalid_request",
      detail: "The text of replacement 1 occurs 2 times in v5; nothing was written",
      hint: expect.stringContaining("--all"),
      errors: [
        { path: "edits.0.oldText", line: 3, column: 1 },
        { path: "edits.0.oldText", line: 3, column: 10 },
      ],
    });
    expect(paths.filter((path) => path.startsWith("POST"))).toHaveLength(1);
    const inWords = await edit([artifactId, "--replace", "teh", "--with", "the", "--format", "text"], {
      answer: instance({ edits: refusal }).answer,
    });
    expect(inWords.stderr).toContain("edits.0.oldText:3:10: occurs here");
  });

  test("a text that does not occur is said so, and never shown", async () => {
    const { answer } = instance({ edits: refusal });
    const { code, error, stderr } = await edit([artifactId, "--replace", "plk_secret", "--with", "b"], { answer });
    expect({ code, detail: error["detail"] }).toEqual({
      code: 7,
      detail: "The text of replacement 1 does not occur in v5; nothing was written",
    });
    expect(stderr).not.toContain("plk_secret");
  });

  test("any other refusal is left as it is", async () => {
    const { answer, paths } = instance({ edits: () => problem(409, "version_conflict", { latestVersion: 7 }) });
    expect((await edit([artifactId, "--replace", "a", "--with", "b"], { answer })).code).toBe(6);
    expect(paths).toHaveLength(1);
  });

  test("every place with --all, on the version that was read", async () => {
    const { answer, bodies, paths } = instance();
    const words = ["--all", "--replace", "teh", "--with", "$& the", "--changelog", "Typos"];
    expect((await edit([artifactId, ...words], { answer })).code).toBe(0);
    expect(paths).toEqual([`GET /api/artifacts/${artifactId}/content`, `POST /api/artifacts/${artifactId}/versions`]);
    expect(bodies).toEqual([
      { content: text.replaceAll("teh", () => "$& the"), changelog: "Typos", expectedLatestVersion: 5 },
    ]);
  });

  test("--all writes nothing where a text is missing, or the head is another", async () => {
    for (const [words, code] of [
      [["--replace", "absent", "--with", "x"], 7],
      [["--replace", "teh", "--with", "x", "--expected-latest-version", "4"], 6],
    ] as const) {
      const { answer, bodies } = instance();
      const ran = await edit([artifactId, "--all", ...words], { answer });
      expect({ code: ran.code, stdout: ran.stdout, written: bodies }).toEqual({ code, stdout: "", written: [] });
    }
  });

  test("a line that is not right is not sent", async () => {
    const pair = ["--replace", "a", "--with", "b"];
    for (const words of [
      [artifactId],
      pair,
      [artifactId, "--replace", "a"],
      [artifactId, "--with", "a"],
      [artifactId, ...pair, "--replace", "c"],
      [artifactId, "--replace=", "--with", "b"],
      [artifactId, ...pair, "--json", "{}"],
      [artifactId, "--json", "{}"],
      [artifactId, "--json", '{"edits": [{"oldText": "a", "newText": "b"}], "chnagelog": "x"}'],
      [artifactId, "--json", '{"edits": [{"oldText": "a"}]}'],
      [artifactId, "--json", '{"edits": []}'],
      [artifactId, "--all"],
      [artifactId, artifactId, ...pair],
      ["--artifact-id", artifactId, artifactId, ...pair],
      ["..", ...pair],
      ["https://elsewhere.test/a/b/c", ...pair],
      [artifactId, ...pair, "--all", "--dry-run"],
    ]) {
      const { code, stdout, requests } = await edit(words, {});
      expect({ words, code, stdout, sent: requests.length }).toEqual({ words, code: 2, stdout: "", sent: 0 });
    }
  });
});

test("places are counted on the text that the edits before left, and shown up to twenty", () => {
  const edits = [
    { oldText: "b", newText: "aa$&" },
    { oldText: "aa", newText: "" },
  ];
  expect(textBefore("ab", edits, 1)).toBe("aaa$&");
  expect(countOccurrences("aaa$&", "aa")).toBe(2);
  expect(occurrencesOf("x\r\ny\rz a", "a", "p")).toEqual([{ path: "p", message: "occurs here", line: 3, column: 3 }]);
  expect(occurrencesOf("a".repeat(50), "a", "p")).toHaveLength(20);
  expect(countOccurrences("abc", "")).toBe(0);
  expect(replaceAll("ab", edits)).toEqual({ text: "a$&" });
  expect(replaceAll("a", edits)).toEqual({ missing: 0 });
});

describe("in an editor", () => {
  const onTerminal = { terminal: true, stdinIsTerminal: true };
  const env = { EDITOR: "my-editor --wait", TERM: "xterm" };
  const drafts: string[] = [];

  /** A person whose editor does this to the file. */
  const person = (change: (content: string) => string | Buffer, status = 0): LineContext => ({
    ...onTerminal,
    env,
    edit: (path, editor) => {
      drafts.push(path);
      expect(editor).toBe("my-editor --wait");
      expect([statSync(path).mode & 0o777, statSync(dirname(path)).mode & 0o777]).toEqual([0o600, 0o700]);
      writeFileSync(path, change(readFileSync(path, "utf8")));
      return status;
    },
  });
  const lastDraft = () => drafts.at(-1) ?? "";

  test("publishes what changed, on the version that was read, and leaves nothing behind", async () => {
    const { answer, bodies, paths } = instance();
    const words = [artifactId, "--changelog", "By hand", "--format", "json"];
    const ran = await edit(words, { ...person((old) => old.replace("41", "43")), answer });
    expect({ code: ran.code, body: bodies }).toEqual({
      code: 0,
      body: [{ content: text.replace("41", "43"), changelog: "By hand", expectedLatestVersion: 5 }],
    });
    expect(paths.at(-1)).toBe(`POST /api/artifacts/${artifactId}/versions`);
    expect(lastDraft()).toEndWith("/report.md");
    expect(existsSync(dirname(lastDraft()))).toBe(false);
  });

  test("publishes nothing where nothing changed", async () => {
    const { answer, bodies } = instance();
    const { code, stdout, stderr } = await edit([artifactId, "--format", "json"], { ...person((old) => old), answer });
    expect({ code, bodies }).toEqual({ code: 0, bodies: [] });
    expect(JSON.parse(stdout)).toMatchObject({ versionNumber: 5 });
    expect(stderr).toContain("Unchanged");
    expect(existsSync(dirname(lastDraft()))).toBe(false);
  });

  test("opens nothing, as --all replaces nothing, where the latest version is not the expected one", async () => {
    const next = `plinth artifact diff ${artifactId} --from 4 --to 5`;
    for (const [expected, advised] of [
      ["4", { hint: expect.stringContaining("Look at what changed") as string, next }],
      ["6", { hint: expect.stringContaining("There is no v6 yet") as string, next: null }],
    ] as const)
      for (const words of [[], ["--all", "--replace", "teh", "--with", "the"]]) {
        const { answer, bodies } = instance();
        const options = ["--expected-latest-version", expected, "--format", "json"];
        const unopened = { ...person((old) => `${old}more`), answer };
        const before = drafts.length;
        const { code, error } = await edit([artifactId, ...words, ...options], unopened);
        expect({ code, bodies, opened: drafts.length - before }).toEqual({ code: 6, bodies: [], opened: 0 });
        expect(error).toMatchObject({ code: "version_conflict", ...advised });
      }
  });

  test("keeps the text where it is refused, and says how to go on", async () => {
    const { answer } = instance({ versions: () => problem(409, "version_conflict", { latestVersion: 7 }) });
    const { code, error } = await edit([artifactId, "--format", "json"], { ...person(() => "mine"), answer });
    expect(code).toBe(6);
    expect(readFileSync(lastDraft(), "utf8")).toBe("mine");
    expect(error["hint"]).toContain(lastDraft());
    expect(error["hint"]).toContain("--from 5 --to 7");
    expect(error["next"]).toBe(
      `plinth artifact update --artifact-id ${artifactId} --file ${lastDraft()} --expected-latest-version 7`,
    );
    const terse = instance({ versions: () => problem(409, "version_conflict") }).answer;
    const unnamed = await edit([artifactId, "--format", "json"], { ...person(() => "mine"), answer: terse });
    expect(unnamed.error["next"]).toEndWith("--expected-latest-version 5");
    const refused = instance({ versions: () => problem(400, "invalid_source") }).answer;
    const again = await edit([artifactId, "--format", "json"], { ...person(() => "<a"), answer: refused });
    expect(again.code).toBe(7);
    expect(again.error["next"]).toContain("--expected-latest-version 5");
    expect(readFileSync(lastDraft(), "utf8")).toBe("<a");
  });

  test("an editor that fails, an emptied text or no text publishes nothing and loses nothing", async () => {
    for (const setup of [person(() => "mine", 3), person(() => ""), person(() => Buffer.from([0xff, 0xfe]))]) {
      const { answer, bodies } = instance();
      const { code } = await edit([artifactId], { ...setup, answer });
      expect({ code, bodies, kept: existsSync(lastDraft()) }).toEqual({ code: 2, bodies: [], kept: true });
    }
    const { answer } = instance();
    expect((await edit([artifactId], { ...person((old) => old, 1), answer })).code).toBe(2);
    expect(existsSync(lastDraft())).toBe(false);
  });

  test("a hostile slug names no file elsewhere", async () => {
    const { answer } = instance();
    const hostile = async (request: Request) =>
      new URL(request.url).pathname === `/api/artifacts/${artifactId}`
        ? json({ ...artifact, slug: "../../../evil; rm -rf $HOME" })
        : answer(request);
    await edit([artifactId], { ...person((old) => old), answer: hostile });
    expect(lastDraft()).toMatch(/plinth-edit-[^/]+\/artifact\.md$/);
  });

  test("needs a person: exit 2 without a terminal, 10 where prompts are forbidden", async () => {
    const code = async (setup: LineContext, ...words: readonly string[]) =>
      (await edit([artifactId, ...words], setup)).code;
    expect(await code({ env })).toBe(2);
    expect(await code({ env, terminal: true })).toBe(2);
    expect(await code({ env: { ...env, CI: "1" }, ...onTerminal })).toBe(10);
    expect(await code({ env, ...onTerminal }, "--no-input")).toBe(10);
    expect(await code({ env: { TERM: "dumb" }, ...onTerminal })).toBe(2);
    expect(await code({ env, ...onTerminal }, "--dry-run")).toBe(2);
  });

  test("VISUAL goes before EDITOR, but not on a dumb terminal; vi where neither is set", async () => {
    const opened = async (more: Record<string, string>) => {
      let editor = "";
      await edit([artifactId], {
        ...onTerminal,
        env: more,
        answer: instance().answer,
        edit: (_path, name) => {
          editor = name;
          return 0;
        },
      });
      return editor;
    };
    expect(await opened({ VISUAL: "v", EDITOR: "e", TERM: "xterm" })).toBe("v");
    expect(await opened({ VISUAL: "v", EDITOR: "e", TERM: "dumb" })).toBe("e");
    expect(await opened({ TERM: "xterm" })).toBe("vi");
  });

  test("a real editor is called as a shell would, and the file's name is never read by one", async () => {
    const { runEditor } = await import("../io/editor.ts");
    const directory = join(emptyDirectory(), "a b $(touch evil)");
    mkdirSync(directory);
    const file = join(directory, "it's `x`.md");
    writeFileSync(file, "old");
    expect(await runEditor("sed -i 's/old/new text/'", file)).toBe(0);
    expect(readFileSync(file, "utf8")).toBe("new text");
    expect(await runEditor("exit 4 #", file)).toBe(4);
    expect(await runEditor("no-such-editor", file)).toBe(127);
    expect(readdirSync(directory)).toEqual(["it's `x`.md"]);
  });
});
