import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { digestOf } from "../files/digest.ts";
import { artifactAt } from "../testing/artifact.ts";
import { emptyDirectory, json, line, problem, type Ran } from "../testing/line.ts";

const directory = emptyDirectory();
writeFileSync(join(directory, "report.md"), "# The report\n\nText\n");
writeFileSync(join(directory, "page.html"), "<h1>Page</h1>");
const { sha256 } = digestOf("# The report\n\nText\n");

const artifact = (rest: Record<string, unknown> = {}) => artifactAt("the-report", { artifactId: "art_1", ...rest });

type Routes = Readonly<Record<string, () => Response>>;
const taken = () => problem(409, "slug_conflict", { artifactId: "art_1", suggestion: "the-report-2" });

/** Answers by method and path; a list of what was called comes back with the run. */
async function push(words: readonly string[], routes: Routes): Promise<Ran & { called: string[] }> {
  const ran = await line(["push", "--project-slug", "demo", ...words], {
    directory,
    answer: (request) => routes[`${request.method} ${new URL(request.url).pathname}`]?.() ?? problem(404, "not_found"),
  });
  return {
    ...ran,
    called: ran.requests.map((request) => `${request.method} ${new URL(request.url).pathname}`),
  };
}

test("creates what the file says, public and not for others to edit", async () => {
  const { code, stdout, requests } = await push(["report.md"], {
    "POST /api/artifacts": () => json(artifact(), 201),
  });
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toEqual({
    action: "created",
    url: artifact().url,
    artifact: artifact(),
    version: 1,
    visibility: "public",
  });
  expect(await requests[0]?.json()).toEqual({
    projectSlug: "demo",
    slug: "the-report",
    type: "md",
    title: "The report",
    content: "# The report\n\nText\n",
    access: { publicView: true, publicEdit: false },
  });
});

test("front matter gives title and description, flags come first, and the content keeps every byte", async () => {
  const content = "---\r\ntitle: 'Given'\r\ndescription: What it is\r\n---\r\n# Heading\r\n";
  writeFileSync(join(directory, "matter.md"), content);
  const routes = { "POST /api/artifacts": () => json(artifact(), 201) };
  const sent = await push(["matter.md"], routes);
  expect(await sent.requests[0]?.json()).toMatchObject({
    slug: "given",
    title: "Given",
    description: "What it is",
    content,
  });
  const flagged = await push(["matter.md", "--title", "Mine", "--description", "My own"], routes);
  expect(await flagged.requests[0]?.json()).toMatchObject({ title: "Mine", description: "My own", content });
});

test("in text the address alone is the output", async () => {
  const { stdout, stderr } = await push(["report.md", "--format", "text"], {
    "POST /api/artifacts": () => json(artifact(), 201),
  });
  expect(stdout).toBe(`${artifact().url}\n`);
  expect(stderr).toBe("created: v1, public\n");
  const field = await push(["report.md", "--field", "artifact.artifactId", "--quiet"], {
    "POST /api/artifacts": () => json(artifact(), 201),
  });
  expect({ stdout: field.stdout, stderr: field.stderr }).toEqual({ stdout: "art_1\n", stderr: "" });
});

test("--dry-run sends nothing and shows content as size and hash", async () => {
  const { code, stdout, requests } = await push(["report.md", "--dry-run"], {});
  expect({ code, sent: requests.length }).toEqual({ code: 0, sent: 0 });
  expect(JSON.parse(stdout)).toMatchObject({
    dryRun: true,
    request: {
      method: "POST",
      url: "http://localhost:3000/api/artifacts",
      body: { content: { sizeBytes: 19, sha256 } },
    },
  });
});

test("a conflict names the ways on", async () => {
  const { code, error, stdout } = await push(["report.md"], { "POST /api/artifacts": taken });
  expect({ code, stdout }).toEqual({ code: 6, stdout: "" });
  expect(error).toMatchObject({
    code: "slug_conflict",
    suggestion: "the-report-2",
    hint: expect.stringContaining("--ensure"),
  });
});

