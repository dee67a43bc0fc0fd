import { describe, expect, test } from "bun:test";

import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { commands } from "../catalogue.ts";
import { emptyDirectory, json, line, type LineContext } from "../testing/line.ts";

const artifactId = "art_01jd8w3c5t7k9m2n4p6q8r0s1v";
const answer = (request: Request) => json({ artifactId, url: request.url });
const webUrl = "https://web.test";

const sent = async (words: readonly string[], setup: LineContext = {}) => {
  const { requests, code } = await line(words, { answer, ...setup });
  return code === 0 ? requests.map(({ url }) => new URL(url).pathname) : code;
};
const path = ["/api/by-path/ada/demo/report", `/api/artifacts/${artifactId}`];

describe("an artifact may be named", () => {
  test.each([
    "ada/demo/report",
    "http://localhost:3000/ada/demo/report",
    "http://localhost:3000/ada/demo/report/",
    "http://localhost:3000/ada/demo/report?v=3#part",
    "http://localhost:3000/ada/demo/report/history",
    "http://localhost:3000/ada/demo/report/settings",
    `${webUrl}/ada/demo/report`,
    "localhost:3000/ada/demo/report?v=3",
  ])("%s, by a word or a flag", async (name) => {
    expect(await sent(["artifact", "get", "--artifact-id", name, "--web-url", webUrl])).toEqual(path);
    expect(await sent(["get", name, "--web-url", webUrl])).toEqual(path);
  });

  test("wherever a command takes --artifact-id", async () => {
    const taking = commands.filter(({ flags }) => flags["artifact-id"] !== undefined).map((command) => command.path);
    expect(taking.length).toBeGreaterThan(15);
    const refused = "http://elsewhere.test/ada/demo/report";
    for (const command of commands.filter(({ path }) => taking.includes(path))) {
      const needed = Object.entries(command.flags)
        .filter(([name, flag]) => flag.required && name !== "artifact-id")
        .flatMap(([name, { type, values, read }]) => {
          if (type === "boolean") return [`--${name}`];
          return [`--${name}`, values?.[0] ?? (/from|to$|version/.test(name) && read ? "1" : "none@example.com")];
        });
      // Of two resources, the word is the other one.
      const isSubject = command.subject?.kind === "artifact";
      for (const named of [["--artifact-id", refused], ...(isSubject ? [[refused]] : [])]) {
        const words = [...command.path.split(" "), ...needed, ...named];
        const { code, error, requests } = await line(words, {});
        expect({ words, code, detail: error["detail"], sent: requests.length }).toEqual({
          words,
          code: 2,
          detail: "The address leads to http://elsewhere.test, and not to http://localhost:3000",
          sent: 0,
        });
      }
    }
  });

  test("and every command of one takes it as its first word, but one that is of a workspace", () => {
    const taking = commands.filter(({ flags }) => flags["artifact-id"] !== undefined);
    const others = taking.filter(({ subject }) => subject?.kind !== "artifact").map((command) => command.path);
    expect(others).toEqual(["diff", "workspace audit"]);
  });

  test("by its slug, where a .plinth.json names the project", async () => {
    const directory = emptyDirectory();
    writeFileSync(join(directory, ".plinth.json"), '{"owner": "ada", "projectSlug": "demo"}');
    expect(await sent(["get", "report"], { directory })).toEqual(path);
    expect(await sent(["get", "report"])).toBe(2);
    writeFileSync(join(directory, ".plinth.json"), '{"projectSlug": "demo"}');
    expect(await sent(["get", "report"], { directory })).toBe(2);
  });

  test("by nothing else", async () => {
    for (const name of [
      "ada/demo",
      "ada/demo/report/more",
      "/ada/demo/report",
      "a/../b",
      "a//b",
      "a/b/c%2fd",
      "https:///",
      "http://localhost:3000/ada/demo",
      "http://localhost:3000/share/pls_0123456789",
      "http://localhost:3000@evil.test/ada/demo/report",
      "http://localhost:3000.evil.test/ada/demo/report",
      "http://localhost:3001/ada/demo/report",
      "https://localhost:3000/ada/demo/report",
    ])
      expect({ name, result: await sent(["artifact", "get", "--artifact-id", name]) }).toEqual({ name, result: 2 });
  });

  test("but not in a dry run, which cannot ask for the identifier", async () => {
    const { code, error, requests } = await line(["artifact", "get", "--artifact-id", "a/b/c", "--dry-run"]);
    expect({ code, sent: requests.length, next: error["next"] }).toEqual({
      code: 2,
      sent: 0,
      next: "plinth path artifact --owner a --project-slug b --slug c --field artifactId",
    });
  });
});

