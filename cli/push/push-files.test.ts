// Pushing documents with their files, and folders by their paths, against a small instance in memory.
import { describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { createInstance, type Instance } from "../testing/instance.ts";
import { emptyDirectory, json, line, problem, type LineContext, type Ran } from "../testing/line.ts";

type Files = Readonly<Record<string, string>>;

interface Place {
  readonly directory: string;
  readonly home: string;
  readonly instance: Instance;
  write(files: Files): void;
  /** Pushes; the requests of the run are in `log`. */
  push(words: readonly string[], context?: LineContext): Promise<Ran & { log: readonly string[]; value: Value }>;
}

interface Value {
  readonly action?: string;
  readonly files?: object;
  readonly notFound?: readonly object[];
  readonly leftOut?: readonly object[];
  readonly results?: readonly { file: string; action: string; changed?: readonly string[]; files?: object }[];
  readonly links?: { readonly count: number; readonly broken: readonly object[] };
  readonly gone?: readonly { readonly sourcePath: string }[];
  readonly pruned?: readonly { readonly sourcePath: string }[];
}

function place(files: Files, instance: Instance = createInstance()): Place {
  const directory = emptyDirectory();
  const home = emptyDirectory();
  const write = (more: Files) => {
    for (const [path, content] of Object.entries(more)) {
      mkdirSync(dirname(join(directory, path)), { recursive: true });
      writeFileSync(join(directory, path), content);
    }
  };
  write(files);
  return {
    directory,
    home,
    instance,
    write,
    async push(words, context = {}) {
      const before = instance.log.length;
      const ran = await line(["push", "--project-slug", "demo", ...words], {
        directory,
        env: { HOME: home },
        answer: instance.answer,
        ...context,
      });
      const value = (ran.stdout.startsWith("{") ? JSON.parse(ran.stdout) : {}) as Value;
      return { ...ran, log: instance.log.slice(before), value };
    },
  };
}

const actions = ({ results = [] }: Value) =>
  results.map(({ file, action, changed = [] }) => `${file}: ${[action, ...changed].join(" ")}`);
const lines = ({ stderr }: Ran) => stderr.trimEnd().split("\n");
const countOf = (log: readonly string[], method: string) => log.filter((entry) => entry.startsWith(method)).length;

describe("one document", () => {
  test("its files are uploaded and published with it; what is missing is told", async () => {
    const files = place({
      "report.md": "# R\n\n![a](img/a.png) ![b](b.png)\n![c](gone.png)\n",
      "img/a.png": "a",
      "b.png": "b",
    });
    const { code, value, stderr, log } = await files.push(["report.md"]);
    expect({ code, stderr: stderr.trimEnd().split("\n") }).toEqual({
      code: 0,
      stderr: ["created: v1, public", "2 files with it (2 B, 2 uploaded)", "not found: gone.png (line 4)"],
    });
    expect(value).toMatchObject({
      action: "created",
      files: { count: 2, sizeBytes: 2, uploaded: 2 },
      notFound: [{ url: "gone.png", line: 4, file: null }],
    });
    expect(log.map((entry) => entry.replace(/[0-9a-f]{64}/, "…"))).toEqual([
      "POST /api/files/missing",
      "PUT /api/files/…",
      "PUT /api/files/…",
      "POST /api/artifacts",
    ]);
    const [artifact] = [...files.instance.artifacts.values()];
    expect(artifact?.versions[0]?.files.map(({ path }) => path)).toEqual(["b.png", "img/a.png"]);
  });

  test("pushed again: unchanged; another image: a version, and one upload", async () => {
    const files = place({ "report.md": "# R\n\n![a](a.png)\n", "a.png": "one" });
    await files.push(["report.md"]);
    expect((await files.push(["report.md", "--ensure"])).value.action).toBe("unchanged");
    files.write({ "a.png": "two" });
    const ran = await files.push(["report.md", "--ensure"]);
    expect(ran.value).toMatchObject({ action: "updated", changed: ["files"], files: { count: 1, uploaded: 1 } });
    files.write({ "report.md": "# R\n\nNone\n" });
    expect((await files.push(["report.md", "--ensure"])).value).toMatchObject({ changed: ["content", "files"] });
    expect([...files.instance.artifacts.values()][0]?.versions.at(-1)?.files).toEqual([]);
  });

  test("a text that changes alone does not send its files again", async () => {
    const files = place({ "report.md": "# R\n\n![a](a.png)\n", "a.png": "one" });
    await files.push(["report.md"]);
    files.write({ "report.md": "# R\n\nNew ![a](a.png)\n" });
    const { value, log } = await files.push(["report.md", "--ensure"]);
    expect({ changed: value, uploads: countOf(log, "PUT") }).toMatchObject({
      changed: { changed: ["content"] },
      uploads: 0,
    });
    expect([...files.instance.artifacts.values()][0]?.versions.at(-1)?.files).toHaveLength(1);
  });

  test("--check uploads nothing", async () => {
    const files = place({ "report.md": "![a](a.png)", "a.png": "one" });
    const { log, code } = await files.push(["report.md", "--check"]);
    expect({ code, uploads: countOf(log, "PUT") }).toEqual({ code: 0, uploads: 0 });
  });

  test("an upload that is refused fails the document, and nothing is published", async () => {
    const files = place({ "report.md": "![a](a.png)", "a.png": "one" });
    const answer = (request: Request) =>
      request.method === "PUT" ? problem(403, "storage_limit_reached") : files.instance.answer(request);
    const { code, error } = await files.push(["report.md"], { answer });
    expect({ code, error: error["code"], made: files.instance.artifacts.size }).toEqual({
      code: 5,
      error: "storage_limit_reached",
      made: 0,
    });
  });

  test("an upload that is cut off is sent again", async () => {
    const files = place({ "report.md": "![a](a.png)", "a.png": "one" });
    let cut = 0;
    const answer = (request: Request) => {
      if (request.method === "PUT" && cut++ === 0) throw Object.assign(new Error("cut"), { code: "ECONNRESET" });
      return files.instance.answer(request);
    };
    expect((await files.push(["report.md"], { answer })).code).toBe(0);
    expect(cut).toBe(2);
  });

  test("a caller who can only update the artifact uploads to it", async () => {
    const files = place({ "report.md": "# R\n\n![a](a.png)\n", "a.png": "one" });
    await files.push(["-r", "."]);
    files.write({ "a.png": "two" });
    const paths: string[] = [];
    const { instance } = files;
    const answer = async (request: Request) => {
      const { pathname } = new URL(request.url);
      paths.push(`${request.method} ${pathname.replace(/[0-9a-f]{64}/, "…")}`);
      if (pathname === "/api/files/missing") return problem(403, "forbidden");
      if (pathname.startsWith("/api/artifacts/art_1/uploads/"))
        return instance.answer(new Request(request.url.replace("/artifacts/art_1/uploads", "/files"), request));
      if (request.method === "POST" && pathname === "/api/artifacts") return problem(403, "forbidden");
      return instance.answer(request);
    };
    const { code, value } = await files.push(["-r", "."], { answer });
    expect({ code, action: value.results?.[0]?.action }).toEqual({ code: 0, action: "updated" });
    expect(paths).toContain("PUT /api/artifacts/art_1/uploads/…");
  });

  test("a secret in a script that goes with it is refused", async () => {
    const key = `ghp_${"aB3dE5fG7hK9".repeat(3)}`;
    const files = place({ "page.html": '<script src="a.js"></script>', "a.js": `const k = "${key}"` });
    const { code, error, log } = await files.push(["page.html"]);
    expect({ code, errors: error["errors"], log }).toMatchObject({
      code: 2,
      errors: [{ path: "a.js", line: 1 }],
      log: [],
    });
  });

  test("--root takes files from above, and none from outside", async () => {
    const files = place({ "docs/a.md": "![l](../img/l.png)", "img/l.png": "l" });
    const alone = await line(["push", "--project-slug", "demo", "a.md", "--dry-run"], {
      directory: join(files.directory, "docs"),
    });
    expect(alone.stdout).not.toContain("l.png");
    const ran = await line(["push", "--project-slug", "demo", "a.md", "--dry-run", "--root", ".."], {
      directory: join(files.directory, "docs"),
    });
    expect(JSON.parse(ran.stdout)).toMatchObject({
      request: { body: { files: [{ path: "img/l.png" }], documentPath: "docs/a.md" } },
    });
  });
});

const handbook: Files = {
  "docs/README.md": "# Handbook\n\n[Setup](guide/setup.md) [API](api) ![logo](img/logo.png)\n",
  "docs/guide/setup.md": "# Setup\n\n[Back](../README.md#top) ![logo](../img/logo.png) [gone](./gone.md)\n",
  "docs/api/README.md": "# API\n\n[Setup](../Guide/Setup) [by slug](no/such/handbook.html)\n",
  "docs/img/logo.png": "logo",
};

describe("a folder", () => {
  test("documents keep their paths, share images, and links that lead nowhere are told", async () => {
    const files = place(handbook);
    const ran = await files.push(["-r", "docs"]);
    expect(ran.code).toBe(0);
    expect(
      [...files.instance.artifacts.values()].map(({ sourcePath, slug }) => `${sourcePath} ${slug}`).sort(),
    ).toEqual(["README.md handbook", "api/README.md api", "guide/setup.md setup"]);
    expect(lines(ran).slice(3)).toEqual([
      "3 created",
      "1 file with them (4 B, 1 uploaded)",
      "6 links, 1 broken:",
      "  docs/guide/setup.md:3 → ./gone.md",
    ]);
    expect(ran.value.links).toEqual({ count: 6, broken: [{ file: "docs/guide/setup.md", line: 3, url: "./gone.md" }] });
    expect(countOf(ran.log, "PUT")).toBe(1);
    const setup = [...files.instance.artifacts.values()].find(({ slug }) => slug === "setup");
    expect(setup?.versions[0]).toMatchObject({ base: "guide/", files: [{ path: "img/logo.png" }] });
  });

  test("pushed again without --ensure: nothing changes and nothing is written", async () => {
    const files = place(handbook);
    await files.push(["-r", "docs"]);
    const { value, log } = await files.push(["-r", "docs"]);
    expect(actions(value)).toEqual([
      "docs/README.md: unchanged",
      "docs/api/README.md: unchanged",
      "docs/guide/setup.md: unchanged",
    ]);
    expect(log.filter((entry) => !entry.startsWith("GET"))).toEqual([]);
    // The versions that were seen are not asked for again.
    const third = await files.push(["-r", "docs"]);
    expect(third.log).toEqual(["GET /api/profile/me", "GET /api/artifacts"]);
    expect(actions(third.value)).toEqual(actions(value));
    const owner = await files.push(["-r", "docs", "--owner", "ada"]);
    expect(countOf(owner.log, "GET /api/artifacts/")).toBe(3);
  });

  test("remembered versions that cannot be read are asked for again", async () => {
    const files = place({ "docs/a.md": "# A\n" });
    for (let run = 0; run < 2; run++) await files.push(["-r", "docs"]);
    const folder = join(files.home, ".local/state/plinth/versions");
    const [name = ""] = readdirSync(folder);
    for (const text of ["{", "[null]", '{"art_1":{"versionNumber":1}}', '{"art_1":null}']) {
      writeFileSync(join(folder, name), text);
      const { code, value, log } = await files.push(["-r", "docs"]);
      expect({ code, actions: actions(value), asked: countOf(log, "GET /api/artifacts/") }).toEqual({
        code: 0,
        actions: ["docs/a.md: unchanged"],
        asked: 1,
      });
    }
  });

  test("a version by another writer is not taken for the one that was seen", async () => {
    const files = place({ "docs/a.md": "# A\n" });
    await files.push(["-r", "docs"]);
    await files.push(["-r", "docs"]);
    const [artifact] = [...files.instance.artifacts.values()];
    artifact?.versions.push({ content: "# Theirs\n", files: [], base: "" });
    Object.assign(artifact ?? {}, { latestVersion: 2 });
    expect(actions((await files.push(["-r", "docs"])).value)).toEqual(["docs/a.md: updated content"]);
    expect(artifact?.versions).toHaveLength(3);
  });

  test("a changed title keeps the artifact, a renamed file moves it, and one that is gone is told", async () => {
    const files = place(handbook);
    await files.push(["-r", "docs"]);
    files.write({ "docs/guide/setup.md": "# Install\n" });
    renameSync(join(files.directory, "docs/api/README.md"), join(files.directory, "docs/reference.md"));
    rmSync(join(files.directory, "docs/README.md"));
    const ran = await files.push(["-r", "docs"]);
    expect(actions(ran.value)).toEqual([
      "docs/guide/setup.md: updated content files title",
      "docs/reference.md: updated sourcePath",
    ]);
    expect(ran.value.gone).toMatchObject([{ sourcePath: "README.md" }]);
    expect(lines(ran)).toContain(
      "1 artifact has no file in the folder any more: README.md (--prune moves to the trash)",
    );
    expect(
      [...files.instance.artifacts.values()].map(({ sourcePath, slug }) => `${sourcePath} ${slug}`).sort(),
    ).toEqual(["README.md handbook", "guide/setup.md setup", "reference.md api"]);
  });

  test("a file that is renamed and edited keeps its artifact by its title", async () => {
    const files = place({ "docs/a.md": "# Plan\n\none\n", "docs/b.md": "# B\n" });
    await files.push(["-r", "docs"]);
    rmSync(join(files.directory, "docs/a.md"));
    files.write({ "docs/plan.md": "# Plan\n\ntwo\n" });
    expect(actions((await files.push(["-r", "docs"])).value)).toEqual([
      "docs/b.md: unchanged",
      "docs/plan.md: updated content sourcePath",
    ]);
  });

  test("--prune needs --yes or the person's word, and then moves what is gone to the trash", async () => {
    const files = place({ "docs/a.md": "# A\n", "docs/b.md": "# B\n" });
    await files.push(["-r", "docs"]);
    rmSync(join(files.directory, "docs/b.md"));
    files.write({ "docs/a.md": "# A\n\nnew\n" });
    const refused = await files.push(["-r", "docs", "--prune"]);
    expect({ code: refused.code, error: refused.error["code"], writes: countOf(refused.log, "POST") }).toEqual({
      code: 2,
      error: "confirmation_needed",
      writes: 0,
    });
    expect(refused.error["errors"]).toMatchObject([{ path: "b.md" }]);
    const terminal = { terminal: true, stdinIsTerminal: true };
    const no = await files.push(["-r", "docs", "--prune"], { ...terminal, answers: ["n"] });
    expect({ code: no.code, writes: countOf(no.log, "POST") + countOf(no.log, "DELETE") }).toEqual({
      code: 130,
      writes: 0,
    });
    const asked = await files.push(["-r", "docs", "--prune", "--format", "json"], { ...terminal, answers: ["y"] });
    expect({ code: asked.code, questions: asked.questions }).toEqual({
      code: 0,
      questions: ["Move to the trash? [y/N] "],
    });
    expect(asked.stderr).toContain("b.md  http://localhost:3000/ada/demo/b");
    expect([...files.instance.artifacts.values()].map(({ slug }) => slug)).toEqual(["a"]);
    files.write({ "docs/c.md": "# C\n" });
    await files.push(["-r", "docs"]);
    rmSync(join(files.directory, "docs/c.md"));
    expect((await files.push(["-r", "docs", "--prune", "--yes"])).value.pruned).toMatchObject([{ sourcePath: "c.md" }]);
  });

  test("--prune and --strict-links are for a folder with -r", async () => {
    const files = place({ "a.md": "# A\n" });
    for (const flag of ["--prune", "--strict-links"]) {
      expect((await files.push(["a.md", flag])).code).toBe(2);
      expect((await files.push(["-r", ".", "--watch", flag])).code).toBe(2);
    }
    expect(files.instance.log).toEqual([]);
  });

  test("--strict-links publishes nothing where a link is broken", async () => {
    const files = place(handbook);
    const { code, error, log } = await files.push(["-r", "docs", "--strict-links"]);
    expect({ code, errors: error["errors"], writes: countOf(log, "POST") + countOf(log, "PUT") }).toEqual({
      code: 2,
      errors: [{ path: "docs/guide/setup.md", line: 3, message: "./gone.md" }],
      writes: 0,
    });
    expect((await files.push(["-r", "docs", "--strict-links", "--dry-run"])).code).toBe(2);
    files.write({ "docs/guide/gone.md": "# Gone\n" });
    expect((await files.push(["-r", "docs", "--strict-links"])).code).toBe(0);
  });

  test("titles that meet, and a new file with the title of another", async () => {
    const files = place({
      "docs/a/README.md": "# Overview\n",
      "docs/b/README.md": "# Overview\n",
      "docs/c.md": "# C\n",
    });
    await files.push(["-r", "docs"]);
    files.write({ "docs/d/c.md": "# C\n" });
    expect(actions((await files.push(["-r", "docs"])).value)).toContain("docs/d/c.md: created");
    expect([...files.instance.artifacts.values()].map(({ slug }) => slug).sort()).toEqual([
      "a-readme",
      "b-readme",
      "c",
      "d-c",
    ]);
  });

  test("artifacts without a source path are taken over with --ensure, and those of other files are not", async () => {
    const files = place({ "docs/a.md": "# A\n" });
    await files.push(["docs/a.md"]);
    expect((await files.push(["-r", "docs"])).code).toBe(6);
    expect(actions((await files.push(["-r", "docs", "--ensure"])).value)).toEqual(["docs/a.md: updated sourcePath"]);
    expect(actions((await files.push(["-r", "docs"])).value)).toEqual(["docs/a.md: unchanged"]);
    const other = place({ "other/x.md": "# A\n" }, files.instance);
    expect((await other.push(["other/x.md", "--slug", "a", "--ensure"])).code).toBe(0);
  });

  test("one file of it, pushed alone, publishes the same files at the same paths", async () => {
    const files = place({ "docs/guide/a.md": "# A\n\n![x](x.png)\n", "docs/guide/x.png": "x" });
    await files.push(["-r", "docs"]);
    expect((await files.push(["docs/guide/a.md", "--ensure"])).value.action).toBe("unchanged");
    files.write({ "docs/guide/a.md": "# A\n\nnew ![x](x.png)\n" });
    await files.push(["docs/guide/a.md", "--ensure"]);
    expect(actions((await files.push(["-r", "docs"])).value)).toEqual(["docs/guide/a.md: unchanged"]);
  });

  test("modules that other jsx of the folder imports are files of it and no documents", async () => {
    const files = place({
      "ui/app.jsx":
        'import { Chart } from "./chart"; import rows from "./rows.json"; export default () => <Chart rows={rows}/>',
      "ui/chart.jsx": "export const Chart = () => <p/>",
      "ui/rows.json": "[]",
    });
    expect(actions((await files.push(["-r", "ui"])).value)).toEqual(["ui/app.jsx: created"]);
    expect([...files.instance.artifacts.values()][0]?.versions[0]?.files.map(({ path }) => path)).toEqual([
      "chart.jsx",
      "rows.json",
    ]);
  });

  test("two folders with a file of the same path are refused", async () => {
    const files = place({ "a/x.md": "# A\n", "b/x.md": "# B\n" });
    const { code, error } = await files.push(["-r", "a", "b"]);
    expect({ code, detail: error["detail"] }).toEqual({
      code: 2,
      detail: "a/x.md and b/x.md would have the same source path x.md",
    });
  });

  test("a push that is cut off after any number of requests is run again: whole, and no document twice", async () => {
    const source: Record<string, string> = {};
    for (let n = 0; n < 6; n++) source[`docs/d${n}.md`] = `# D${n}\n\n![p](p${n}.png) ![s](s.png)\n`;
    for (let n = 0; n < 6; n++) source[`docs/p${n}.png`] = `image ${n}`;
    source["docs/s.png"] = "shared";
    for (let cut = 1; cut < 17; cut += 3) {
      const files = place(source);
      let left = cut;
      const answer = async (request: Request) => {
        if (left-- <= 0) throw Object.assign(new Error("away"), { code: "ECONNREFUSED" });
        const response = await files.instance.answer(request);
        // The last request arrives, and its answer does not.
        if (left === 0) throw Object.assign(new Error("cut"), { code: "EUNKNOWN" });
        return response;
      };
      expect((await files.push(["-r", "docs"], { answer })).code).not.toBe(0);
      expect((await files.push(["-r", "docs"])).code).toBe(0);
      const all = [...files.instance.artifacts.values()];
      expect({ cut, count: all.length, paths: new Set(all.map(({ sourcePath }) => sourcePath)).size }).toEqual({
        cut,
        count: 6,
        paths: 6,
      });
      expect(all.every(({ versions }) => versions.length === 1 && versions[0]?.files.length === 2)).toBe(true);
      expect(files.instance.files.size).toBe(7);
    }
  });
});

test("an artifact of the same path that came after the list is updated", async () => {
  const files = place({ "docs/deep/a.md": "# A\n" });
  await files.push(["-r", "docs"]);
  files.write({ "docs/deep/a.md": "# Another\n" });
  const answer = (request: Request) =>
    request.method === "GET" && new URL(request.url).pathname === "/api/artifacts"
      ? json({ artifacts: [], nextCursor: null })
      : files.instance.answer(request);
  const { code, value } = await files.push(["-r", "docs"], { answer });
  expect({ code, actions: actions(value) }).toEqual({
    code: 0,
    actions: ["docs/deep/a.md: updated content title"],
  });
  expect(files.instance.artifacts.size).toBe(1);
});

test("the project that is listed has pages", async () => {
  const files = place({ "docs/a.md": "# A\n" });
  let pages = 0;
  const answer = (request: Request) => {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname !== "/api/artifacts" || request.method !== "GET") return files.instance.answer(request);
    pages++;
    expect(searchParams.get("project")).toBe("demo");
    return json({ artifacts: [], nextCursor: searchParams.get("cursor") === null ? "next" : null });
  };
  expect((await files.push(["-r", "docs"], { answer })).code).toBe(0);
  expect(pages).toBeGreaterThan(0);
});
