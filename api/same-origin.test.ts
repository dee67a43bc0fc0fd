// The credential of a request, and whether a browser's cookie counts for it: a table (docs/reference/security.md §3).
import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { grantCookieName } from "@plinth/contract/grant-cookie";
import type { ShareLink } from "@plinth/contract/schemas/share-link";
import { sessionCookie } from "@plinth/domain/tokens/session-cookie";
import { mintToken } from "@plinth/domain/tokens/token";
import { sealGrants } from "@plinth/domain/sharing/grant";
import type { TestPerson } from "@plinth/domain/test/context";

import { cookieOf, createService, origin, type Service } from "./test/service.ts";

let service: Service;
let owner: TestPerson;
let cookie: string;
beforeAll(async () => {
  service = await createService();
  owner = await service.setup.person();
  cookie = await signIn(owner.userId);
});
afterAll(() => service.close());

/** The cookie of a new session. */
const signIn = async (userId: string) => cookieOf(await service.setup.session(userId), service.setup.instance.config);

const origins = {
  absent: null,
  exact: origin,
  "other port": `${origin}:8080`,
  "other scheme": origin.replace("http:", "https:"),
  subdomain: origin.replace("://", "://evil."),
  suffix: `${origin}.evil.example`,
  null: "null",
  "upper case": origin.toUpperCase(),
  "with a path": `${origin}/`,
  twice: `${origin}, ${origin}`,
  empty: "",
} as const;

const credentials = {
  none: () => ({}),
  cookie: () => ({ cookie }),
  bearer: () => ({ authorization: `Bearer ${owner.token}` }),
  both: () => ({ cookie, authorization: `Bearer ${owner.token}` }),
  "bad bearer + cookie": () => ({ cookie, authorization: `Bearer ${mintToken("apiKey")}` }),
  "malformed bearer + cookie": () => ({ cookie, authorization: "Bearer x" }),
  "basic + cookie": () => ({ cookie, authorization: "Basic eDp5" }),
  "empty authorization + cookie": () => ({ cookie, authorization: "" }),
  "cookie of another secret": () => ({ cookie: sessionCookie({ publicUrl: origin, secret: "another secret" }, "x") }),
  "cookie without a signature": () => ({ cookie: cookie.split(".")[0] ?? "" }),
} as const;

const types = {
  json: "application/json",
  text: "text/plain",
  form: "application/x-www-form-urlencoded",
  none: null,
} as const;

type Row = readonly [
  method: "GET" | "HEAD" | "POST" | "PATCH" | "DELETE",
  from: keyof typeof origins,
  site: "same-origin" | "same-site" | "cross-site" | "none" | null,
  type: keyof typeof types,
  credential: keyof typeof credentials,
  status: number,
];

const table: readonly Row[] = [
  // A request that changes nothing is answered for every origin; the calling page can't read the response.
  ["GET", "absent", null, "none", "cookie", 200],
  ["GET", "exact", "same-origin", "none", "cookie", 200],
  ["GET", "subdomain", "cross-site", "none", "cookie", 200],
  ["GET", "null", "cross-site", "none", "cookie", 200],
  ["HEAD", "other port", "same-site", "none", "cookie", 200],
  ["GET", "absent", null, "none", "none", 401],
  ["GET", "exact", "same-origin", "none", "cookie of another secret", 401],
  ["GET", "exact", "same-origin", "none", "bad bearer + cookie", 401],
  ["GET", "exact", "same-origin", "none", "empty authorization + cookie", 401],
  // A cookie counts where the origin equals this instance's exactly …
  ["POST", "exact", "same-origin", "json", "cookie", 201],
  ["POST", "exact", null, "json", "cookie", 201],
  ["POST", "exact", "cross-site", "json", "cookie", 201],
  ["PATCH", "exact", "same-origin", "json", "cookie", 200],
  ["DELETE", "exact", "same-origin", "none", "cookie", 204],
  ["POST", "other port", "same-site", "json", "cookie", 403],
  ["POST", "other scheme", "cross-site", "json", "cookie", 403],
  ["POST", "subdomain", "same-site", "json", "cookie", 403],
  ["POST", "suffix", "cross-site", "json", "cookie", 403],
  ["POST", "null", "cross-site", "json", "cookie", 403],
  ["POST", "null", "same-origin", "json", "cookie", 403],
  ["POST", "upper case", "same-origin", "json", "cookie", 403],
  ["POST", "with a path", "same-origin", "json", "cookie", 403],
  ["POST", "twice", "same-origin", "json", "cookie", 403],
  ["POST", "empty", "same-origin", "json", "cookie", 403],
  ["PATCH", "subdomain", "same-site", "json", "cookie", 403],
  ["DELETE", "other port", "same-site", "none", "cookie", 403],
  ["DELETE", "null", "cross-site", "none", "cookie", 403],
  // … and without an origin, if the browser reports a same-origin request.
  ["POST", "absent", "same-origin", "json", "cookie", 201],
  ["POST", "absent", "same-site", "json", "cookie", 403],
  ["POST", "absent", "cross-site", "json", "cookie", 403],
  ["POST", "absent", "none", "json", "cookie", 403],
  ["POST", "absent", null, "json", "cookie", 403],
  ["DELETE", "absent", null, "none", "cookie", 403],
  ["DELETE", "absent", "same-origin", "none", "cookie", 204],
  // The body types that a form can send make no difference.
  ["POST", "subdomain", "cross-site", "text", "cookie", 403],
  ["POST", "subdomain", "cross-site", "form", "cookie", 403],
  ["POST", "absent", null, "text", "cookie", 403],
  ["POST", "absent", "cross-site", "form", "cookie", 403],
  ["POST", "null", "cross-site", "form", "cookie", 403],
  // A bearer token needs no check, and the cookie beside it is not read.
  ["POST", "subdomain", "cross-site", "json", "bearer", 201],
  ["POST", "null", "cross-site", "json", "bearer", 201],
  ["POST", "absent", null, "json", "bearer", 201],
  ["POST", "subdomain", "cross-site", "json", "both", 201],
  ["DELETE", "other port", "same-site", "none", "both", 204],
  ["POST", "exact", "same-origin", "json", "bad bearer + cookie", 401],
  ["POST", "subdomain", "cross-site", "json", "bad bearer + cookie", 401],
  ["POST", "exact", "same-origin", "json", "malformed bearer + cookie", 401],
  ["POST", "exact", "same-origin", "json", "basic + cookie", 401],
  ["POST", "exact", "same-origin", "json", "empty authorization + cookie", 401],
  // A cookie without a valid seal counts as none.
  ["POST", "exact", "same-origin", "json", "none", 401],
  ["POST", "subdomain", "cross-site", "json", "none", 401],
  ["POST", "exact", "same-origin", "json", "cookie of another secret", 401],
  ["POST", "subdomain", "cross-site", "json", "cookie of another secret", 401],
  ["POST", "exact", "same-origin", "json", "cookie without a signature", 401],
  ["DELETE", "null", "cross-site", "none", "cookie without a signature", 401],
];

