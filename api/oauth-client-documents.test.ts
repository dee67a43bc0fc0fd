// Clients that are named by the URL of their metadata document: what is fetched, what is kept, and what is refused.
import { afterAll, beforeEach, describe, expect, test } from "bun:test";

import { FetchError } from "@plinth/domain/fetching/guarded-fetch";

import { createOAuthService } from "./test/oauth-clients.ts";
import { origin } from "./test/service.ts";

const { service, browser, client } = await createOAuthService();
afterAll(() => service.close());

const redirect = "http://127.0.0.1:51000/callback";
let fetched: string[] = [];
let answer: (url: string) => { status?: number; url?: string; text: string } | FetchError;

beforeEach(() => {
  fetched = [];
  answer = (url) => ({ text: JSON.stringify(documentOf(url)) });
});
Object.assign(service.setup.instance.oauth, {
  fetchDocument: (url: string) => {
    fetched.push(url);
    const given = answer(url);
    if (given instanceof FetchError) return Promise.reject(given);
    return Promise.resolve({ status: 200, url, ...given, bytes: Buffer.from(given.text) });
  },
});

const documentOf = (url: string, more: object = {}) => ({
  client_id: url,
  client_name: "A client with a document",
  redirect_uris: [redirect, "vscode://example/callback"],
  grant_types: ["authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:jwt-bearer"],
  token_endpoint_auth_method: "none",
  ...more,
});

let urls = 0;
const newUrl = () => `https://client.example/${++urls}/client.json`;

/** Where an authorization request leads, with the error in its query. */
async function open(clientId: string, headers: Record<string, string> = browser.headers, more = {}) {
  const { url } = await client.request({ client_id: clientId, ...more });
  const { headers: answered } = await service.ask("GET", url.pathname + url.search, { headers });
  const page = new URL(answered.get("location") ?? "");
  return { page, said: [page.origin + page.pathname, page.searchParams.get("error")] };
}
const consent = [`${origin}/oauth/consent`, null];
const refused = [`${origin}/oauth/consent`, "invalid_client"];
const age = (url: string, interval: string) =>
  service.setup.db.run("UPDATE oauth_client SET updated_at = now() - $2::text::interval WHERE client_id = $1", [
    url,
    interval,
  ]);

