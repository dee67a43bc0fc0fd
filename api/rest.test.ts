// REST's additions to an operation: the location of fields, the headers, and the credential.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { mintToken } from "@plinth/domain/tokens/token";
import { operatorToken, type TestPerson } from "@plinth/domain/test/context";

import { createService, type Asked, type Service } from "./test/service.ts";

let service: Service;
let owner: TestPerson;
let project: string;
beforeAll(async () => {
  service = await createService();
  owner = await service.setup.person();
  project = (await service.setup.project(owner.token)).slug;
});
afterAll(() => service.close());

const status = async (method: string, path: string, asked?: Asked) => (await service.ask(method, path, asked)).status;
const errors = async (response: Response) =>
  ((await response.json()) as { errors?: { path: string; message: string }[] }).errors ?? [];
const newProject = () => ({ slug: service.setup.name("project"), title: "P", icon: "p" });

describe("the credential", () => {
  test("is a bearer token, whole and alone; anything else in its header is refused everywhere", async () => {
    const token = owner.token;
    for (const authorization of [`Bearer ${token}`, `bearer ${token}`, `BEARER  ${token}`])
      expect(await status("GET", "/api/profile/me", { headers: { authorization } })).toBe(200);
    for (const authorization of [
      "",
      token,
      "Bearer",
      `Bearer ${token} x`,
      `Bearer ${token}, Bearer ${token}`,
      `Basic ${btoa(`x:${token}`)}`,
      `Bearer ${token.slice(0, -1)}`,
      `Bearer ${token}0`,
      `Bearer ${mintToken("share")}`,
      `Bearer ${mintToken("agent")}`,
      `Bearer ${operatorToken}`,
    ]) {
      const response = await service.ask("GET", "/api/artifacts", { headers: { authorization } });
      expect({ authorization, status: response.status }).toEqual({ authorization, status: 401 });
      expect(response.headers.get("www-authenticate")).toStartWith("Bearer");
    }
  });

  test("is looked at before a body is read", async () => {
    let pulled = 0;
    const body = () =>
      new ReadableStream({
        pull(controller) {
          pulled++;
          controller.enqueue(new Uint8Array(1024));
        },
      });
    expect(await status("POST", "/api/projects", { body: body() })).toBe(401);
    expect(await status("POST", "/api/operator/users", { body: body(), as: owner.token })).toBe(404);
    expect(await status("POST", "/api/operator/users", { body: body() })).toBe(404);
    // A stream's first piece is requested when the stream is created.
    expect(pulled).toBeLessThanOrEqual(3);
  });

  test("that lacks a scope is told which", async () => {
    const reader = await service.setup.key(owner.userId, ["artifacts:read"]);
    const response = await service.ask("POST", "/api/projects", { as: reader, body: newProject() });
    expect(response.status).toBe(403);
    expect(response.headers.get("www-authenticate")).toContain('scope="artifacts:create"');
  });
});

describe("a dry run", () => {
  test("is asked for in the query, plainly", async () => {
    const input = { projectSlug: project, slug: "dry", type: "md", title: "T", content: "" };
    const body = { ...input, access: { publicView: true, publicEdit: false } };
    const path = "/api/artifacts";
    expect(await status("POST", `${path}?dryRun=true`, { as: owner.token, body })).toBe(200);
    for (const query of ["dryRun=1", "dryRun=", "dryRun=true&dryRun=true", "dryRun=true&dryRun=false", "dryrun=true"])
      expect(await status("POST", `${path}?${query}`, { as: owner.token, body })).toBe(400);
    expect(await status("POST", `${path}?dryRun=false`, { as: owner.token, body })).toBe(201);
    expect(await status("POST", `/api/projects?dryRun=true`, { as: owner.token, body: newProject() })).toBe(400);
  });
});

describe("an Idempotency-Key", () => {
  test("has 1 to 255 characters, and a replay says that it is one", async () => {
    const send = (key: string, body: object) =>
      service.ask("POST", "/api/projects", { as: owner.token, body, headers: { "idempotency-key": key } });
    const body = newProject();
    expect((await send("k".repeat(255), body)).headers.get("idempotency-replayed")).toBeNull();
    const again = await send("k".repeat(255), body);
    expect(again.status).toBe(201);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    for (const key of ["", "k".repeat(256)]) {
      const response = await send(key, newProject());
      expect(response.status).toBe(400);
      expect((await errors(response))[0]?.path).toBe("Idempotency-Key");
    }
    const other = await send("k".repeat(255), newProject());
    expect(await other.json()).toMatchObject({ code: "idempotency_conflict" });
  });
});