describe("the version in an address", () => {
  const page = "http://localhost:3000/ada/demo/report";
  const last = async (...words: readonly string[]) => {
    const { requests, code } = await line(words, { answer: () => json({ artifactId, latestVersion: 7 }) });
    const { pathname, search } = new URL(requests.at(-1)?.url ?? "http://none");
    return code === 0 ? pathname.replace(`/api/artifacts/${artifactId}`, "") + search : code;
  };

  test("is that of the line, unless a flag says another", async () => {
    expect(await last("cat", `${page}?v=3`)).toBe("/content?version=3");
    expect(await last("cat", "--artifact-id", `${page}?v=3`)).toBe("/content?version=3");
    expect(await last("cat", "ada/demo/report?v=3")).toBe("/content?version=3");
    expect(await last("cat", `${page}?v=3`, "--version", "2")).toBe("/content?version=2");
    expect(await last("artifact", "restore", `${page}?v=3`)).toBe("/versions/3/restore");
    expect(await last("diff", `${page}/history?from=2&to=5`)).toBe("/diff?from=2&to=5");
  });

  test("is nothing to a command that reads the artifact, and refused by one that changes all of it", async () => {
    expect(await last("get", `${page}?v=3`)).toBe("");
    expect(await last("artifact", "delete", `${page}?v=3`, "--yes")).toBe(2);
    expect(await last("artifact", "edit", `${page}?v=3`, "--replace", "a", "--with", "b")).toBe(2);
  });

  test("without one: the latest, and the two latest", async () => {
    expect(await last("diff", "ada/demo/report")).toBe("/diff?from=6&to=7");
    expect(await last("artifact", "diff", artifactId)).toBe("/diff?from=6&to=7");
    expect(await last("diff", artifactId, "--to", "3")).toBe("/diff?from=2&to=3");
    expect(await last("diff", artifactId, "--from", "3")).toBe("/diff?from=3&to=7");
    expect(await last("artifact", "files", artifactId)).toBe("/versions/7/files");
    expect(await last("diff", artifactId, "--to", "1")).toBe(3);
    expect(await last("diff", artifactId, "--dry-run")).toBe(2);
  });
});

describe("a project may be named by a word", () => {
  const asked = async (...words: readonly string[]) => {
    const answer = ({ url }: Request) =>
      json(url.endsWith("/api/profile/me") ? { username: "ada" } : { artifacts: [], nextCursor: null });
    const { requests, code } = await line(words, { answer });
    const { pathname, search } = new URL(requests.at(-1)?.url ?? "http://none");
    return code === 0 ? pathname + search : code;
  };

  test("of a list, of what is there, and by its address", async () => {
    expect(await asked("ls")).toBe("/api/profile/artifacts");
    expect(await asked("ls", "ada/demo", "--limit", "3")).toBe("/api/artifacts?limit=3&owner=ada&project=demo");
    expect(await asked("ls", "demo")).toBe("/api/artifacts?owner=ada&project=demo");
    expect(await asked("ls", "ada/demo", "--deleted")).toBe(2);
    expect(await asked("path", "project", "http://localhost:3000/ada/demo")).toBe("/api/by-path/ada/demo");
    expect(await asked("path", "artifact", "ada/demo/report")).toBe("/api/by-path/ada/demo/report");
    expect(await asked("path", "artifact", "ada/demo/report", "--owner", "bo")).toBe(2);
    expect(await asked("project", "slug-availability", "ada/demo")).toBe("/api/projects/slug-availability/ada/demo");
    expect(await asked("share", "revoke", "shl_1")).toBe("/api/share-links/shl_1/revoke");
    expect(await asked("share", "revoke", "shl_1", "--share-link-id", "shl_2")).toBe(2);
  });
});

