import { describe, expect, test } from "bun:test";
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { artifactAt } from "../testing/artifact.ts";
import { emptyDirectory, json, line, problem, type Ran } from "../testing/line.ts";

const version = (versionNumber: number) => json({ versionNumber, createdAt: "2026-11-22T00:00:00.000Z" }, 201);

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body: {
    readonly slug?: string;
    readonly title?: string;
    readonly description?: string | null;
    readonly content?: string;
    readonly expectedLatestVersion?: number;
  };
}

/** A watch of what the words name: what it has sent so far, and ways to wait for it, to write, and to end it. */
function watching(words: readonly string[], files: Readonly<Record<string, string>>, answer: (sent: Sent) => Response) {
  const directory = emptyDirectory();
  const write = (name: string, content: string) => writeFileSync(join(directory, name), content);
  mkdirSync(join(directory, "docs/deep"), { recursive: true });
  for (const [name, content] of Object.entries(files)) write(name, content);
  const end = Promise.withResolvers<void>();
  const sent: Omit<Sent, "method">[] = [];
  const looksAndChanges: string[] = [];
  let stderr = "";
  const ran = line(["push", "--project-slug", "demo", "--watch", ...words], {
    directory,
    env: { HOME: emptyDirectory() },
    interrupt: end.promise,
    onStderr: (text) => (stderr += text),
    wait: (seconds) => Bun.sleep(Math.min(seconds * 1000, 100)),
    answer: async (request) => {
      const { method } = request;
      const path = new URL(request.url).pathname;
      const body = method === "GET" ? {} : ((await request.clone().json()) as Sent["body"]);
      if (method === "POST") sent.push({ path, body });
      else looksAndChanges.push(`${method} ${path}${method === "PATCH" ? ` ${JSON.stringify(body)}` : ""}`);
      if (path === "/api/profile/me") return json({ username: "ada" });
      if (method === "GET" && path === "/api/artifacts") return json({ artifacts: [], nextCursor: null });
      return answer({ method, path, body });
    },
  });
  const until = async (holds: () => boolean) => {
    while (!holds()) {
      const isOver = await Promise.race([ran.then(() => true), Bun.sleep(10).then(() => false)]);
      if (isOver && !holds()) throw new Error(`It ended: ${stderr}`);
    }
  };
  return {
    directory,
    /** What creates: artifacts and versions. */
    sent,
    looksAndChanges,
    write,
    ran,
    begun: () => until(() => stderr.includes("Watching")),
    said: (text: string) => until(() => stderr.includes(text)),
    times: (count: number) => until(() => sent.length >= count),
    end: async (): Promise<Ran> => {
      end.resolve();
      return ran;
    },
  };
}

/** Creates, changes what is asked to be changed, and counts the versions on; `elsewhere` changes it as others would. */
function counting() {
  const there = new Map<string, ReturnType<typeof artifactAt>>();
  const set = (path: string, change: object) => {
    const changed = { ...(there.get(path) ?? artifactAt("")), ...change };
    there.set(path, changed);
    return changed;
  };
  const answer = ({ method, path, body }: Sent): Response => {
    if (path === "/api/artifacts") {
      const { slug = "", title = "", description = null } = body;
      const made = { ...artifactAt(slug), title, description };
      return json(set(`${path}/${made.artifactId}`, made), 201);
    }
    if (method === "GET") return json(set(path, {}));
    if (method === "PATCH") return json(set(path, body));
    const artifact = path.replace(/\/versions$/, "");
    return version(set(artifact, { latestVersion: set(artifact, {}).latestVersion + 1 }).latestVersion);
  };
  return Object.assign(answer, { elsewhere: set });
}

