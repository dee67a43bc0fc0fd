// The output of commands that are no single endpoint matches their schema exactly.
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { registry } from "@plinth/contract/registry";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "bun:test";

import { commands } from "../catalogue.ts";
import { wholeArtifact as artifact } from "@plinth/contract/test/artifact";
import { emptyDirectory, json, line, problem, type LineContext } from "../testing/line.ts";
import { errorOutput, previewOutput } from "./schemas.ts";

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, strictRequired: false });
const directory = emptyDirectory();
for (const name of ["a.md", "b.md"]) writeFileSync(join(directory, name), `# ${name}`);

const profile = { username: "ada", credential: { type: "api_key", scopes: [], label: "ci" } };

const answer: LineContext["answer"] = (request) => {
  const { pathname, searchParams } = new URL(request.url);
  if (pathname === "/api/profile/me") return json(profile);
  if (pathname === "/api/agents/current") return new Response(null, { status: 204 });
  const dry = searchParams.has("dryRun");
  return json({ ...artifact, ...(dry && { dryRun: true }) }, dry ? 200 : 201);
};

const fits = (schema: object, value: unknown): unknown => {
  const valid = ajv.compile(schema);
  return valid(value) ? null : valid.errors;
};
const outputOf = (words: string): object => commands.find(({ path }) => words.startsWith(path))?.output ?? { not: {} };

test.each([
  "status",
  "status --token plk_abcdefghij",
  "login --token-stdin --dry-run",
  "login --token-stdin",
  "logout --dry-run",
  "logout",
  "schema --compact",
  "push --project-slug demo a.md",
  "push --project-slug demo a.md --check",
  "push --project-slug demo a.md --dry-run",
  "push --project-slug demo a.md b.md",
  "push --project-slug demo a.md b.md --dry-run",
])("%s", async (words) => {
  const env = { XDG_CONFIG_HOME: directory, SERVICE_BASE_URL: "http://h.test" };
  const { stdout, code } = await line(words.split(" "), { directory, env, stdin: "plk_abcdefghij", answer });
  expect(code).toBe(0);
  expect(fits(outputOf(words), JSON.parse(stdout))).toBeNull();
  expect(fits(outputOf(words), { ...(JSON.parse(stdout) as object), more: 1, schemaVersion: null })).not.toBeNull();
});

test("a dry run of one request, and every failure, are what the top of the catalogue says", async () => {
  const shown = await line(["artifact", "get", "--artifact-id", artifact.artifactId, "--dry-run"]);
  expect(fits(previewOutput, JSON.parse(shown.stdout))).toBeNull();
  const refused = await line(["whoami"], { answer: () => problem(401, "unauthenticated") });
  for (const { stderr } of [refused, await line(["nonsense"])])
    expect(fits(errorOutput, JSON.parse(stderr.trimEnd().split("\n").at(-1) ?? ""))).toBeNull();
  expect(fits(registry["artifact.create"].output, artifact)).toBeNull();
});
