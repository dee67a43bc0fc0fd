// Authorization requests: where the response may go, and the required parameters.
import { afterAll, describe, expect, test } from "bun:test";

import { createOAuthService, registerClient } from "./test/oauth-clients.ts";
import { origin } from "./test/service.ts";

const { service, browser, client, status } = await createOAuthService();
afterAll(() => service.close());

describe("an authorization request", () => {
  const locally = ["http://127.0.0.1:51000/callback", "http://127.0.0.1/callback", "http://127.0.0.1:1/callback"];
  test("may name any port of this computer, and nothing else but what was registered", async () => {
    for (const redirect of locally) {
      const asked = await client.request({ redirect_uri: redirect });
      expect((await browser.open(asked.url)).searchParams.get("redirect_uri")).toBe(redirect);
    }
    for (const redirect of [
      "http://127.0.0.1:51000/callback/",
      "http://127.0.0.1:51000/other",
      "http://127.0.0.1:51000/callback?more=1",
      "http://127.0.0.1:51000/callback#",
      "http://127.0.0.1:51000/Callback",
      "http://127.0.0.1:51000/x/../callback",
      "http://localhost:51000/callback",
      "http://127.0.0.2:51000/callback",
      "http://127.1:51000/callback",
      "http://2130706433:51000/callback",
      "https://127.0.0.1:51000/callback",
      "http://evil.example@127.0.0.1:51000/callback",
      "http://127.0.0.1:51000@evil.example/callback",
      "http://127.0.0.1.evil.example:51000/callback",
      "https://evil.example/callback",
      "//evil.example/callback",
      "javascript:alert(1)//127.0.0.1/callback",
      "data:text/html,x",
      "",
    ]) {
      const asked = await client.request({ redirect_uri: redirect });
      const page = await browser.open(asked.url);
      expect({ redirect, at: page.origin + page.pathname }).toEqual({ redirect, at: `${origin}/oauth/consent` });
      expect(["invalid_redirect", "invalid_request"]).toContain(page.searchParams.get("error") ?? "none");
    }
  });

  test("of a website names exactly the address that was registered", async () => {
    const redirect = "https://exact.example:8443/callback?tenant=1";
    const own = await registerClient(service, { redirect_uris: [redirect] });
    const open = async (uri: string) =>
      (await browser.open((await own.request({ redirect_uri: uri })).url)).searchParams;
    expect((await open(redirect)).get("redirect_uri")).toBe(redirect);
    for (const wrong of [
      "https://exact.example/callback?tenant=1",
      "https://exact.example:8444/callback?tenant=1",
      "http://exact.example:8443/callback?tenant=1",
      "https://exact.example:8443/callback",
      "https://exact.example:8443/callback?tenant=2",
      "https://EXACT.example:8443/callback?tenant=1",
      "https://sub.exact.example:8443/callback?tenant=1",
    ])
      expect({ wrong, error: (await open(wrong)).get("error") }).toEqual({
        wrong,
        // The library does not accept a URL without TLS as a URL.
        error: wrong.startsWith("http:") ? "invalid_request" : "invalid_redirect",
      });
  });

  test("needs PKCE with S256, a known scope and a resource of this instance", async () => {
    for (const [changed, error] of [
      [{ code_challenge: null, code_challenge_method: null }, "invalid_request"],
      [{ code_challenge: null }, "invalid_request"],
      [{ code_challenge_method: null }, "invalid_request"],
      [{ code_challenge_method: "plain" }, "invalid_request"],
      [{ code_challenge_method: "s256" }, "invalid_request"],
      [{ scope: "artifacts:read admin" }, "invalid_scope"],
      [{ scope: "openid" }, "invalid_scope"],
      [{ resource: "https://elsewhere.example/mcp" }, "invalid_target"],
      [{ resource: `${origin}/other` }, "invalid_target"],
      [{ resource: "mcp" }, "invalid_request"],
      [{ response_type: "token" }, "unsupported_response_type"],
      [{ request: "eyJhbGciOiJub25lIn0.e30." }, "request_not_supported"],
    ] as const) {
      const asked = await client.request(changed);
      const answer = await browser.open(asked.url);
      // A response in the fragment has its error there too.
      const answered = new URLSearchParams(answer.hash === "" ? answer.search : answer.hash.slice(1));
      const said = [answer.host, answered.get("error"), answered.get("state")];
      expect({ changed, said }).toEqual({ changed, said: ["127.0.0.1:51000", error, asked.state] });
      expect(answered.get("iss")).toBe(origin);
    }
    for (const [resource, atRest] of [
      [origin, 200],
      [`${origin}/`, 200],
      [`${origin}/mcp`, 401],
    ] as const) {
      const tokens = await client.connect(browser, { resource });
      expect([resource, await status(tokens.access_token)]).toEqual([resource, atRest]);
    }
  });

  test("with prompt=none is answered at the client without a page", async () => {
    const website = "https://silent.example/callback";
    const own = await registerClient(service, { client_name: "Silent", redirect_uris: [website] });
    const silent = async (changed: Record<string, string> = {}, headers = browser.headers) => {
      const asked = await own.request({ redirect_uri: website, prompt: "none", ...changed });
      const { pathname, search } = asked.url;
      const answer = await service.ask("GET", pathname + search, { headers });
      const url = new URL(answer.headers.get("location") ?? "");
      const { searchParams } = url;
      expect(searchParams.get("iss")).toBe(origin);
      expect(searchParams.get("state")).toBe(asked.state);
      return [url.origin, searchParams.get("error"), searchParams.has("code")];
    };
    const nobody = { ...browser.headers, cookie: "" };
    expect(await silent({}, nobody)).toEqual(["https://silent.example", "login_required", false]);
    expect(await silent()).toEqual(["https://silent.example", "consent_required", false]);
    await own.connect(browser, { redirect_uri: website });
    expect(await silent()).toEqual(["https://silent.example", null, true]);
    expect(await silent({ scope: "artifacts:delete" })).toEqual(["https://silent.example", "consent_required", false]);
    // Any program can claim to be a client on the person's own computer.
    await client.connect(browser);
    const local = await browser.open((await client.request({ prompt: "none" })).url);
    expect([local.host, local.searchParams.get("error")]).toEqual(["127.0.0.1:51000", "consent_required"]);
  });

  test("with prompt=none is not sent to a redirect URI that the client did not register", async () => {
    for (const cookie of [browser.headers.cookie, ""]) {
      const asked = await client.request({ prompt: "none", redirect_uri: "https://evil.example/" });
      const headers = { ...browser.headers, cookie };
      const answer = await service.ask("GET", asked.url.pathname + asked.url.search, { headers });
      const page = new URL(answer.headers.get("location") ?? "");
      expect([page.origin + page.pathname, page.searchParams.get("error")]).toEqual([
        `${origin}/oauth/consent`,
        "invalid_redirect",
      ]);
    }
  });

  test("that can't be answered at a client ends on our page", async () => {
    for (const [changed, error] of [
      [{ client_id: "nobody" }, "invalid_client"],
      [{ client_id: null }, "invalid_client"],
      [{ client_id: "a\0b" }, "invalid_request"],
      [{ state: "s".repeat(9000) }, "invalid_request"],
    ] as const) {
      const page = await browser.open((await client.request(changed)).url);
      expect([page.origin + page.pathname, page.searchParams.get("error")]).toEqual([`${origin}/oauth/consent`, error]);
    }
    const twice = (await client.request()).url;
    twice.searchParams.append("redirect_uri", "https://evil.example/");
    expect((await browser.open(twice)).searchParams.get("error")).toBe("invalid_request");
  });
});
