// Dashboard pages: their API calls, the controls of each role, and the messages for refused actions.
import type { Workspace } from "@plinth/contract/schemas/account";
import { beforeAll, beforeEach, expect, test } from "bun:test";
import { createWebHandler, type WebHandler } from "./handler.ts";
import { ensureBuilt } from "./test/built.ts";
import { artifact, profile, project, standInApi, workspace } from "./test/stand-in-api.ts";

const publicUrl = "https://plinth.example";
const everything = { edit: true, share: true, manageAccess: true, delete: true };
const hostile = "</a><script>alert(1)</script>";
const workspaces = [workspace(), workspace({ slug: "acme", name: "Acme", kind: "team", role: "viewer" })];
const known = {
  project: project({ title: hostile }),
  artifacts: [
    artifact({ slug: "report", title: hostile, permissions: everything }),
    artifact({ slug: "plan", access: { publicView: false, publicEdit: false }, permissions: everything }),
    artifact({
      slug: "by-agent",
      latestBy: { type: "agent", id: "agt_1", label: "Claude", onBehalfOf: { userId: "usr_1", username: "ada" } },
    }),
  ],
  profile: profile({ workspaces }),
};
const api = standInApi(known);
let refuses: (request: Request) => Response | undefined = () => undefined;
let web: WebHandler;
beforeAll(async () => {
  await ensureBuilt();
  web = await createWebHandler({
    api: async (request) => refuses(request) ?? api.fetch(request),
    publicUrl,
    version: "1",
  });
}, 120_000);
beforeEach(() => {
  api.asked.length = 0;
  refuses = () => undefined;
});

const send = (path: string, init: RequestInit & { cookies?: string } = {}) => {
  const cookie = ["__Host-plinth_session=good", init.cookies].filter(Boolean).join("; ");
  const headers = { accept: "text/html", cookie, origin: publicUrl };
  return web(new Request(publicUrl + path, { ...init, headers }), { clientAddress: "203.0.113.9" });
};
const post = (path: string, fields: [string, string][]) =>
  send(path, { method: "POST", body: new URLSearchParams(fields) });
const asked = () => api.asked.map(({ method, url }) => `${method} ${new URL(url).pathname}`).toSorted();
const problem = (status: number, code: string, extra: object = {}) =>
  Response.json(
    {
      type: `/docs/errors/${code}`,
      title: code,
      status,
      code,
      detail: `Refused: ${code}`,
      requestId: "req-12345678",
      ...extra,
    },
    { status, headers: { "content-type": "application/problem+json" } },
  );

const listed = ["GET /api/artifacts", "GET /api/profile/me", "GET /api/workspaces/ada/projects"];
test.each(["/dashboard/ada", "/dashboard/ada?q=week&type=md&visibility=private&view=list", "/dashboard/ada/p/notes"])(
  "%s takes three calls, none of which waits for another",
  async (path) => {
    // Those that wait for an answer never see one: all are asked before the first is given.
    let answer = () => {};
    const answered = new Promise<void>((resolve) => (answer = resolve));
    const waiting = new Set<string>();
    const held = await createWebHandler({
      api: async (request) => {
        waiting.add(new URL(request.url).pathname);
        if (waiting.size === listed.length) answer();
        await answered;
        return api.fetch(request);
      },
      publicUrl,
      version: "1",
    });
    const request = new Request(publicUrl + path, {
      headers: { accept: "text/html", cookie: "__Host-plinth_session=good" },
    });
    expect((await held(request, { clientAddress: "" })).status).toBe(200);
    expect(asked()).toEqual(listed);
  },
);

test("the address is what is asked for, and what it says wrongly is not", async () => {
  await send("/dashboard/ada/p/notes?q=+week+&type=md&visibility=secret&sort=title&cursor=abc");
  const list = api.asked.find(({ url }) => new URL(url).pathname === "/api/artifacts");
  expect(Object.fromEntries(new URL(list?.url ?? "").searchParams)).toEqual({
    owner: "ada",
    project: "notes",
    q: "week",
    type: "md",
    sort: "title",
    cursor: "abc",
    limit: "48",
    withFavorite: "true",
  });
});

test("other people's words are text, the publisher is named, and private artifacts say so", async () => {
  const page = await (await send("/dashboard/ada")).text();
  expect(page).not.toContain("<script>alert(1)");
  expect(page).toContain("&lt;/a>&lt;script>alert(1)");
  expect(page.replace(/\s+/g, " ")).toMatch(/by<\/span>.{0,80}agent Claude, for ada/);
  expect(page.match(/alt="" width="600" height="375" loading="lazy"/g)).toHaveLength(3);
  expect(page).toContain("private");
  // Nothing can be done with what one may only read.
  expect(page.match(/type="checkbox"/g)).toHaveLength(2);
});

