// The device grant (RFC 8628) through oauth4webapi and openid-client, up to the same kind of token.
import { afterAll, expect, test } from "bun:test";

import { commandLineClient, userCodePattern } from "@plinth/contract/oauth";
import { scopes } from "@plinth/contract/scopes";
import { tokenHash } from "@plinth/domain/tokens/token";
import * as oauth from "oauth4webapi";
import * as openid from "openid-client";

import {
  createOAuthService,
  fetchOf,
  openBrowser,
  refusal,
  registerClient,
  type Browser,
} from "./test/oauth-clients.ts";
import { createService, origin } from "./test/service.ts";

const { service, browser, client: registered, status } = await createOAuthService();
afterAll(() => service.close());
/** The command line's own client, at the same server. */
const own: oauth.Client = { client_id: commandLineClient.clientId, token_endpoint_auth_method: "none" };

async function start(client = own, parameters: Record<string, string> = { scope: "artifacts:read artifacts:create" }) {
  const { server, options } = registered;
  const response = await oauth.deviceAuthorizationRequest(server, client, oauth.None(), parameters, options);
  return oauth.processDeviceAuthorizationResponse(server, client, response);
}

/** Polls once. Unless `soon`, the interval since the last poll is over. */
async function poll(code: string, client = own, soon = false) {
  const { server, options } = registered;
  // Independently of the time since the last poll.
  const polled = soon ? "now() + interval '1 minute'" : "NULL";
  const poll = `UPDATE device_code SET last_polled_at = ${polled} WHERE device_code = $1`;
  await service.setup.db.run(poll, [tokenHash(code)]);
  const response = await oauth.deviceCodeGrantRequest(server, client, oauth.None(), code, options);
  return oauth.processDeviceCodeResponse(server, client, response);
}

const decide = async (userCode: string, approve: boolean, of: Browser = browser) =>
  (await of.post("/api/auth/device/decide", { userCode, approve })).status;

test("a device waits until a user approves its code, then gets an access token like any other client", async () => {
  const device = await start();
  expect(device.user_code).toMatch(new RegExp(userCodePattern));
  expect(device).toMatchObject({
    verification_uri: `${origin}/device`,
    verification_uri_complete: `${origin}/device?user_code=${device.user_code}`,
    expires_in: 600,
    interval: 5,
  });
  const [row] = await service.setup.db.run<{ row: string }>("SELECT d::text AS row FROM device_code d");
  expect(row?.row).not.toContain(device.device_code);
  expect(await refusal(poll(device.device_code))).toBe("authorization_pending");
  expect(await refusal(poll(device.device_code, own, true))).toBe("slow_down");

  const typed = device.user_code.toLowerCase().replace("-", " ");
  const described = await browser.post("/api/auth/device/describe", { userCode: typed });
  expect(await described.json()).toMatchObject({
    userCode: device.user_code,
    client: { clientId: "plinth-cli", name: "Plinth command line", own: true },
    scopes: ["artifacts:read", "artifacts:create"],
    lasting: true,
  });
  expect(await decide(typed, true)).toBe(204);
  const tokens = await poll(device.device_code);
  expect(tokens.access_token).toStartWith("plt_");
  expect(tokens.refresh_token).toBeUndefined();
  const me = await service.ask("GET", "/api/profile/me", { as: tokens.access_token });
  expect(await me.json()).toMatchObject({
    userId: browser.person.userId,
    credential: { type: "agent", label: "Plinth command line", scopes: ["artifacts:create", "artifacts:read"] },
  });
  // A code works once.
  expect(await refusal(poll(device.device_code))).toBe("invalid_grant");
  expect(await decide(typed, true)).toBe(404);

  const exchanged = await service.ask("POST", "/api/agents/login", { as: tokens.access_token, body: { name: "host" } });
  const login = (await exchanged.json()) as { token: string; scopes: string[] };
  expect([exchanged.status, login.scopes]).toEqual([201, ["artifacts:create", "artifacts:read"]]);
  expect([await status(tokens.access_token), await status(login.token)]).toEqual([401, 200]);
});

test("a denied code, an expired one and one of another client give nothing", async () => {
  const denied = await start();
  expect(await decide(denied.user_code, false)).toBe(204);
  expect(await refusal(poll(denied.device_code))).toBe("access_denied");

  const expired = await start();
  await service.setup.db.run("UPDATE device_code SET expires_at = now() - interval '1 second' WHERE user_code = $1", [
    expired.user_code,
  ]);
  expect(await decide(expired.user_code, true)).toBe(404);
  expect(await refusal(poll(expired.device_code))).toBe("expired_token");

  const other = await registerClient(service, {
    redirect_uris: undefined,
    grant_types: ["urn:ietf:params:oauth:grant-type:device_code", "refresh_token"],
  });
  const theirs = await start(other.client);
  expect(await decide(theirs.user_code, true)).toBe(204);
  expect(await refusal(poll(theirs.device_code))).toBe("invalid_grant");
  expect(await refusal(poll("no such code"))).toBe("invalid_grant");
  const tokens = await poll(theirs.device_code, other.client);
  const refreshed = await other.refresh(tokens.refresh_token ?? "");
  expect(await status(refreshed.access_token)).toBe(200);
  await other.revoke(refreshed.refresh_token ?? "");
  expect(await status(refreshed.access_token)).toBe(401);
});