const codes: Readonly<Record<number, string>> = { 401: "unauthenticated", 403: "forbidden" };

describe("each row", () => {
  for (const [method, from, site, type, credential, status] of table) {
    const said = `${method}, origin ${from}, fetched ${site ?? "unsaid"}, ${type}, ${credential}: ${status}`;
    test(said, async () => {
      const headers: Record<string, string> = { ...credentials[credential]() };
      if (origins[from] !== null) headers["origin"] = origins[from];
      if (site !== null) headers["sec-fetch-site"] = site;
      const contentType = types[type];
      if (contentType !== null) headers["content-type"] = contentType;
      const { path, body } = await asked(method);
      const before = await rows();
      const response = await service.ask(method, path, { headers, ...(body === undefined ? {} : { body }) });
      const text = await response.text();
      expect({ status: response.status, text: text.slice(0, 300) }).toMatchObject({ status });
      const code = codes[status];
      if (code === undefined) return;
      expect(JSON.parse(text)).toMatchObject({ code });
      expect(await rows()).toBe(before);
    });
  }
});

describe("a share link's cookie counts like a session's, its token like a bearer's", () => {
  let published: string;
  let link: ShareLink;
  beforeAll(async () => {
    const { setup } = service;
    const { slug } = await setup.project(owner.token);
    published = (await setup.publish(owner.token, slug)).artifactId;
    link = await setup.call("shareLink.create", { artifactId: published, role: "editor" }, { as: owner.token });
  });
  const grant = () => `${grantCookieName(origin)}=${sealGrants(service.setup.instance.config, [], link.shareLinkId)}`;
  const linked = {
    grant: () => ({ cookie: grant() }),
    "grant of another secret": () => ({
      cookie: `${grantCookieName(origin)}=${sealGrants({ secret: "another secret" }, [], link.shareLinkId)}`,
    }),
    "grant + session": () => ({ cookie: `${cookie}; ${grant()}` }),
    "grant + bearer": () => ({ cookie: grant(), authorization: `Bearer ${owner.token}` }),
    "grant + malformed bearer": () => ({ cookie: grant(), authorization: "Bearer x" }),
    "grant + token": () => ({ cookie: grant(), "x-share-token": link.token ?? "" }),
    token: () => ({ "x-share-token": link.token ?? "" }),
  } as const;

  test.each([
    ["exact", "same-origin", "grant", 201],
    ["exact", null, "grant", 201],
    ["absent", "same-origin", "grant", 201],
    ["absent", null, "grant", 403],
    ["absent", "cross-site", "grant", 403],
    ["absent", "none", "grant", 403],
    ["other port", "same-site", "grant", 403],
    ["subdomain", "same-site", "grant", 403],
    ["null", "cross-site", "grant", 403],
    ["subdomain", "cross-site", "grant + session", 403],
    ["exact", "same-origin", "grant + session", 201],
    ["subdomain", "cross-site", "grant + token", 403],
    ["subdomain", "cross-site", "grant of another secret", 401],
    ["subdomain", "cross-site", "grant + bearer", 201],
    ["subdomain", "cross-site", "grant + malformed bearer", 401],
    ["subdomain", "cross-site", "token", 201],
    ["null", "cross-site", "token", 201],
    ["absent", null, "token", 201],
  ] as const)("origin %s, fetched %p, %s: %i", async (from, site, presented, status) => {
    const headers: Record<string, string> = { ...linked[presented]() };
    if (origins[from] !== null) headers["origin"] = origins[from];
    if (site !== null) headers["sec-fetch-site"] = site;
    const versions = () => service.setup.count("version");
    const before = await versions();
    const path = `/api/artifacts/${published}/versions`;
    const response = await service.ask("POST", path, { headers, body: { content: "other" } });
    await response.bytes();
    expect(response.status).toBe(status);
    expect(await versions()).toBe(before + (status === 201 ? 1 : 0));
    headers["if-none-match"] = "*";
    const read = await service.ask("GET", `/api/artifacts/${published}/content`, { headers });
    expect(read.status).toBe(status === 401 && "authorization" in headers ? 401 : 304);
  });
});

