// The command line as a person and as a program use it, against the real service started as a child.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { join } from "node:path";

import type { Artifact, Version } from "@plinth/contract/schemas/artifact";

import {
  directory,
  file,
  plinth,
  result,
  root,
  startHung,
  startService,
  stopHung,
  stopService,
} from "../testing/service.ts";

beforeAll(async () => void (await startService()), startHung);
afterAll(stopService, stopHung);

test("health, whoami and the operator's commands", async () => {
  expect(await result<object>("health")).toMatchObject({ status: expect.stringMatching(/pass|warn/) });
  const me = await result<{ workspaceId: string }>("whoami");
  expect(me).toMatchObject({ username: "ada", credential: { type: "api_key" } });
  expect(await result<object>("operator stats")).toMatchObject({ users: expect.any(Number) });
  expect(await result<object>(`operator plan set --workspace-id ${me.workspaceId} --plan pro`)).toMatchObject({
    plan: "pro",
  });
  expect(await result<object>("operator jobs run --kind purge")).toEqual({});
  const other = await plinth("operator stats --token plk_x --operator-token-file absent");
  expect(other.code).toBe(2);
  expect((await plinth("whoami --token plk_nonsense")).code).toBe(4);
});

test("projects", async () => {
  const created = await result<object>("project create --slug first --title 'First project' --icon 📦");
  expect(created).toMatchObject({ slug: "first", title: "First project", ownerUsername: "ada" });
  expect((await plinth("project create --slug first --title Again --icon x")).code).toBe(6);
  expect(await result<object>(`project create --json '{"slug":"second","title":"Second","icon":"x"}'`)).toMatchObject({
    slug: "second",
  });
  expect((await plinth(`project create --json '{"slug":"third"}'`)).code).toBe(7);
  expect(await result<object>("project list --limit 1")).toMatchObject({ projects: [{ slug: "second" }] });
  expect((await plinth("project list --ndjson")).stdout.trimEnd().split("\n")).toHaveLength(2);
  expect(await result<object>("path project --owner ada --project-slug first")).toMatchObject({ slug: "first" });
  expect(await result<object>("project slug-availability --owner ada --slug first")).toMatchObject({
    available: false,
  });
  expect((await plinth("path project --owner ada --project-slug none")).code).toBe(3);
  const text = await plinth("project list --format text");
  expect(text.stdout).toContain("ada/first");
});

describe("push", () => {
  test("creates, leaves alone, updates and refuses", async () => {
    const report = file("report.md", "# The report\n\nOne\n");
    const missing = await plinth(`push --project-slug fresh ${report}`);
    expect({ code: missing.code, hint: missing.error?.["hint"] }).toEqual({
      code: 3,
      hint: expect.stringContaining("--create-project"),
    });
    const created = await result<{ url: string; artifact: Artifact }>(
      `push --project-slug fresh --create-project ${report}`,
    );
    expect(created).toMatchObject({
      action: "created",
      version: 1,
      visibility: "public",
      artifact: { slug: "the-report", title: "The report", type: "md" },
    });
    expect((await plinth(`push --project-slug fresh ${report}`)).code).toBe(6);
    expect(await result<object>(`push --project-slug fresh --ensure ${report}`)).toMatchObject({
      action: "unchanged",
      version: 1,
    });
    file("report.md", "# The report\n\nTwo\n");
    expect(await result<object>(`push --project-slug fresh --ensure --check ${report}`)).toMatchObject({
      action: "updated",
      version: 2,
      dryRun: true,
    });
    expect(await result<object>(`push --project-slug fresh --ensure --changelog two ${report}`)).toMatchObject({
      action: "updated",
      version: 2,
      url: created.url,
    });
    expect((await plinth(`push --project-slug fresh --ensure --private ${report}`)).code).toBe(6);
    expect((await plinth(`push --project-slug fresh --ensure --type html --slug the-report ${report}`)).code).toBe(6);
    const text = await plinth(`push --project-slug fresh --ensure --format text ${report}`);
    expect(text).toMatchObject({ code: 0, stdout: `${created.url}\n` });
    const versions = await result<{ versions: Version[] }>(
      `artifact versions --artifact-id ${created.artifact.artifactId}`,
    );
    expect(versions.versions.map(({ versionNumber, changelog }) => [versionNumber, changelog])).toEqual([
      [2, "two"],
      [1, null],
    ]);
  });

  test("a private one from standard input, and several files", async () => {
    const words = "push --project-slug first --type html --title Page --private -";
    expect(await result<object>(words, "<h1>Hi</h1>")).toMatchObject({
      visibility: "private",
      artifact: { slug: "page", type: "html" },
    });
    file("a.md", "# A");
    file("b.html", "<p>b");
    file("c.jsx", "export default () => <broken");
    const { code, stdout, error } = await plinth("push --project-slug first a.md b.html c.jsx");
    expect({ code, failed: error?.["errors"] }).toEqual({
      code: 1,
      failed: [{ path: "c.jsx", line: 1, column: 29, message: expect.stringContaining("invalid_source") }],
    });
    expect((JSON.parse(stdout) as { results: unknown[] }).results).toHaveLength(2);
    const alone = await plinth("push --project-slug first c.jsx");
    expect({ code: alone.code, errors: alone.error?.["errors"] }).toEqual({
      code: 7,
      errors: [expect.objectContaining({ line: 1 })],
    });
  });
});