describe("artifact open", () => {
  const page = "https://plinth.test/ada/demo/report";
  const shows =
    (url = page) =>
    () =>
      json({ artifactId, url });
  const open = async (words: readonly string[], setup: LineContext = {}) => {
    const opened: string[] = [];
    const browse = (address: string) => void opened.push(address);
    const env = { DISPLAY: ":0", ...setup.env };
    const ran = await line(["artifact", "open", ...words], { answer: shows(), browse, ...setup, env });
    return { ...ran, opened, paths: ran.requests.map(({ url }) => new URL(url).pathname) };
  };

  test("opens the page and prints its address", async () => {
    const { code, stdout, stderr, opened, paths } = await open(["ada/demo/report"]);
    expect({ code, stderr, opened, paths }).toEqual({
      code: 0,
      stderr: "",
      opened: [page],
      paths: ["/api/by-path/ada/demo/report"],
    });
    expect(JSON.parse(stdout)).toEqual({ url: page, artifactId, opened: true });
    expect((await open([artifactId, "--version", "2", "--format", "text"])).stdout).toBe(`${page}?v=2\n`);
    const flags = ["--owner", "ada", "--project-slug", "demo", "--slug", "report"];
    expect((await open(flags)).paths).toEqual(["/api/by-path/ada/demo/report"]);
    expect((await open(["--artifact-id", artifactId])).paths).toEqual([`/api/artifacts/${artifactId}`]);
  });

  test("takes no share token along into the browser", async () => {
    const { opened } = await open([artifactId, "--share-token", "pls_0123456789abcdef"]);
    expect(opened).toEqual([page]);
  });

  test("only prints where there is no browser, or prompts are forbidden", async () => {
    for (const [words, env] of [
      [["--no-input"], {}],
      [[], { CI: "true" }],
      [[], { SSH_CONNECTION: "1" }],
      [[], { DISPLAY: "" }],
    ] as const) {
      const { code, stdout, opened } = await open([artifactId, ...words], { env });
      expect({ code, opened, value: JSON.parse(stdout) }).toEqual({
        code: 0,
        opened: [],
        value: { url: page, artifactId, opened: false },
      });
    }
  });

  test("a line that is not right is not sent", async () => {
    for (const words of [
      [],
      ["--slug", "a"],
      ["--slug", "a", "--owner", "b"],
      [artifactId, "--slug", "a", "--owner", "b", "--project-slug", "c"],
      [artifactId, artifactId],
      ["https://elsewhere.test/a/b/c"],
      [artifactId, "--version", "0"],
    ])
      expect(await open(words)).toMatchObject({ code: 2, requests: [], opened: [] });
  });
});

describe("a deleted artifact may be named by the address it had", () => {
  const trashed = (id: string, slug = "report") => ({
    artifactId: `art_${id.repeat(26)}`,
    ownerUsername: "ada",
    projectSlug: "demo",
    slug,
    title: `Title ${id}`,
  });
  const pages = (...trash: readonly (readonly object[])[]) => ({
    env: { SERVICE_TOKEN: "plk_x" },
    answer: (request: Request) => {
      const { pathname, searchParams } = new URL(request.url);
      if (request.method === "POST") return json({ artifactId, url: "http://h/ada/demo/report" });
      if (pathname.startsWith("/api/by-path")) return json({ artifactId });
      const page = Number(searchParams.get("cursor") ?? 0);
      return json({ artifacts: trash[page] ?? [], nextCursor: page + 1 < trash.length ? String(page + 1) : null });
    },
  });
  const undelete = (setup: LineContext) => line(["artifact", "undelete", "--artifact-id", "ada/demo/report"], setup);

  test("which is looked for in the whole trash", async () => {
    const { code, requests } = await undelete(pages([trashed("0", "another")], [trashed("1")]));
    expect({ code, sent: requests.map(({ url }) => new URL(url).pathname) }).toEqual({
      code: 0,
      sent: ["/api/profile/artifacts", "/api/profile/artifacts", `/api/artifacts/${trashed("1").artifactId}/undelete`],
    });
  });

  test("of several with one address none is guessed: each is named with its identifier", async () => {
    const { code, error, requests } = await undelete(pages([trashed("2"), trashed("1")]));
    expect({ code, writes: requests.filter(({ method }) => method === "POST").length }).toEqual({ code: 6, writes: 0 });
    expect(error).toMatchObject({
      code: "slug_conflict",
      detail: `2 deleted artifacts had that address: ${trashed("2").artifactId} ("Title 2"), ${trashed("1").artifactId} ("Title 1")`,
      next: `plinth artifact undelete ${trashed("2").artifactId}`,
    });
  });

  test("one that is there and not deleted is taken as it is", async () => {
    const { code, requests } = await undelete(pages([]));
    expect({ code, last: new URL(requests.at(-1)?.url ?? "").pathname }).toEqual({
      code: 0,
      last: `/api/artifacts/${artifactId}/undelete`,
    });
  });

  test("deleting says how to undo it", async () => {
    const { code, stderr } = await line(
      ["artifact", "delete", "--yes", "--artifact-id", artifactId, "--format", "text"],
      {
        answer: () => json({}),
      },
    );
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: `Deleted ${artifactId}\nYou can undo it for 30 days: plinth artifact undelete ${artifactId}\n`,
    });
  });
});
