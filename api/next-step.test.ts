// The hint of a 404: the same for a hidden resource and a missing one.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { encodeId } from "@plinth/contract/ids";
import type { Artifact } from "@plinth/contract/schemas/artifact";
import type { TestPerson } from "@plinth/domain/test/context";

import { createService, type Service } from "./test/service.ts";

let service: Service;
let owner: TestPerson;
let stranger: TestPerson;
let project: string;
let hidden: Artifact;
beforeAll(async () => {
  service = await createService();
  owner = await service.setup.person();
  stranger = await service.setup.person();
  project = (await service.setup.project(owner.token)).slug;
  hidden = await service.setup.publish(owner.token, project, { access: { publicView: false, publicEdit: false } });
});
afterAll(() => service.close());

async function refused(
  method: string,
  path: string,
  { as = stranger.token, body, headers = {} }: { as?: string; body?: unknown; headers?: Record<string, string> } = {},
) {
  const answer = await service.ask(method, path, { as, body, headers });
  const { requestId: _, ...problem } = (await answer.json()) as Record<string, unknown>;
  return problem;
}

const newArtifact = (ownerUsername: string, projectSlug: string) => ({
  body: {
    ...{ ownerUsername, projectSlug, slug: "s", type: "md", title: "T", content: "" },
    access: { publicView: true, publicEdit: false },
  },
});

describe("hidden and missing", () => {
  test("a project: how to create it", async () => {
    const missing = await refused("POST", "/api/artifacts", newArtifact(stranger.username, "missing"));
    expect(missing).toMatchObject({ status: 404, hint: expect.stringContaining("POST /api/projects") });
    expect(await refused("POST", "/api/artifacts", newArtifact(owner.username, project))).toEqual(missing);
    const put = `/api/by-path/${stranger.username}/missing/s`;
    const body = { type: "md", title: "T", content: "" };
    expect((await refused("PUT", put, { body }))["hint"]).toContain("POST /api/projects");
  });

  test("an artifact: where to look", async () => {
    const none = encodeId("art", crypto.randomUUID());
    const missing = await refused("GET", `/api/artifacts/${none}`);
    expect(missing["hint"]).toContain("GET /api/artifacts?q=");
    for (const artifactId of [hidden.artifactId, "report"])
      expect(await refused("GET", `/api/artifacts/${artifactId}`)).toEqual(missing);
    const nowhere = await refused("GET", `/api/by-path/${owner.username}/${project}/missing`);
    expect(await refused("GET", `/api/by-path/${owner.username}/${project}/${hidden.slug}`)).toEqual(nowhere);
  });
});

test.each(["report", "reports/report", "ART_1", "https:%2F%2Fexample.org%2Fa%2Fb%2Fc"])(
  "%s is no artifactId: what to send",
  async (name) => {
    for (const [method, path] of [
      ["GET", ""],
      ["GET", "/content"],
      ["DELETE", ""],
    ] as const)
      expect(
        (await refused(method, `/api/artifacts/${encodeURIComponent(decodeURIComponent(name))}${path}`))["hint"],
      ).toContain("owner/project/slug");
  },
);

test("a slug for the identifier of a project or a workspace: what to send", async () => {
  expect((await refused("PATCH", "/api/projects/notes", { body: { title: "T" } }))["hint"]).toContain("prj_");
  expect((await refused("GET", "/api/workspaces/nobody/members"))["hint"]).toContain("GET /api/workspaces");
});

test("a version that is not there keeps its hint; the command line gets none, for it has its own", async () => {
  const path = `/api/artifacts/${hidden.artifactId}`;
  expect((await refused("GET", `${path}/preview?version=9`, { as: owner.token }))["hint"]).toContain(
    "List its versions",
  );
  const headers = { "user-agent": "plinth/1.0.0" };
  expect(await refused("GET", path, { headers })).not.toHaveProperty("hint");
});

describe("an unknown route", () => {
  test.each([
    ["GET", "/api/artifact/art_1", "Did you mean GET /api/artifacts/:artifactId?"],
    ["POST", "/api/artifacts/art_1/version", "Did you mean POST /api/artifacts/:artifactId/versions?"],
    ["GET", "/api/profile/Project", "Did you mean GET /api/profile/projects?"],
    ["PUT", "/api/artifacts/art_1", "This path takes GET, PATCH, DELETE."],
    ["GET", "/api/projects", "This path takes POST."],
    ["GET", "/api/nothing/of/this/kind", ""],
    ["GET", "/api", ""],
    ["GET", `/api/${"x".repeat(5000)}`, ""],
  ])("%s %s: %s", async (method, path, said) => {
    const { status, code, hint } = await refused(method, path);
    expect({ status, code, hint }).toEqual({
      status: 404,
      code: "not_found",
      hint: `${said} GET /api/openapi.json describes every route`.trim(),
    });
  });

  test("routes of the operator and of this instance's own pages are not named", async () => {
    const said = [await refused("GET", "/api/operator/stat"), await refused("GET", "/api/artifacts/x/tickets")];
    for (const { status, hint } of said)
      expect([status, String(hint)]).toEqual([404, expect.not.stringMatching(/operator|ticket/)]);
  });
});

test("If-Match is refused by routes that write, and has no effect on those that read", async () => {
  const headers = { "if-match": '"x"' };
  const as = owner.token;
  const path = `/api/artifacts/${hidden.artifactId}`;
  for (const [method, more, body] of [
    ["PATCH", "", { title: "T" }],
    ["POST", "/versions", { content: "x" }],
    ["DELETE", "", undefined],
  ] as const)
    expect(await refused(method, path + more, { as, body, headers })).toMatchObject({
      status: 400,
      errors: [{ path: "If-Match", message: expect.stringContaining("expectedLatestVersion") }],
    });
  expect((await service.ask("GET", path, { as, headers })).status).toBe(200);
});