async function asked(method: Row[0]): Promise<{ path: string; body?: string }> {
  const project = { slug: service.setup.name("project"), title: "P", icon: "p" };
  if (method === "POST") return { path: "/api/projects", body: JSON.stringify(project) };
  if (method !== "PATCH" && method !== "DELETE") return { path: "/api/profile/me" };
  const { projectId } = await service.setup.project(owner.token);
  const path = `/api/projects/${projectId}`;
  return method === "PATCH" ? { path, body: JSON.stringify({ title: "Q" }) } : { path };
}

/** The number of projects, which a refused request must not change. */
async function rows(): Promise<number> {
  const [found] = await service.setup.db.run<{ rows: number }>(
    "SELECT count(*)::int AS rows FROM project WHERE deleted_at IS NULL",
  );
  return found?.rows ?? -1;
}

test("a refusal says what to do instead, and comes before the body is read", async () => {
  const body = new ReadableStream({
    pull() {
      throw new Error("the body was read");
    },
  });
  const headers = { cookie, origin: "http://evil.example" };
  const response = await service.ask("POST", "/api/projects", { headers, body });
  expect(response.status).toBe(403);
  expect(await response.json()).toMatchObject({ code: "forbidden", hint: expect.stringContaining("Bearer") });
});

test("a session is the web, and ends at once", async () => {
  const cookieOfNow = await signIn(owner.userId);
  const headers = { cookie: `theme=dark; ${cookieOfNow}; other=1`, origin, "user-agent": "plinth/1.0" };
  const body = { slug: service.setup.name("project"), title: "P", icon: "p" };
  const made = (await (await service.ask("POST", "/api/projects", { headers, body })).json()) as { projectId: string };
  const [event] = await service.setup.db.run<{ surface: string; actor: unknown }>(
    "SELECT surface, actor FROM audit_event WHERE target_id = $1",
    [made.projectId],
  );
  expect(event).toMatchObject({ surface: "web", actor: { type: "user", id: owner.userId } });
  const { sessions } = (await (await service.ask("GET", "/api/profile/sessions", { headers })).json()) as {
    sessions: { sessionId: string; current: boolean }[];
  };
  const { sessionId = "" } = sessions.find(({ current }) => current) ?? {};
  expect((await service.ask("DELETE", `/api/profile/sessions/${sessionId}`, { headers })).status).toBe(204);
  expect((await service.ask("GET", "/api/profile/me", { headers })).status).toBe(401);
  expect((await service.ask("GET", "/api/health", { headers })).status).toBe(200);
});

test("content for a session is public only where anyone may see it, and caches know what it depends on", async () => {
  const { setup } = service;
  const { slug } = await setup.project(owner.token);
  const hidden = await setup.publish(owner.token, slug, { access: { publicView: false, publicEdit: false } });
  const shown = await setup.publish(owner.token, slug);
  for (const [{ artifactId }, cacheControl] of [
    [hidden, "private, no-cache"],
    [shown, "public, no-cache"],
  ] as const) {
    const path = `/api/artifacts/${artifactId}/content`;
    const response = await service.ask("GET", path, { headers: { cookie } });
    expect(response.status).toBe(200);
    expect(response.headers.get("cache-control")).toBe(cacheControl);
    expect(response.headers.get("vary")).toBe("authorization, cookie, x-share-token");
    const etag = response.headers.get("etag") ?? "";
    const again = await service.ask("GET", path, { headers: { cookie, "if-none-match": etag } });
    expect(again.status).toBe(304);
    expect(again.headers.get("cache-control")).toBe(cacheControl);
  }
  const anonymous = await service.ask("GET", `/api/artifacts/${hidden.artifactId}/content`);
  expect(anonymous.status).toBe(404);
  const profile = await service.ask("GET", "/api/profile/me", { headers: { cookie } });
  expect(profile.headers.get("cache-control")).toBe("no-store");
  const list = await service.ask("GET", "/api/api-keys", { headers: { cookie } });
  expect(list.headers.get("cache-control")).toBe("private, no-cache");
});
