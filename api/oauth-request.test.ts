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
    for (const resource of [origin, `${origin}/`, `${origin}/mcp`]) {
      const tokens = await client.connect(browser, { resource });
      expect(await status(tokens.access_token)).toBe(200);
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
