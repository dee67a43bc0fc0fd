// `plinth init`, and the pushes that need no flags afterwards.
import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { emptyDirectory, json, line, problem, type LineContext } from "../testing/line.ts";

/** A repository, with a folder in it where lines run. */
function repository() {
  const root = emptyDirectory();
  mkdirSync(join(root, ".git"));
  mkdirSync(join(root, "docs"));
  const file = join(root, ".plinth.json");
  const run = (words: readonly string[], context: LineContext = {}) =>
    line(words, { directory: join(root, "docs"), env: { SERVICE_TOKEN: "plk_x" }, answer: there, ...context });
  return { root, file, run, written: () => JSON.parse(readFileSync(file, "utf8")) as unknown };
}

const there = ({ url }: Request) =>
  json(url.endsWith("/api/profile/me") ? { username: "ada" } : { slug: "notes", ownerUsername: "ada" });
const missing = (request: Request) =>
  request.url.includes("/by-path/")
    ? problem(404, "not_found")
    : request.method === "POST"
      ? json({}, 201)
      : there(request);

describe("plinth init", () => {
  test("writes the project of the repository at its root, and pushes need no flag then", async () => {
    const { root, file, run, written } = repository();
    const { code, stdout } = await run(["init", "ada/notes"]);
    expect({ code, value: JSON.parse(stdout) }).toEqual({
      code: 0,
      value: { action: "created", file, owner: "ada", projectSlug: "notes", visibility: "public" },
    });
    expect(written()).toEqual({ owner: "ada", projectSlug: "notes" });
    writeFileSync(join(root, "docs/a.md"), "# A\n");
    const { requests } = await run(["push", "a.md"], { answer: () => problem(400, "invalid_request") });
    expect(await requests[0]?.json()).toMatchObject({ ownerUsername: "ada", projectSlug: "notes", slug: "a" });
  });

  test("takes the caller's own account, and privacy", async () => {
    const { run, written } = repository();
    expect(JSON.parse((await run(["init", "notes", "--private"])).stdout)).toMatchObject({ owner: "ada" });
    expect(written()).toEqual({ owner: "ada", projectSlug: "notes", visibility: "private" });
    expect(JSON.parse((await run(["init", "notes", "--private"])).stdout)).toMatchObject({ action: "unchanged" });
    expect(JSON.parse((await run(["init", "--project-slug", "other", "--owner", "team"])).stdout)).toMatchObject({
      action: "updated",
      owner: "team",
      projectSlug: "other",
      visibility: "public",
    });
  });

  test("creates a project that is missing only where that is asked for", async () => {
    const { file, run } = repository();
    const refused = await run(["init", "ada/notes"], { answer: missing });
    expect(refused).toMatchObject({ code: 3, error: { detail: "There is no project ada/notes that you can see" } });
    expect(existsSync(file)).toBeFalse();
    const { code, requests } = await run(["init", "ada/notes", "--create-project"], { answer: missing });
    expect(code).toBe(0);
    expect(await requests.at(-1)?.json()).toMatchObject({ ownerUsername: "ada", slug: "notes", title: "Notes" });
    expect(existsSync(file)).toBeTrue();
  });

  test("sends and writes nothing in a dry run", async () => {
    const { file, run } = repository();
    const { code, stdout, requests } = await run(["init", "ada/notes", "--dry-run"]);
    expect({ code, sent: requests.length, value: JSON.parse(stdout) }).toMatchObject({
      code: 0,
      sent: 0,
      value: { dryRun: true, action: "created", file, owner: "ada", projectSlug: "notes" },
    });
    expect(existsSync(file)).toBeFalse();
  });

  test("names no other instance's project, and no artifact", async () => {
    const { run } = repository();
    for (const word of ["http://elsewhere.test/ada/notes", "ada/notes/report", "No Slug"])
      expect(await run(["init", word])).toMatchObject({ code: 2, requests: [] });
    expect(await run(["init"])).toMatchObject({ code: 2, error: { detail: "init needs a project" } });
  });
});