describe("a client named by a URL", () => {
  test("can be allowed by what its document says, with refresh tokens, and is shown with the host it comes from", async () => {
    const url = newUrl();
    const asked = await client.request({ client_id: url, redirect_uri: redirect });
    const page = await browser.open(asked.url);
    const described = await browser.post("/api/auth/oauth2/consent/describe", { query: page.search.slice(1) });
    expect(await described.json()).toMatchObject({
      client: { clientId: url, name: "A client with a document", uri: "https://client.example/", own: false },
      redirect: { kind: "computer" },
      lasting: true,
    });
    const code = (await browser.decide(page)).searchParams.get("code") ?? "";
    const form = { grant_type: "authorization_code", code, redirect_uri: redirect, client_id: url };
    const tokens = await service.ask("POST", "/api/auth/oauth2/token", {
      body: new URLSearchParams({ ...form, code_verifier: asked.verifier }).toString(),
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
    expect(await tokens.json()).toMatchObject({ access_token: expect.any(String), refresh_token: expect.any(String) });
    const [row] = await service.setup.db.run(
      "SELECT redirect_uris, grant_types FROM oauth_client WHERE client_id = $1",
      [url],
    );
    expect(row).toEqual({ redirect_uris: [redirect], grant_types: ["authorization_code", "refresh_token"] });
  });

  test("is known by the part of its document that is served, and unknown fields are ignored", async () => {
    const url = newUrl();
    const grant_types = ["implicit", "urn:ietf:params:oauth:grant-type:token-exchange", "authorization_code"];
    const more = { grant_types, response_types: ["code", "token"], scope: "everything", "x-y": 1 };
    answer = () => ({ text: JSON.stringify(documentOf(url, more)) });
    expect((await open(url)).said).toEqual(consent);
    const [row] = await service.setup.db.run(
      "SELECT grant_types, response_types FROM oauth_client WHERE client_id = $1",
      [url],
    );
    expect(row).toEqual({ grant_types: ["authorization_code"], response_types: ["code"] });
  });

  test("is fetched once an hour, and its document replaces what was kept", async () => {
    const url = newUrl();
    expect((await open(url)).said).toEqual(consent);
    expect((await open(url)).said).toEqual(consent);
    expect(fetched).toEqual([url]);
    await age(url, "61 minutes");
    answer = () => ({ text: JSON.stringify(documentOf(url, { redirect_uris: ["http://127.0.0.1/other"] })) });
    expect((await open(url)).said).toEqual([`${origin}/oauth/consent`, "invalid_redirect"]);
    expect(fetched).toEqual([url, url]);
  });

  test("counts for a day where its document cannot be fetched, and not where it is another's", async () => {
    const url = newUrl();
    await open(url);
    answer = () => new FetchError("time", "slow");
    await age(url, "23 hours");
    expect((await open(url)).said).toEqual(consent);
    await age(url, "25 hours");
    expect((await open(url)).said).toEqual(refused);
    await age(url, "2 hours");
    answer = () => ({ text: JSON.stringify(documentOf(newUrl())) });
    expect((await open(url)).said).toEqual(refused);
  });

  test("is not fetched for a browser that is not signed in, which is sent to sign in", async () => {
    const nobody = { cookie: "" };
    const { page } = await open(newUrl(), nobody);
    expect(page.origin + page.pathname).toBe(`${origin}/login`);
    expect((await open(newUrl(), nobody, { prompt: "none" })).said).toEqual(refused);
    expect(fetched).toEqual([]);
  });

  test.each([
    ["that is gone", () => ({ status: 404, text: "{}" })],
    ["that is elsewhere", (url: string) => ({ url: `${url}?moved`, text: JSON.stringify(documentOf(url)) })],
    ["that is no JSON", () => ({ text: "<html>" })],
    ["that is a list", () => ({ text: "[]" })],
    ["that is not UTF-8", () => ({ text: "\ud800" })],
    ["of another client", () => ({ text: JSON.stringify(documentOf("https://client.example/other")) })],
    ["of a client with a secret", of({ token_endpoint_auth_method: "client_secret_basic" })],
    ["of a client with keys", of({ token_endpoint_auth_method: "private_key_jwt" })],
    ["without redirect URIs", of({ redirect_uris: undefined })],
    ["with redirect URIs that are not served", of({ redirect_uris: ["http://client.example/", 1] })],
    ["without a grant that is served", of({ grant_types: ["client_credentials"] })],
    ["with nothing that a refresh follows", of({ grant_types: ["refresh_token", "implicit"] })],
    ["without a response type that is served", of({ response_types: ["token"] })],
    ["at a private address", () => new FetchError("address", "private")],
  ] as const)("with a document %s is refused, and nothing is kept", async (_, given) => {
    const url = newUrl();
    answer = given;
    expect((await open(url)).said).toEqual(refused);
    expect(await service.setup.db.run("SELECT 1 FROM oauth_client WHERE client_id = $1", [url])).toHaveLength(0);
  });

  test.each([
    "http://client.example/client.json",
    "https://client.example",
    "https://client.example/",
    "https://client.example/a/../client.json",
    "https://CLIENT.example/client.json",
    "https://client.example:443/client.json",
    "https://someone@client.example/client.json",
    "https://client.example/client.json#",
    "https://client.example/client.json#x",
    `https://client.example/${"x".repeat(500)}`,
    `${origin.replace("http:", "https:")}/../client.json`,
  ])("is not fetched from %s", async (url) => {
    expect((await open(url)).said).toEqual(refused);
    expect(fetched).toEqual([]);
  });
});

function of(more: object) {
  return (url: string) => ({ text: JSON.stringify(documentOf(url, more)) });
}
