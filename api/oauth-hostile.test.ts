// The authorization server refuses hostile input with errors of OAuth, never with a server fault.
import { afterAll, beforeAll, expect, test } from "bun:test";

import { commandLineClient } from "@plinth/contract/oauth";
import { mintToken } from "@plinth/domain/tokens/token";

import { openBrowser, registerClient, type Browser } from "./test/oauth-clients.ts";
import { createService, origin, type Service } from "./test/service.ts";

let service: Service;
let browser: Browser;
beforeAll(async () => {
  service = await createService();
  browser = await openBrowser(service, await service.setup.person());
});
afterAll(() => service.close());

const values = [
  "",
  " ",
  "\0",
  "a\0b",
  "\ud800",
  "%00",
  "%",
  "null",
  "[]",
  "{}",
  "'; DROP TABLE oauth_client; --",
  "../../etc/passwd",
  "javascript:alert(1)",
  "https://[",
  "eyJhbGciOiJub25lIn0.e30.",
  "eyJhbGciOiJSUzI1NiIsImtpZCI6IngifQ.eyJzdWIiOiJ4In0.c2ln",
  "\u202eabc",
  "1e999",
  "-1",
  "x".repeat(4000),
  mintToken("refresh"),
  mintToken("access"),
  mintToken("agent"),
  commandLineClient.clientId,
];

const fields = {
  token: {
    grant_type: "authorization_code",
    code: "code",
    redirect_uri: "http://127.0.0.1/callback",
    client_id: commandLineClient.clientId,
    client_secret: "secret",
    client_assertion: "a.b.c",
    client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
    code_verifier: "v".repeat(43),
    refresh_token: mintToken("refresh"),
    device_code: "device",
    resource: origin,
    scope: "artifacts:read",
  },
  revoke: { token: mintToken("refresh"), token_type_hint: "refresh_token", client_id: commandLineClient.clientId },
  device: { client_id: commandLineClient.clientId, scope: "artifacts:read", resource: origin, user_id: "usr_x" },
} as const;

const paths = { token: "oauth2/token", revoke: "oauth2/revoke", device: "device/code" } as const;

const authorizations = [
  "",
  "Basic",
  "Basic ===",
  `Basic ${btoa("no colon")}`,
  `Basic ${btoa("a\0b:secret")}`,
  `Basic ${btoa("%00:secret")}`,
  `Basic ${btoa("%:%")}`,
  `Basic ${btoa(`${commandLineClient.clientId}:secret`)}`,
  "Bearer x",
  "DPoP x",
  "Negotiate",
];

async function refusedOrAnswered(endpoint: keyof typeof paths, body: string, headers: Record<string, string> = {}) {
  const all = { "content-type": "application/x-www-form-urlencoded", ...headers };
  const response = await service.ask("POST", `/api/auth/${paths[endpoint]}`, { body, headers: all });
  const text = await response.text();
  const isRefusal = response.status >= 400;
  const said = isRefusal ? (JSON.parse(text) as { error?: unknown }).error : "none";
  const sent = body.slice(0, 300);
  expect({ endpoint, sent, headers, ok: response.status < 500 && typeof said === "string" }).toEqual({
    endpoint,
    sent,
    headers,
    ok: true,
  });
}

/** How long a thousand requests may take before they count as hung, in ms: a busy machine takes half a minute. */
const hung = 300_000;

for (const endpoint of ["token", "revoke", "device"] as const) {
  test(
    `${endpoint}: each field with each value, alone, left out and twice`,
    async () => {
      const grants = endpoint === "token" ? ["authorization_code", "refresh_token", deviceGrant] : ["none"];
      for (const grant of grants) {
        const right: Record<string, string> = {
          ...fields[endpoint],
          ...(endpoint === "token" ? { grant_type: grant } : {}),
        };
        for (const name of Object.keys(right)) {
          const { [name]: _left, ...without } = right;
          await refusedOrAnswered(endpoint, new URLSearchParams(without).toString());
          await refusedOrAnswered(endpoint, `${new URLSearchParams(right)}&${name}=again`);
          for (const value of values) {
            await refusedOrAnswered(endpoint, new URLSearchParams({ ...right, [name]: value }).toString());
            // Without the fields that would end the checks earlier.
            const plain = {
              grant_type: grant,
              client_id: commandLineClient.clientId,
              code_verifier: "v",
              [name]: value,
            };
            await refusedOrAnswered(endpoint, new URLSearchParams(plain).toString());
          }
        }
      }
      for (const body of ["", "=", "&&", "%", "%ff", "grant_type", "\u0000", "a=%00", "{}", "x".repeat(20_000)])
        await refusedOrAnswered(endpoint, body);
      for (const authorization of authorizations) {
        const { client_id: _id, ...rest } = fields[endpoint];
        await refusedOrAnswered(endpoint, new URLSearchParams({ ...rest }).toString(), { authorization });
        await refusedOrAnswered(endpoint, new URLSearchParams({ ...fields[endpoint] }).toString(), { authorization });
      }
      for (const type of ["application/json", "multipart/form-data", "text/plain", ""])
        await refusedOrAnswered(endpoint, "{}", { "content-type": type });
    },
    hung,
  );
}

const deviceGrant = "urn:ietf:params:oauth:grant-type:device_code";

test("authorize: each parameter with each value leads to a page of ours or back to the client", async () => {
  const client = await registerClient(service);
  const names = [...(await client.request()).url.searchParams.keys(), "resource", "request_uri", "prompt", "max_age"];
  for (const name of [...names, "response_mode", "claims", "nonce", "dpop_jkt", "exp", "sig", "ba_param"]) {
    for (const value of values) {
      const to = await browser.open((await client.request({ [name]: value })).url);
      const at = to.origin + to.pathname;
      const places = [`${origin}/oauth/consent`, client.redirectUri, "http://127.0.0.1:51000/callback"];
      expect({ name, value: value.slice(0, 50), known: places.includes(at) }).toEqual({
        name,
        value: value.slice(0, 50),
        known: true,
      });
    }
  }
});

test("the pages' operations refuse any query and any code by the contract", async () => {
  for (const value of [
    ...values,
    "sig=x",
    "sig=x&sig=y&exp=9999999999",
    "exp=1e400&sig=",
    "oauth_query=x&client_id=a",
  ]) {
    for (const [path, body] of [
      ["oauth2/consent/describe", { query: value }],
      ["oauth2/consent", { query: value, accept: true }],
      ["device/describe", { userCode: value }],
      ["device/decide", { userCode: value, approve: true }],
    ] as const) {
      const { status } = await browser.post(`/api/auth/${path}`, body);
      expect({ path, value: value.slice(0, 50), refused: status === 400 || status === 404 }).toEqual({
        path,
        value: value.slice(0, 50),
        refused: true,
      });
    }
  }
});