test("another's workspace is a page that isn't there, and the one looked at last is where one begins", async () => {
  refuses = ({ url }) => (url.includes("/workspaces/grace/") ? problem(404, "not_found") : undefined);
  expect((await send("/dashboard/grace")).status).toBe(404);
  expect((await send("/dashboard/ada")).headers.getSetCookie()).toEqual([]);
  const [remembered = ""] = (await send("/dashboard/acme")).headers.getSetCookie();
  expect(remembered).toMatch(/^plinth_dashboard=acme; .*HttpOnly/);
  const entry = async (cookies?: string) =>
    (await send("/dashboard", cookies === undefined ? {} : { cookies })).headers.get("location");
  expect(await entry()).toBe("/dashboard/ada");
  expect(await entry("plinth_dashboard=acme")).toBe("/dashboard/acme");
  expect(await entry("plinth_dashboard=..%2f..%2fevil")).toBe("/dashboard/ada");
  known.profile = profile({ username: null });
  expect(await entry()).toBe("/workspaces/new");
  known.profile = profile({ workspaces });
});

test.each<[Workspace["role"], string[], string[]]>([
  ["admin", ["Publish", "New project", "Activity", "Billing"], []],
  ["member", ["Publish", "New project"], ["Activity", "Billing"]],
  ["billing_admin", ["Billing"], ["Publish", "New project", "Activity"]],
  ["viewer", [], ["Publish", "New project", "Activity", "Billing"]],
])("%s is offered what that role may do", async (role, offered, withheld) => {
  workspaces[1] = workspace({ slug: "acme", name: "Acme", kind: "team", role });
  const page = await (await send("/dashboard/acme")).text();
  const isOffered = (word: string) =>
    new RegExp(`>(?:<[^>]+>|\\s)*${word}\\s*<`).test(page.slice(page.indexOf("<main")));
  expect({ offered: offered.filter(isOffered), withheld: withheld.filter(isOffered) }).toEqual({
    offered,
    withheld: [],
  });
});

test("of many, those that are refused are named with their reason, and no more than fifty are touched", async () => {
  const sent: string[] = [];
  refuses = (request) => {
    if (request.method !== "DELETE") return undefined;
    const artifactId = new URL(request.url).pathname.split("/").at(-1) ?? "";
    sent.push(artifactId);
    if (artifactId === "art_plan") return problem(403, "forbidden");
    return new Response(null, { status: 204 });
  };
  const ids = ["art_report", "art_plan", "art_plan", ...Array.from({ length: 50 }, (_, n) => `art_more${n}`)];
  const page = await (
    await post(
      "/dashboard/ada?/delete",
      ids.map((id) => ["artifactId", id]),
    )
  ).text();
  expect(page).toContain("49 artifacts deleted, 3 not.");
  expect(page.replace(/<!--.*?-->/g, "").replace(/\s+/g, " ")).toMatch(/plan<\/bdi>: Refused: forbidden/);
  expect(page).toContain("At most 50 at a time");
  expect(page).toContain("req-12345678");
  expect(sent).toHaveLength(50);
});

test("private keeps the allowlist and takes editing from outside; a plan that has none leads to the plans", async () => {
  const bodies: unknown[] = [];
  refuses = (request) => {
    if (!request.url.endsWith("/access")) return undefined;
    if (request.method === "GET")
      return Response.json({ publicView: true, publicEdit: true, viewerEmails: ["grace@example.org"] });
    void request.json().then((body) => bodies.push(body));
    if (!request.url.includes("art_plan")) return Response.json({});
    return problem(403, "plan_required", { upgradeUrl: `${publicUrl}/settings/billing?workspace=ada` });
  };
  const page = await (
    await post("/dashboard/ada?/hide&view=list", [
      ["artifactId", "art_report"],
      ["artifactId", "art_plan"],
    ])
  ).text();
  const closed = { publicView: false, publicEdit: false, viewerEmails: ["grace@example.org"] };
  expect(bodies).toEqual([closed, closed]);
  expect(page).toContain("1 artifact made private, 1 not.");
  expect(page).toContain('href="/settings/billing?workspace=ada"');
});

test("a session that ends during a bulk action leads to signing in, not to fifty refusals", async () => {
  refuses = (request) => (request.method === "DELETE" ? problem(401, "unauthenticated") : undefined);
  const answer = await post("/dashboard/ada?/delete&q=week", [["artifactId", "art_report"]]);
  expect([answer.status, answer.headers.get("location")]).toEqual([303, "/login?next=%2Fdashboard%2Fada%3Fq%3Dweek"]);
});

test("while the API is away the page says so with the request", async () => {
  refuses = ({ url }) => (new URL(url).pathname === "/api/artifacts" ? problem(503, "unavailable") : undefined);
  const answer = await send("/dashboard/ada?q=week");
  const page = await answer.text();
  expect(answer.status).toBe(503);
  expect(page).toContain("Plinth is temporarily unavailable");
  expect(page).toContain(answer.headers.get("x-request-id") ?? "none");
  expect(page).toContain('href="/dashboard/ada?q=week"');
});