describe("artifact", () => {
  test("goes through its life", async () => {
    file(
      "artifact.json",
      JSON.stringify({
        projectSlug: "second",
        slug: "note",
        type: "md",
        title: "Note",
        content: "one\n",
        access: { publicView: true, publicEdit: false },
      }),
    );
    expect(await result<object>("artifact create --json @artifact.json --check")).toMatchObject({ dryRun: true });
    const { artifactId } = await result<Artifact>("artifact create --json @artifact.json");
    const id = `--artifact-id ${artifactId}`;
    expect(await result<object>(`artifact get ${id}`)).toMatchObject({ title: "Note", latestVersion: 1 });
    expect(await result<object>("path artifact --owner ada --project-slug second --slug note")).toMatchObject({
      artifactId,
    });
    expect(
      await result<object>(
        `artifact update ${id} --changelog 'more' --expected-latest-version 1 -`,
        "one\n\u0007två\r\n",
      ),
    ).toMatchObject({ versionNumber: 2 });
    const stale = await plinth(`artifact update ${id} --content x --expected-latest-version 1`);
    expect({ code: stale.code, error: stale.error?.["code"] }).toEqual({ code: 6, error: "version_conflict" });
    expect((await plinth(`artifact content ${id}`)).stdout).toBe("one\n\u0007två\r\n");
    expect((await plinth(`artifact content ${id} --version 1`)).stdout).toBe("one\n");
    expect((await plinth(`artifact diff ${id} --from 1 --to 2 --format text`)).stdout).toContain("\n+\u0007två");
    expect(await result<object>(`artifact diff ${id} --from 1 --to 2`)).toMatchObject({
      stats: { additions: 1, deletions: 0 },
    });
    const picture = await plinth(`artifact thumbnail ${id} --size 600`);
    expect(picture.stdout).toContain('width="600"');
    expect(picture.stderr).toMatch(/^(?:The thumbnail is not ready yet|No thumbnail could be taken)/);
    expect(await result<object>(`artifact restore ${id} --version 1`)).toMatchObject({
      versionNumber: 3,
      restoredFrom: 1,
    });
    expect((await plinth(`artifact versions ${id} --format text`)).stdout).toContain("restored from v1");
    expect(
      await result<object>("artifact slug-availability --owner ada --project-slug second --slug note"),
    ).toMatchObject({ available: false, reason: "taken" });
    expect(await result<object>("artifact url-preview --owner ada --project-slug second --slug other")).toMatchObject({
      available: true,
    });
    expect((await plinth(`artifact delete ${id}`)).code).toBe(2);
    expect(await result<object>(`artifact delete ${id} --yes --check`)).toBeDefined();
    expect(await result<number>(`artifact get ${id} --field latestVersion`)).toBe(3);
    expect(await plinth(`artifact delete ${id} --yes --format text`)).toMatchObject({ code: 0, stdout: "" });
    expect((await plinth(`artifact get ${id}`)).code).toBe(3);
  });

  test("lists what there is, as items and as a table", async () => {
    const { artifacts } = await result<{ artifacts: Artifact[] }>("artifact list");
    const lines = (await plinth("artifact list --ndjson")).stdout.trimEnd().split("\n");
    expect(lines.map((line) => (JSON.parse(line) as Artifact).artifactId)).toEqual(
      artifacts.map(({ artifactId }) => artifactId),
    );
    const { stdout } = await plinth("artifact list --format text --limit 2");
    expect(stdout.trimEnd().split("\n")).toHaveLength(3);
  });
});

test("a token of too little scope, of another origin, and none", async () => {
  const { code, error } = await plinth("artifact list --token-stdin", `plk_${randomBytes(8).toString("hex")}`);
  expect({ code, error: error?.["code"] }).toEqual({ code: 4, error: "unauthenticated" });
  const nobody = await plinth("artifact list --base-url http://localhost:1");
  expect({ code: nobody.code, retryable: nobody.error?.["retryable"] }).toEqual({ code: 9, retryable: true });
});

test("an interrupt ends it at once with 130", async () => {
  const asked = Promise.withResolvers<void>();
  const silent = Bun.serve({
    port: 0,
    fetch: () => {
      asked.resolve();
      return new Promise<Response>(() => {});
    },
  });
  const child = Bun.spawn(
    [process.execPath, join(root, "cli/main.ts"), "whoami", "--base-url", `http://localhost:${silent.port}`],
    {
      cwd: directory,
      env: { PATH: process.env["PATH"] ?? "", HOME: directory },
      stdout: "pipe",
      stderr: "pipe",
    },
  );
  await asked.promise;
  child.kill("SIGINT");
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  await silent.stop(true);
  expect({ code, stdout }).toEqual({ code: 130, stdout: "" });
  expect(JSON.parse(stderr)).toMatchObject({ error: { code: "interrupted", exitCode: 130 } });
});