describe("--ensure", () => {
  const found = (rest = {}) => ({
    "POST /api/artifacts": taken,
    "GET /api/artifacts/art_1": () => json(artifact({ latestVersion: 3, ...rest })),
  });
  const head = (hash: string) => ({
    "GET /api/artifacts/art_1/versions": () =>
      json({ versions: [{ versionNumber: 3, sha256: hash }], nextCursor: null }),
  });

  test("the same content: unchanged, the body not sent again", async () => {
    const { code, stdout, called } = await push(["report.md", "--ensure"], {
      ...found(),
      ...head(sha256),
    });
    expect({ code, called }).toEqual({
      code: 0,
      called: ["POST /api/artifacts", "GET /api/artifacts/art_1", "GET /api/artifacts/art_1/versions"],
    });
    expect(JSON.parse(stdout)).toMatchObject({ action: "unchanged", version: 3 });
  });

  test("other content: a new version on top of the one seen", async () => {
    const created = () => json({ versionNumber: 4, createdAt: "2026-11-20T00:00:00.000Z" }, 201);
    const { stdout, stderr, requests } = await push(["report.md", "--ensure", "--changelog", "new"], {
      ...found(),
      ...head("0"),
      "POST /api/artifacts/art_1/versions": created,
      "GET /api/artifacts/art_1/diff": () => json({ stats: { additions: 12, deletions: 3 } }),
    });
    expect(JSON.parse(stdout)).toMatchObject({
      action: "updated",
      version: 4,
      previousVersion: 3,
      changes: { additions: 12, deletions: 3 },
      diffUrl: expect.stringMatching(/\/history\?from=3&to=4$/),
      artifact: { latestVersion: 4 },
    });
    expect(stderr).toMatch(/^updated: v4 \(\+12 −3\), public\ndiff: \S+\/history\?from=3&to=4\n$/);
    expect(new URL(requests.at(-1)?.url ?? "").search).toBe("?from=3&to=4");
    expect(await requests.find(({ url }) => url.endsWith("/art_1/versions"))?.json()).toEqual({
      content: "# The report\n\nText\n",
      changelog: "new",
      expectedLatestVersion: 3,
    });
  });

  test("an update that cannot be compared is one all the same", async () => {
    const { code, stdout } = await push(["report.md", "--ensure"], {
      ...found(),
      ...head("0"),
      "POST /api/artifacts/art_1/versions": () =>
        json({ versionNumber: 4, createdAt: "2026-11-20T00:00:00.000Z" }, 201),
      "GET /api/artifacts/art_1/diff": () => problem(400, "version_expired"),
    });
    expect({ code, value: JSON.parse(stdout) }).toMatchObject({ code: 0, value: { action: "updated", version: 4 } });
    expect(JSON.parse(stdout)).not.toHaveProperty("changes");
  });

  test.each([
    { what: "another type", words: [] as string[], rest: { type: "html" } },
    { what: "--private against a public one", words: ["--private"], rest: {} },
  ])("$what: exit 6, nothing written", async ({ words, rest }) => {
    const { code, stdout, called } = await push(["report.md", "--ensure", ...words], {
      ...found(rest),
      ...head("0"),
    });
    expect({ code, stdout, called }).toEqual({
      code: 6,
      stdout: "",
      called: ["POST /api/artifacts", "GET /api/artifacts/art_1"],
    });
  });

  test("a private one stays private", async () => {
    const { stdout } = await push(["report.md", "--ensure"], {
      ...found({ access: { publicView: false, publicEdit: false } }),
      ...head(sha256),
    });
    expect(JSON.parse(stdout)).toMatchObject({ action: "unchanged", visibility: "private" });
  });
});

test("--create-project creates it and publishes; without it the hint says so", async () => {
  let exists = false;
  const routes: Routes = {
    "POST /api/artifacts": () => (exists ? json(artifact(), 201) : problem(404, "not_found")),
    "POST /api/projects": () => {
      exists = true;
      return json({ slug: "demo" }, 201);
    },
  };
  const without = await push(["report.md"], routes);
  expect({ code: without.code, hint: without.error["hint"] }).toEqual({
    code: 3,
    hint: expect.stringContaining("--create-project"),
  });
  const { code, called } = await push(["report.md", "--create-project"], routes);
  expect({ code, called }).toEqual({
    code: 0,
    called: ["POST /api/artifacts", "POST /api/projects", "POST /api/artifacts"],
  });
});

test("several files: those that went through, and exit 1 with the ones that failed", async () => {
  let count = 0;
  const routes: Routes = {
    "POST /api/artifacts": () => (count++ === 0 ? json(artifact(), 201) : taken()),
  };
  const { code, stdout, error } = await push(["--file", "report.md", "page.html"], routes);
  expect(code).toBe(1);
  expect((JSON.parse(stdout) as { results: unknown[] }).results).toHaveLength(1);
  expect(error).toMatchObject({ code: "partial_failure", errors: [{ path: "page.html" }] });
});

test("bytes that are no text are refused before anything is sent", async () => {
  writeFileSync(join(directory, "bad.md"), Buffer.from([0x23, 0xff, 0xfe]));
  const { code, called } = await push(["report.md", "bad.md"], {});
  expect({ code, called }).toEqual({ code: 2, called: [] });
});
