// The log line of each request: the pattern of its path, the principal, the outcome; never a secret.
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import type { ServedRequest } from "@plinth/contract/served-request";
import { on } from "@plinth/domain/telemetry";
import type { TestPerson } from "@plinth/domain/test/context";

import { createApi } from "./app.ts";
import { cookieOf, createService, origin, type Service } from "./test/service.ts";

let service: Service;
let owner: TestPerson;
let unsubscribe: () => void;
const received: ServedRequest[] = [];
beforeAll(async () => {
  service = await createService();
  owner = await service.setup.person();
  unsubscribe = on({ request: (request) => received.push(request) });
});
afterAll(async () => {
  unsubscribe();
  await service.close();
});
beforeEach(() => void received.splice(0));

test("a request is reported by its route's pattern, its caller's identifier and its bytes", async () => {
  const answer = await service.ask("GET", "/api/profile/me", { as: owner.token });
  const bytes = (await answer.arrayBuffer()).byteLength;
  expect(received).toEqual([
    {
      requestId: answer.headers.get("x-request-id") ?? "",
      method: "GET",
      route: "/api/profile/me",
      operation: "profile.get",
      status: 200,
      ms: expect.any(Number),
      mainThread: { sharedMs: expect.any(Number), aloneMs: expect.any(Number) },
      surface: "api",
      principal: expect.stringMatching(/^key_/),
      bytes,
    },
  ]);
});

test("a request without a credential is logged as anonymous, one with a session as its user", async () => {
  await service.ask("GET", "/api/artifacts?q=some+words");
  const session = await service.setup.session(owner.userId);
  const cookie = cookieOf(session, service.setup.instance.config);
  await service.ask("GET", "/api/profile/me", { headers: { cookie } });
  expect(received.map(({ surface, principal }) => [surface, principal])).toEqual([
    ["api", "anonymous"],
    ["web", owner.userId],
  ]);
});

test("a refused request is logged with its principal where that is known", async () => {
  await service.ask("DELETE", "/api/artifacts/art_00000000000000000000000000", { as: owner.token });
  await service.ask("GET", "/api/profile/me", { as: "not a token" });
  expect(received.map(({ status, route, principal }) => [status, route, principal])).toEqual([
    [404, "/api/artifacts/:artifactId", expect.stringMatching(/^key_/)],
    [401, "/api/profile/me", null],
  ]);
});

test("no address is reported as it is: tickets, hashes, names and unknown paths are patterns", async () => {
  const secret = "s3cr3t-of-an-address";
  for (const path of [
    `/_content/${secret}`,
    `/_content/${secret}/source`,
    `/_runtime/${secret}/${secret}`,
    `/api/by-path/${secret}/${secret}/${secret}?token=${secret}`,
    `/docs/reference/${secret}`,
    `/api/auth/callback/${secret}?code=${secret}`,
    `/${secret}`,
    `/api/${secret}`,
    `/mcp?token=${secret}`,
  ])
    await service.ask("GET", path, { headers: { "x-share-token": secret, "user-agent": secret } });
  expect(received).toHaveLength(9);
  expect(JSON.stringify(received)).not.toContain(secret);
  expect(received.slice(0, 4).map(({ route }) => route)).toEqual([
    "/_content/:ticket",
    "/_content/:ticket/source",
    "/_runtime/:hash/:file",
    "/api/by-path/:owner/:projectSlug/:slug",
  ]);
});

test("HEAD is reported as it was asked", async () => {
  await service.ask("HEAD", "/api/health?live");
  expect(received.map(({ method, route }) => [method, route])).toEqual([["HEAD", "/api/health"]]);
});

test("/metrics requires the metrics token, and is 404 where none is configured", async () => {
  expect((await service.ask("GET", "/metrics", { as: "null" })).status).toBe(404);
  const figures = { token: "a-token-for-figures", contentType: "text/plain", text: () => Promise.resolve("a 1\n") };
  const { setup, runtime } = service;
  const api = createApi({ instance: setup.instance, runtime, trustedProxies: new Set(), figures });
  const ask = (authorization: string) =>
    api(new Request(`${origin}/metrics`, { headers: { authorization } }), "192.0.2.1");
  const read = await ask(`Bearer ${figures.token}`);
  expect([read.status, read.headers.get("content-type"), await read.text()]).toEqual([200, "text/plain", "a 1\n"]);
  for (const wrong of ["Bearer wrong", `Bearer ${owner.token}`, `Basic ${figures.token}`])
    expect((await ask(wrong)).status).toBe(401);
});
