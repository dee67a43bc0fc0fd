// The visitor of a page, the API calls for that visitor, and the restrictions on signed-in pages and their forms.
import { beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { createWebHandler, type WebHandler } from "./handler.ts";
import { ensureBuilt } from "./test/built.ts";
import { artifact, profile, project, standInApi } from "./test/stand-in-api.ts";

const publicUrl = "https://plinth.example";
const known = { project: project(), artifacts: [artifact({ slug: "report" })], profile: profile() };
const api = standInApi(known);
const peer = { clientAddress: "203.0.113.9" };
const session = "__Host-plinth_session=good";
let web: WebHandler;

beforeAll(async () => {
  await ensureBuilt();
  web = await createWebHandler({ api: api.fetch, publicUrl, version: "1" });
}, 120_000);
beforeEach(() => {
  api.asked.length = 0;
  known.profile = profile();
});

const get = (path: string, cookie?: string) =>
  web(
    new Request(publicUrl + path, { headers: { accept: "text/html", ...(cookie === undefined ? {} : { cookie }) } }),
    peer,
  );
const post = (path: string, fields: Record<string, string>, headers: Record<string, string>) =>
  web(
    new Request(publicUrl + path, {
      method: "POST",
      headers: { accept: "text/html", cookie: session, ...headers },
      body: new URLSearchParams(fields),
    }),
    peer,
  );
const profileCalls = () => api.asked.filter((request) => new URL(request.url).pathname === "/api/profile/me");

describe("who is looking", () => {
  test("without a session the API is not asked, and the header offers to sign in and return", async () => {
    const page = await (await get("/ada/notes")).text();
    expect(profileCalls()).toEqual([]);
    expect(page).toContain('href="/login?next=%2Fada%2Fnotes"');
  });

  test.each(["/", "/ada/notes", "/ada", "/settings", "/settings/account"])(
    "%s asks once with a session",
    async (path) => {
      const answer = await get(path, session);
      expect(answer.status).toBe(200);
      expect(profileCalls()).toHaveLength(1);
      expect(await answer.text()).toContain("Sign out");
    },
  );

  test("an error page keeps its visitor signed in, and leads to the dashboard", async () => {
    const answer = await get("/ada/notes/nothing-here", session);
    const page = await answer.text();
    expect(answer.status).toBe(404);
    expect(page).toContain("Page not found");
    expect(page).toContain("Sign out");
    expect(page).toContain("Go to dashboard");
    const stranger = await (await get("/ada/notes/nothing-here")).text();
    expect(stranger).not.toContain("Sign out");
    expect(stranger).toContain("Back to home");
  });

  test("the artifact page never asks", async () => {
    expect((await get("/ada/notes/report", session)).status).toBe(200);
    expect(profileCalls()).toEqual([]);
  });

  test("a session that has ended is as none", async () => {
    const page = await (await get("/", "__Host-plinth_session=ended")).text();
    expect(page).not.toContain("Sign out");
    expect(page).toContain('href="/login');
  });
});

describe("signed-in pages", () => {
  const own = [
    "/dashboard",
    "/dashboard/acme?q=report&view=list",
    "/dashboard/acme/projects",
    "/dashboard/acme/p/notes",
    "/dashboard/acme/publish?project=notes",
    "/settings",
    "/settings/account",
    "/settings/appearance",
    "/settings/sessions",
    "/settings/keys",
    "/settings/agents",
    "/settings/workspaces",
    "/settings/workspaces/acme",
    "/settings/workspaces/acme/activity",
    "/settings/billing?workspace=acme&from=checkout",
    "/settings/deleted",
    "/dashboard/acme/p/notes/settings",
    "/workspaces/new",
    "/workspaces/new/publish",
    "/teams/new",
    "/device",
    "/oauth/consent?client_id=x",
  ];
  test.each(own)("%s leads to signing in and back", async (path) => {
    const answer = await get(path);
    expect(answer.status).toBe(303);
    expect(answer.headers.get("location")).toBe(`/login?next=${encodeURIComponent(path)}`);
    expect(answer.headers.get("cache-control")).toBe("private, no-store");
  });

  test.each(["/login", "/invitations/accept", "/settings/account"])("%s is not cached", async (path) => {
    const answer = await get(path, session);
    expect([answer.status, answer.headers.get("cache-control")]).toEqual([200, "private, no-store"]);
  });

  test("who has no username chooses one first, and who has one is here for a team", async () => {
    expect((await get("/workspaces/new", session)).headers.get("location")).toBe("/teams/new");
    known.profile = profile({ username: null });
    expect((await get("/teams/new", session)).headers.get("location")).toBe("/workspaces/new");
    expect((await get("/login?welcome", session)).headers.get("location")).toBe("/workspaces/new");
  });
});

describe("forms", () => {
  test("one of another origin reaches nothing", async () => {
    for (const origin of ["https://evil.example", "null", undefined]) {
      for (const path of ["/settings/account?/name", "/logout"]) {
        const answer = await post(path, { name: "x" }, origin === undefined ? {} : { origin });
        expect([origin, path, answer.status]).toEqual([origin, path, 403]);
      }
    }
    expect(api.asked).toEqual([]);
  });

  test("the visitor's own origin and cookie go on to the API, and its refusal comes back to the field", async () => {
    known.profile = profile({ username: null });
    const answer = await post("/workspaces/new?/claim", { username: "ada" }, { origin: publicUrl });
    const sent = api.asked.find((request) => request.method === "PATCH");
    expect(sent?.headers.get("origin")).toBe(publicUrl);
    expect(sent?.headers.get("cookie")).toBe(session);
    expect(sent?.headers.get("authorization")).toBeNull();
    expect(answer.status).toBe(409);
    const page = await answer.text();
    expect(page).toContain("ada is taken.");
    expect(page).toContain("Use ada-2");
  });

  test("signing out passes the cookie's end on and leads back, to this origin only", async () => {
    for (const [next, expected] of [
      ["/ada/notes?cursor=x", "/ada/notes?cursor=x"],
      ["//evil.example", "/"],
    ] as const) {
      const answer = await post("/logout", { next }, { origin: publicUrl });
      expect([answer.status, answer.headers.get("location")]).toEqual([303, expected]);
      expect(answer.headers.getSetCookie()).toEqual(["__Host-plinth_session=; Max-Age=0; Path=/"]);
    }
    // Without a form as well, which then says nothing of where to go.
    const bare = new Request(`${publicUrl}/logout`, {
      method: "POST",
      headers: { cookie: session, origin: publicUrl },
    });
    const { status, headers } = await web(bare, peer);
    expect([status, headers.get("location")]).toEqual([303, "/"]);
    expect((await get("/logout", session)).headers.getSetCookie()).toEqual([]);
  });
});

test.each([
  ["/ada-before/notes", "/ada/notes"],
  ["/ada-before/notes?cursor=x", "/ada/notes?cursor=x"],
  ["/ada-before/notes/report?v=1&chrome=0", "/ada/notes/report?v=1&chrome=0"],
])("the former address %s leads to %s", async (path, expected) => {
  const answer = await get(path);
  expect([answer.status, answer.headers.get("location")]).toEqual([308, expected]);
});

test("why signing in failed is said in our own words alone", async () => {
  expect(await (await get("/login?error=denied")).text()).toContain("You did not allow the sign-in");
  const unknown = await (await get("/login?error=%3Cscript%3Ealert(1)%3C/script%3E")).text();
  expect(unknown).toContain("Sign-in failed.");
  expect(unknown).not.toContain("alert(1)");
});