describe("--watch", () => {
  test("publishes what is saved on top of what it published, a line each, until Ctrl-C", async () => {
    const watch = watching(["report.md", "--format", "text"], { "report.md": "# A\n" }, counting());
    await watch.begun();
    watch.write("report.md", "# A\n\ntwo\n");
    await watch.times(2);
    // As editors save: another file is renamed into the place.
    watch.write("report.md~", "# A\n\nthree\n");
    renameSync(join(watch.directory, "report.md~"), join(watch.directory, "report.md"));
    await watch.times(3);
    watch.write("report.md", "# Another title\n");
    await watch.times(4);
    await Bun.sleep(0);
    const { code, stdout } = await watch.end();
    expect(code).toBe(130);
    expect(watch.sent.slice(1)).toEqual([
      { path: "/api/artifacts/art_a/versions", body: { content: "# A\n\ntwo\n", expectedLatestVersion: 1 } },
      { path: "/api/artifacts/art_a/versions", body: { content: "# A\n\nthree\n", expectedLatestVersion: 2 } },
      { path: "/api/artifacts/art_a/versions", body: { content: "# Another title\n", expectedLatestVersion: 3 } },
    ]);
    expect(watch.looksAndChanges).toEqual([
      "GET /api/artifacts/art_a",
      'PATCH /api/artifacts/art_a {"title":"Another title"}',
    ]);
    const said = stdout.split("\n");
    expect(said[0]).toMatch(/^v1 · \d\d:\d\d:\d\d · http:\/\/localhost:3000\/ada\/demo\/a$/);
    expect(said[2]).toStartWith("v3 · ");
  });

  test("a title and a description that a save changes are applied, and those given elsewhere stay until then", async () => {
    const answers = counting();
    const watch = watching(["report.md"], { "report.md": "# A\n" }, answers);
    await watch.begun();
    answers.elsewhere("/api/artifacts/art_a", { title: "Named on the web" });
    watch.write("report.md", "# A\n\ntwo\n");
    await watch.times(2);
    expect(watch.looksAndChanges).toEqual([]);
    watch.write("report.md", "---\ndescription: About it\n---\n# A\n");
    await watch.times(3);
    watch.write("report.md", "---\ndescription: About it\n---\n# B\n");
    await watch.times(4);
    const { stdout } = await watch.end();
    expect(watch.looksAndChanges).toEqual([
      "GET /api/artifacts/art_a",
      'PATCH /api/artifacts/art_a {"description":"About it"}',
      "GET /api/artifacts/art_a",
      'PATCH /api/artifacts/art_a {"title":"B"}',
    ]);
    const said = stdout.trimEnd().split("\n").slice(1, 4);
    expect(said.map((one) => (JSON.parse(one) as { changed: string[] }).changed)).toEqual([
      ["content"],
      ["content", "description"],
      ["content", "title"],
    ]);
  });

  test("a title of the command line is given again at the next save where it was changed elsewhere", async () => {
    const answers = counting();
    const watch = watching(["report.md", "--title", "Mine"], { "report.md": "# A\n" }, answers);
    await watch.begun();
    answers.elsewhere("/api/artifacts/art_mine", { title: "Named on the web" });
    watch.write("report.md", "# B\n");
    await watch.times(2);
    watch.write("report.md", "# C\n");
    await watch.times(3);
    await watch.end();
    expect(watch.looksAndChanges).toEqual([
      "GET /api/artifacts/art_mine",
      'PATCH /api/artifacts/art_mine {"title":"Mine"}',
      "GET /api/artifacts/art_mine",
    ]);
  });

  test("a private push does not go on top of an artifact that was made public since", async () => {
    let publicView = false;
    const secret = () => ({ ...artifactAt("a"), title: "A", access: { publicView, publicEdit: false } });
    const watch = watching(["report.md", "--private"], { "report.md": "# A\n" }, ({ path }) =>
      path.endsWith("/versions") ? version(2) : json(secret()),
    );
    await watch.begun();
    publicView = true;
    watch.write("report.md", "# A\n\ntwo\n");
    const { code } = await watch.ran;
    expect(code).toBe(6);
    expect(watch.sent.map(({ path }) => path)).toEqual(["/api/artifacts"]);
    expect(watch.looksAndChanges).toEqual(["GET /api/artifacts/art_a"]);
  });

  test("a burst is one version, and a save without a change none", async () => {
    const watch = watching(["report.md"], { "report.md": "# A\n" }, counting());
    await watch.begun();
    watch.write("report.md", "# A\n");
    for (let n = 0; n < 50; n++) watch.write("report.md", `# A\n\n${n}\n`);
    await watch.times(2);
    await watch.end();
    expect(watch.sent.at(-1)?.body.content).toBe("# A\n\n49\n");
    expect(watch.sent.length).toBeLessThan(10);
  });

  test("a folder: new files are created, what is hidden or no document is left alone; one object a line", async () => {
    const watch = watching(["docs", "-r"], { "docs/a.md": "# A\n", "docs/deep/b.md": "# B\n" }, counting());
    await watch.begun();
    watch.write("docs/.hidden.md", "# no\n");
    watch.write("docs/notes.txt", "no\n");
    watch.write("docs/deep/c.md", "# C\n");
    await watch.times(3);
    watch.write("docs/deep/b.md", "# B2\n");
    await watch.times(4);
    const { stdout } = await watch.end();
    expect(watch.sent.slice(2).map(({ path, body }) => [path, body.slug])).toEqual([
      ["/api/artifacts", "c"],
      ["/api/artifacts/art_b/versions", undefined],
    ]);
    const lines = stdout
      .trimEnd()
      .split("\n")
      .map((one) => JSON.parse(one) as { file: string; action: string; version: number });
    expect(lines.slice(0, 3)).toMatchObject([
      { file: "docs/a.md", action: "created", version: 1 },
      { file: "docs/deep/b.md", action: "created" },
      { file: "docs/deep/c.md", action: "created" },
    ]);
  });

  test("what does not compile, or would give a secret away, is shown, and watching goes on", async () => {
    const answers = counting();
    const broken = { errors: [{ path: "content", message: "Unexpected token", line: 1, column: 9 }] };
    const watch = watching(["report.md", "--format", "text"], { "report.md": "# A\n" }, (sent) =>
      sent.body.content?.includes("broken") ? problem(400, "invalid_source", broken) : answers(sent),
    );
    await watch.begun();
    watch.write("report.md", "broken\n");
    await watch.said("report.md:1:9: Unexpected token");
    watch.write("report.md", `${["npm", "aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zA1cF7"].join("_")}\n`);
    await watch.said("npm token");
    watch.write("report.md", "# Whole\n");
    await watch.times(3);
    await watch.end();
    expect(watch.sent.map(({ body }) => body.content)).toEqual(["# A\n", "broken\n", "# Whole\n"]);
  });

  test("a version of another writer ends it with exit 6", async () => {
    const answers = counting();
    const watch = watching(["report.md"], { "report.md": "# A\n" }, (sent) =>
      sent.path.endsWith("/versions")
        ? problem(409, "version_conflict", { expectedLatestVersion: 1, latestVersion: 2 })
        : answers(sent),
    );
    await watch.begun();
    answers.elsewhere("/api/artifacts/art_a", { latestVersion: 2 });
    watch.write("report.md", "# B\n");
    const { code, error } = await watch.ran;
    expect({ code, error: error["code"] }).toEqual({ code: 6, error: "version_conflict" });
    // The refused save changes nothing of the other writer's version.
    expect(watch.looksAndChanges).toEqual(["GET /api/artifacts/art_a"]);
  });

  test("a server that is away is tried again until it is back", async () => {
    const answers = counting();
    let away = 8;
    const watch = watching(["report.md"], { "report.md": "# A\n" }, (sent) =>
      sent.body.content?.includes("late") && away-- > 0
        ? problem(503, "unavailable", {}, { "retry-after": "1" })
        : answers(sent),
    );
    await watch.begun();
    watch.write("report.md", "# late\n");
    await watch.said("trying again\n");
    await watch.times(10);
    await watch.end();
    expect(watch.sent.at(-1)?.body).toEqual({ content: "# late\n", expectedLatestVersion: 1 });
  });

  test.each([
    { words: ["-", "--type", "md"], detail: "Standard input cannot be watched" },
    { words: ["report.md", "--dry-run"], detail: "--watch publishes, and so excludes --dry-run and --check" },
    { words: ["absent.md"], detail: "absent.md does not exist" },
  ])("$words is refused", async ({ words, detail }) => {
    const { ran } = watching(words, { "report.md": "# A\n" }, counting());
    const { code, error } = await ran;
    expect({ code, detail: error["detail"] }).toEqual({ code: 2, detail });
  });
});