test("two devices with one client: ending the tokens of one leaves those of the other", async () => {
  const grant_types = ["urn:ietf:params:oauth:grant-type:device_code", "refresh_token"];
  const client = await registerClient(service, { redirect_uris: undefined, grant_types });
  const device = async () => {
    const { user_code, device_code } = await start(client.client);
    expect(await decide(user_code, true)).toBe(204);
    return poll(device_code, client.client);
  };
  const [kept, ended] = [await device(), await device()];
  const rotated = await client.refresh(ended.refresh_token ?? "");
  await client.revoke(rotated.refresh_token ?? "");
  expect([await status(ended.access_token), await status(rotated.access_token)]).toEqual([401, 401]);
  expect(await status(kept.access_token)).toBe(200);
  expect(await status((await client.refresh(kept.refresh_token ?? "")).access_token)).toBe(200);
});

test("a code is answered by one person, in a session, from this instance's own pages", async () => {
  const device = await start();
  const other = await openBrowser(service, await service.setup.person());
  const body = { userCode: device.user_code, approve: true };
  const path = "/api/auth/device/decide";
  expect((await service.ask("POST", path, { body })).status).toBe(401);
  expect((await service.ask("POST", path, { body, as: browser.person.token })).status).toBe(403);
  const evil = { cookie: browser.headers.cookie, origin: "https://evil.example" };
  expect((await service.ask("POST", path, { body, headers: evil })).status).toBe(403);
  const answers = await Promise.all([decide(device.user_code, true), decide(device.user_code, true, other)]);
  expect(answers.toSorted((a, b) => a - b)).toEqual([204, 404]);
});

test("an invalid device request is refused before a code is created", async () => {
  const { client } = await registerClient(service);
  expect(await refusal(start(client))).toBe("unauthorized_client");
  expect(await refusal(start({ client_id: "nobody" }))).toBe("invalid_client");
  expect(await refusal(start(own, { scope: "artifacts:read admin" }))).toBe("invalid_scope");
  expect(await refusal(start(own, { resource: "https://elsewhere.example/" }))).toBe("invalid_target");
  const prebound = await start(own, { user_id: "usr_x", scope: "artifacts:read" });
  expect(await refusal(poll(prebound.device_code))).toBe("authorization_pending");
});

test("wrong codes are counted, and after ten the person waits", async () => {
  const limited = await createService({ rateLimits: { reads: 1000, writes: 1000 } });
  try {
    const guesser = await openBrowser(limited, await limited.setup.person());
    const guess = async (userCode: string) => (await guesser.post("/api/auth/device/describe", { userCode })).status;
    for (let at = 0; at < 10; at++) expect(await guess(at % 2 === 0 ? "BBBB-BBBB" : "not a code")).toBe(404);
    expect(await guess("BBBB-BBBB")).toBe(429);
    expect((await guesser.post("/api/auth/device/decide", { userCode: "BBBB-BBBB", approve: true })).status).toBe(429);
  } finally {
    await limited.close();
  }
});

test("the session token of the flow that people sign in with never comes of a device", async () => {
  const device = await start();
  expect(await decide(device.user_code, true)).toBe(204);
  for (const path of ["/api/auth/device/token", "/api/auth/device/approve", "/api/auth/device"]) {
    const body = { grant_type: "urn:ietf:params:oauth:grant-type:device_code", device_code: device.device_code };
    const answer = await service.ask(path === "/api/auth/device" ? "GET" : "POST", path, {
      headers: browser.headers,
      ...(path === "/api/auth/device" ? {} : { body: { ...body, client_id: own.client_id } }),
    });
    expect({ path, status: answer.status }).toEqual({ path, status: 404 });
  }
});

test("openid-client does the same, from discovery to the token", async () => {
  const fetching = { [openid.customFetch]: fetchOf(service), algorithm: "oauth2" as const };
  const insecurely = { ...fetching, execute: [openid.allowInsecureRequests] };
  const configuration = await openid.discovery(new URL(origin), "plinth-cli", undefined, openid.None(), insecurely);
  const device = await openid.initiateDeviceAuthorization(configuration, { scope: scopes.join(" ") });
  expect(await decide(device.user_code, true)).toBe(204);
  const tokens = await openid.pollDeviceAuthorizationGrant(configuration, device);
  expect(await status(tokens.access_token)).toBe(200);
});