describe("a body", () => {
  const send = (body: unknown, headers: Record<string, string> = {}) =>
    service.ask("POST", "/api/projects", { as: owner.token, body, headers });

  test("is JSON in UTF-8, not compressed, and says so", async () => {
    const json = JSON.stringify(newProject());
    for (const [body, headers, said] of [
      [json, { "content-type": "text/plain" }, "application/json"],
      [json, { "content-type": "application/x-www-form-urlencoded" }, "application/json"],
      [Bun.gzipSync(Buffer.from(json)), { "content-encoding": "gzip" }, "compressed"],
      [new Uint8Array([0x22, 0xff, 0x22]), {}, "UTF-8"],
      ["{", {}, "JSON"],
      ["NaN", {}, "JSON"],
      ["[".repeat(16), {}, "JSON"],
      ["[".repeat(100_000), {}, "nested deeper than 16 levels"],
      [`[${"{},".repeat(10_000)}`, {}, "more than 10000 values"],
      ["", {}, "JSON object"],
      ["[]", {}, "JSON object"],
    ] as const) {
      const response = await send(body, headers);
      expect(response.status).toBe(400);
      expect((await errors(response))[0]?.message).toContain(said);
    }
    for (const type of ["application/json; charset=utf-8", "application/merge-patch+json", "APPLICATION/JSON"])
      expect((await send(JSON.stringify(newProject()), { "content-type": type })).status).toBe(201);
    expect((await send(`\uFEFF${JSON.stringify(newProject())}`)).status).toBe(201);
  });

  test("is never read beyond what its fields could need, whether it says its length or not", async () => {
    const limit = service.setup.instance.config.maxContentBytes;
    const endless = () => new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(1 << 16)) });
    const large = "x".repeat(limit * 6 + 300 * 1024);
    for (const [path, limitBytes] of [
      ["/api/artifacts", limit],
      ["/api/projects", 256 * 1024],
    ] as const)
      for (const [body, headers] of [
        [endless(), {}],
        [large, {}],
        [large, { "content-length": String(large.length) }],
      ] as const) {
        const response = await service.ask("POST", path, { as: owner.token, body, headers });
        expect(response.status).toBe(413);
        expect(await response.json()).toMatchObject({ code: "content_too_large", limitBytes });
      }
  });

  test("may write its content in escapes, up to the limit and not beyond", async () => {
    const limit = service.setup.instance.config.maxContentBytes;
    const access = { publicView: true, publicEdit: false };
    const artifact = (content: string) =>
      JSON.stringify({
        projectSlug: project,
        slug: service.setup.name("a"),
        type: "md",
        title: "T",
        access,
        content: "?",
      }).replace("?", content);
    const publish = (content: string) => status("POST", "/api/artifacts", { as: owner.token, body: artifact(content) });
    expect(await publish("\\u0061".repeat(limit))).toBe(201);
    expect(await publish("\\u0061".repeat(limit + 1))).toBe(413);
    expect(await publish("ä".repeat(limit / 2))).toBe(201);
    expect(await publish(`${"ä".repeat(limit / 2)}x`)).toBe(413);
  });

  test("that breaks off is 400, not a server fault", async () => {
    const body = new ReadableStream({
      pull(controller) {
        controller.error(new DOMException("The connection was closed.", "AbortError"));
      },
    });
    expect((await send(body)).status).toBe(400);
  });
});

test("the limit of requests is said on every answer that counted, refusals too", async () => {
  const limited = await createService({ rateLimits: { reads: 3, writes: 3 } });
  const person = await limited.setup.person();
  const answers = [];
  for (const path of ["/api/artifacts", "/api/artifacts?nonsense=1", "/api/artifacts/x", "/api/artifacts"])
    answers.push(await limited.ask("GET", path));
  expect(answers.map((answer) => answer.status)).toEqual([200, 400, 404, 429]);
  expect(answers.map((answer) => answer.headers.get("ratelimit")?.split(";")[1])).toEqual(["r=2", "r=1", "r=0", "r=0"]);
  expect(answers.at(-1)?.headers.get("retry-after")).toMatch(/^\d+$/);
  // Another IP address, and a principal, have separate counters.
  const via = (forwarded: string) =>
    limited.api(
      new Request("http://plinth.test/api/artifacts", { headers: { "x-forwarded-for": forwarded } }),
      "192.0.2.53",
    );
  expect((await via("203.0.113.5")).status).toBe(200);
  expect((await via("192.0.2.1")).status).toBe(429);
  expect((await via("203.0.113.6, 192.0.2.1")).status).toBe(429);
  expect((await limited.ask("GET", "/api/artifacts", { as: person.token })).status).toBe(200);
  await limited.close();
});

test("who came by the command line is said in the audit", async () => {
  const headers = { "user-agent": "plinth/1.0", "x-request-id": "by-command-line" };
  await service.ask("POST", "/api/projects", { as: owner.token, body: newProject(), headers });
  const rows = await service.setup.db.run("SELECT surface FROM audit_event WHERE request_id = 'by-command-line'");
  expect([...rows]).toEqual([{ surface: "cli" }]);
});
