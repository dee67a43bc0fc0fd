// GitHub can't be reached from a test, so what it answers is stood in for, by its own documentation.
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";

import { createSetup, type Setup } from "../test/context.ts";
import { runFlow, type Flow } from "./flow.ts";
import { githubProvider } from "./github.ts";

const config = { kind: "github", id: "github", name: "GitHub", clientId: "client", clientSecret: "secret" } as const;

let setup: Setup;
let answers: Record<string, () => Response>;
let asked: { path: string; authorization: string | null; body: string }[] = [];

const server = Bun.serve({
  port: 0,
  async fetch(request) {
    const { pathname: path } = new URL(request.url);
    asked.push({ path, authorization: request.headers.get("authorization"), body: await request.text() });
    return answers[path]?.() ?? new Response(null, { status: 404 });
  },
});
const at = { site: server.url.origin, api: server.url.origin };
const provider = () => githubProvider(config, setup.db, at);

beforeAll(async () => {
  setup = await createSetup();
});
afterAll(async () => {
  await server.stop(true);
  await setup.close();
});
beforeEach(() => {
  asked = [];
  answers = {
    "/login/oauth/access_token": () =>
      Response.json({ access_token: "gho_x", token_type: "bearer", scope: "user:email" }),
    "/user": () => Response.json({ id: 583231, login: "ada", name: null, avatar_url: "https://example.org/a.png" }),
    "/user/emails": () =>
      Response.json([
        { email: "other@example.org", primary: false, verified: true },
        { email: "ada@example.org", primary: true, verified: true },
      ]),
  };
});

/** Both steps of the way back; what the flow says in the end. */
async function comeBack() {
  const flow: Flow = { requestId: "request-test", refusal: null, fault: null, userId: null };
  const info = await runFlow(flow, async () => {
    const redirectURI = "http://plinth.test/api/auth/callback/github";
    const tokens = await provider().validateAuthorizationCode({
      code: "code",
      codeVerifier: "v".repeat(43),
      redirectURI,
    });
    return provider().getUserInfo(tokens ?? {});
  }).catch(() => null);
  return { info, refusal: flow.refusal };
}

test("the primary address, and the number that GitHub never gives to another", async () => {
  const { info, refusal } = await comeBack();
  expect(refusal).toBeNull();
  expect(info?.user).toMatchObject({ email: "ada@example.org", emailVerified: true, name: "ada" });
  expect(info?.data.accountId).toBe("https://github.com 583231");
  expect(new Set(asked.map(({ path, authorization }) => `${path} ${authorization}`))).toEqual(
    new Set(["/login/oauth/access_token null", "/user Bearer gho_x", "/user/emails Bearer gho_x"]),
  );
  const sent = new URLSearchParams(asked[0]?.body);
  expect(Object.fromEntries(sent)).toMatchObject({
    code: "code",
    code_verifier: "v".repeat(43),
    client_secret: "secret",
  });
});

test("a refused or incomplete answer signs no one in", async () => {
  for (const [path, answer, expected] of [
    ["/login/oauth/access_token", () => Response.json({ error: "bad_verification_code" }), "failed"],
    ["/login/oauth/access_token", () => new Response("no", { status: 503 }), "provider_unavailable"],
    ["/login/oauth/access_token", () => Response.redirect("http://127.0.0.1:1/"), "failed"],
    ["/user", () => Response.json({ login: "ada" }), "failed"],
    ["/user", () => new Response("<html>"), "failed"],
    ["/user", () => new Response(null, { status: 401 }), "failed"],
    ["/user", () => new Response("x".repeat(2_000_000)), "provider_unavailable"],
    ["/user", () => Response.json({ id: 77, login: "eve" }), "email_taken"],
  ] as const) {
    const usual = answers[path];
    answers[path] = answer;
    expect({ path, ...(await comeBack()) }).toEqual({ path, info: null, refusal: expected });
    if (usual !== undefined) answers[path] = usual;
  }
});

test("an address that is not verified, or not shown, is refused", async () => {
  const person = { id: 91, login: "new" };
  answers["/user"] = () => Response.json({ ...person, email: "public@example.org" });
  answers["/user/emails"] = () => Response.json([{ email: "new@example.org", primary: true, verified: false }]);
  expect((await comeBack()).refusal).toBe("email_unverified");
  answers["/user/emails"] = () => new Response(null, { status: 403 });
  expect((await comeBack()).refusal).toBe("email_invalid");
});
