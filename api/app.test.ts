// Invariants of every response, for any request.
import { afterAll, beforeAll, expect, spyOn, test } from "bun:test";

import { describedOperations } from "@plinth/contract/openapi";
import { connect } from "@plinth/db/connection";
import { createInstance } from "@plinth/domain/instance";
import type { TestPerson } from "@plinth/domain/test/context";

import { createService, origin, type Service } from "./test/service.ts";

let service: Service;
let owner: TestPerson;
beforeAll(async () => {
  service = await createService();
  owner = await service.setup.person();
});
afterAll(() => service.close());

async function problem(response: Response) {
  expect(response.headers.get("content-type")).toBe("application/problem+json");
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(response.headers.get("x-content-type-options")).toBe("nosniff");
  const body = (await response.json()) as Record<string, unknown>;
  expect(body).toMatchObject({ status: response.status, requestId: response.headers.get("x-request-id") });
  return body;
}

test("a missing resource is a problem, on every route alike", async () => {
  for (const path of [
    "/api",
    "/api/nothing",
    "/api/%68ealth",
    "/api/by-path/%/x/y",
    "/api/by-path/%ED%A0%80/x/y",
    "/api/artifacts/%00",
    "/api/artifacts/art_%2F..%2Fx",
    "/_content/x",
    "/_content/%00",
    "/_content/p/x/y",
    "/_runtime/x/y",
    `/_runtime/${service.runtime.hash}/..%2Fmanifest.json`,
    "/docs",
    "/docs/reference/nothing",
    "/docs/reference/constructor",
    "/mcp/nothing",
    "/llms.txt/nothing",
    "/SKILL.md/nothing",
    "/AGENTS.md/nothing",
    "/.well-known/security.txt",
    "/install.sh/nothing",
    "/_cli/nothing",
    "/cli.tgz",
    "/.well-known/nothing",
  ]) {
    const answer = await problem(await service.ask("GET", path));
    expect({ path, code: answer["code"] }).toEqual({ path, code: "not_found" });
  }
  for (const method of ["OPTIONS", "PUT", "TRACE", "POST"])
    expect((await service.ask(method, "/api/health")).status).toBe(404);
});

test("a request keeps its own well-formed identifier, and gets a new one otherwise", async () => {
  const idOf = async (given: string) =>
    (await service.ask("GET", "/api/health", { headers: { "x-request-id": given } })).headers.get("x-request-id");
  expect(await idOf("given-id_1")).toBe("given-id_1");
  for (const given of ["short", "x".repeat(129), "with space", 'quote"quote', "ünïcode-id"])
    expect(await idOf(given)).toMatch(/^[0-9a-f-]{36}$/);
});

test("HEAD has the headers of GET", async () => {
  for (const path of ["/api/health?live=1", "/api/nothing", "/api/openapi.json"]) {
    const [head, get] = [await service.ask("HEAD", path), await service.ask("GET", path)];
    expect(head.status).toBe(get.status);
    expect(head.headers.get("content-type")).toBe(get.headers.get("content-type"));
  }
});

test("no host name is too short", async () => {
  for (const host of ["a", "hub", "[::1]", "a:1", "plinth.example.org"]) {
    const response = await service.api(new Request(`http://${host}/api/health?live=1`), "192.0.2.1");
    expect({ host, status: response.status }).toEqual({ host, status: 200 });
  }
});

test("the reference and the description of the API are served from here", async () => {
  const described = (await (await service.ask("GET", "/api/openapi.json")).json()) as { paths: object };
  expect(Object.keys(described.paths)).toHaveLength(new Set(describedOperations.map((op) => op.path)).size);
  const page = await service.ask("GET", "/docs/reference");
  expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
  const modules = [...(await page.text()).matchAll(/rel="modulepreload" href="\/docs\/reference\/([^"]+)"/g)];
  expect(modules.length).toBeGreaterThan(4);
  for (const file of ["styles.css", "start.js", ...modules.map(([, name = ""]) => name)])
    expect((await service.ask("GET", `/docs/reference/${file}`)).status).toBe(200);
  // A module is imported beside the one that imports it.
  expect(await (await service.ask("GET", "/docs/reference/scalar.js")).text()).not.toContain("/chunks/");
});

test("the description of the API is compressed where the caller takes that, and revalidated by its ETag", async () => {
  const ask = (headers: Record<string, string>) => service.ask("GET", "/api/openapi.json", { headers });
  const plain = await ask({ "accept-encoding": "gzip;q=0" });
  const compressed = await ask({ "accept-encoding": "gzip, br" });
  expect(plain.headers.get("content-encoding")).toBeNull();
  expect(compressed.headers.get("content-encoding")).toBe("gzip");
  for (const { headers } of [plain, compressed]) expect(headers.get("vary")).toBe("accept-encoding");
  const [whole, packed] = [await plain.bytes(), await compressed.bytes()];
  expect(new TextDecoder().decode(Bun.gunzipSync(packed))).toBe(new TextDecoder().decode(whole));
  expect(packed.length).toBeLessThan(whole.length / 4);
  const tag = plain.headers.get("etag") ?? "";
  const unchanged = await ask({ "if-none-match": tag });
  expect([unchanged.status, await unchanged.text()]).toEqual([304, ""]);
  expect((await ask({ "if-none-match": '"another"' })).status).toBe(200);
});

test("no cookie and no origin of another site is ever allowed in", async () => {
  const headers = { origin: "https://evil.example", cookie: "%E0%A4%A=1; a=b" };
  const response = await service.ask("GET", "/api/health?live=1", { headers });
  expect(response.status).toBe(200);
  expect([...response.headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
});

test("with the database away everything is 503 and says nothing of it, and the process still lives", async () => {
  const log = spyOn(process.stderr, "write").mockImplementation(() => true);
  const nowhere = connect({ url: "postgres://nobody:pass-word@127.0.0.1:1/none", max: 2 });
  const { config, queue } = service.setup.instance;
  const ask = service.askOf(createInstance({ config, db: nowhere, queue }));
  const artifactId = `art_${"0".repeat(26)}`;
  for (const path of [`/api/artifacts/${artifactId}`, "/api/artifacts", `/_content/p/${artifactId}/1`]) {
    const response = await ask("GET", path);
    expect(response.headers.get("retry-after")).toMatch(/^\d+$/);
    const answer = await problem(response);
    expect(answer["code"]).toBe("unavailable");
    expect(JSON.stringify(answer)).not.toMatch(/127\.0\.0\.1|pass-word|SELECT|stack/);
  }
  const health = await ask("GET", "/api/health");
  expect(health.status).toBe(503);
  expect(await health.json()).toMatchObject({ status: "fail", checks: { database: { status: "fail" } } });
  expect(await (await ask("GET", "/api/health?live")).json()).toMatchObject({ status: "pass" });
  await nowhere.close();
  log.mockRestore();
});

test("a fault of ours is written down without what was sent, and answered with its number alone", async () => {
  const lines: string[] = [];
  const log = spyOn(process.stderr, "write").mockImplementation((line) => lines.push(String(line)) > 0);
  const { db, instance } = service.setup;
  await db.run("ALTER TABLE project RENAME COLUMN icon TO picture");
  const body = { slug: "private-slug", title: "private-title", icon: "x" };
  const ask = service.askOf({ ...instance, load: service.setup.instance.load });
  const response = await ask("POST", "/api/projects", { as: owner.token, body });
  await db.run("ALTER TABLE project RENAME COLUMN picture TO icon");
  log.mockRestore();
  const answer = await problem(response);
  expect(answer).toMatchObject({ code: "internal", status: 500 });
  expect(JSON.stringify(answer)).not.toMatch(/icon|insert|column/i);
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({
    level: "error",
    requestId: answer["requestId"],
    sqlState: "42703",
  });
  expect(lines.join()).not.toContain("private-");
  expect(lines.join()).not.toContain(owner.token);
});

test("public URLs have the configured origin, not the request's", async () => {
  const { slug } = await service.setup.project(owner.token);
  const { artifactId } = await service.setup.publish(owner.token, slug);
  const path = `/api/artifacts/${artifactId}`;
  const response = await service.api(
    new Request(`http://evil.example${path}`, { headers: { "x-forwarded-host": "evil.example" } }),
    "192.0.2.1",
  );
  expect(JSON.stringify(await response.json())).not.toContain("evil");
  expect(new URL(origin).origin).toBe(service.setup.instance.config.publicUrl);
});

test("the card of the MCP server leads to it, and to what a client needs before it connects", async () => {
  const answer = await service.ask("GET", "/.well-known/mcp.json");
  expect(answer.headers.get("content-type")).toBe("application/json");
  const card = (await answer.json()) as Record<string, unknown>;
  expect(card).toMatchObject({
    serverInfo: { name: "plinth", version: service.setup.instance.config.version },
    transport: { type: "streamable-http", endpoint: `${origin}/mcp` },
    authentication: { required: true, schemes: ["oauth2", "bearer"] },
  });
  const { documentationUrl, authentication } = card as {
    documentationUrl: string;
    authentication: { protectedResource: string };
  };
  for (const url of [documentationUrl, authentication.protectedResource])
    expect([url, (await service.ask("GET", url.slice(origin.length))).status]).toEqual([url, 200]);
});

test("security.txt has the operator's contact and a date ahead, and is not there without a contact", async () => {
  const { config } = service.setup.instance;
  const instance = { ...service.setup.instance, config: { ...config, securityContact: "mailto:security@example.org" } };
  const answer = await service.askOf(instance)("GET", "/.well-known/security.txt");
  expect(answer.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  const fields = new Map(
    (await answer.text())
      .trimEnd()
      .split("\n")
      .map((line) => line.split(": ", 2) as [string, string]),
  );
  expect(fields.get("Contact")).toBe("mailto:security@example.org");
  expect(fields.get("Canonical")).toBe(`${config.publicUrl}/.well-known/security.txt`);
  const days = (Date.parse(fields.get("Expires") ?? "") - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(30);
  expect(days).toBeLessThan(365);
});
