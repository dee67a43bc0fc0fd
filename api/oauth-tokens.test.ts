// Tokens: rotated, revoked, expired, and ended with the connection. Reuse is in oauth-reuse.test.ts.
import { afterAll, describe, expect, test } from "bun:test";

import { mintToken, tokenHash } from "@plinth/domain/tokens/token";

import { createOAuthService, refusal, registerClient } from "./test/oauth-clients.ts";

const { service, browser, client, status, agents } = await createOAuthService();
afterAll(() => service.close());

describe("a refresh token", () => {
  test("is rotated, and the tokens before it work until their time", async () => {
    const own = await registerClient(service);
    const first = await own.connect(browser);
    const second = await own.refresh(first.refresh_token ?? "");
    const third = await own.refresh(second.refresh_token ?? "");
    expect(new Set([first, second, third].map((tokens) => tokens.refresh_token)).size).toBe(3);
    for (const tokens of [first, second, third]) expect(await status(tokens.access_token)).toBe(200);
  });

  test("is its client's alone, and widens nothing", async () => {
    const own = await registerClient(service);
    const tokens = await own.connect(browser, { scope: "artifacts:read artifacts:create" });
    expect(await refusal(client.refresh(tokens.refresh_token ?? ""))).toBe("invalid_grant");
    expect(await refusal(own.refresh(tokens.refresh_token ?? "", { scope: "artifacts:delete" }))).toBe("invalid_scope");
    expect(await refusal(own.refresh(tokens.refresh_token ?? "", { resource: "https://elsewhere.example/" }))).toBe(
      "invalid_target",
    );
    const narrower = await own.refresh(tokens.refresh_token ?? "", { scope: "artifacts:read" });
    const me = (await (await service.ask("GET", "/api/profile/me", { as: narrower.access_token })).json()) as {
      credential: { scopes: string[] };
    };
    expect(me.credential.scopes).toEqual(["artifacts:read"]);
    expect((await own.refresh(narrower.refresh_token ?? "")).refresh_token).toStartWith("plr_");
  });

  test("revoked by the client ends its access tokens too; what is unknown or another's changes nothing", async () => {
    const own = await registerClient(service);
    const tokens = await own.connect(browser);
    const rotated = await own.refresh(tokens.refresh_token ?? "");
    for (const strange of [mintToken("access"), mintToken("refresh"), "eyJhbGciOiJIUzI1NiJ9.e30.x", "x", "a\u00e9"])
      await own.revoke(strange);
    await client.revoke(rotated.refresh_token ?? "");
    await client.revoke(rotated.access_token);
    expect(await status(rotated.access_token)).toBe(200);
    await own.revoke(rotated.refresh_token ?? "");
    for (const { access_token } of [tokens, rotated]) expect(await status(access_token)).toBe(401);
    expect(await refusal(own.refresh(rotated.refresh_token ?? ""))).toBe("invalid_grant");

    const again = await own.connect(browser);
    await own.revoke(again.access_token);
    expect(await status(again.access_token)).toBe(401);
    expect(await status((await own.refresh(again.refresh_token ?? "")).access_token)).toBe(200);
  });
});

describe("an access token", () => {
  test("ends with its time, with its connection, and where it names another instance", async () => {
    const own = await registerClient(service, { client_name: "Ended" });
    const expired = await own.connect(browser);
    await service.setup.db.run("UPDATE oauth_access_token SET expires_at = now() WHERE token = $1", [
      tokenHash(expired.access_token),
    ]);
    const late = await service.ask("GET", "/api/profile/me", { as: expired.access_token });
    expect([late.status, ((await late.json()) as { code: string }).code]).toEqual([401, "token_expired"]);

    const foreign = await own.connect(browser);
    await service.setup.db.run("UPDATE oauth_access_token SET resources = $2 WHERE token = $1", [
      tokenHash(foreign.access_token),
      '{"https://elsewhere.example/mcp"}',
    ]);
    expect(await status(foreign.access_token)).toBe(401);
  });

  test("of a revoked connection fails at the next request and stays invalid, and consent is asked again", async () => {
    const redirect = "https://revoked.example/callback";
    const own = await registerClient(service, { client_name: "Revoked", redirect_uris: [redirect] });
    const tokens = await own.connect(browser, { redirect_uri: redirect });
    const pending = await own.request({ redirect_uri: redirect });
    const pendingAnswer = await browser.allow(pending.url);
    expect(await status(tokens.access_token)).toBe(200);
    const connection = (await agents()).find(({ name }) => name === "Revoked");
    const revoked = await service.ask("DELETE", `/api/agents/${connection?.agentId}`, { headers: browser.headers });
    expect(revoked.status).toBe(204);
    expect(await status(tokens.access_token)).toBe(401);
    expect(await refusal(own.refresh(tokens.refresh_token ?? ""))).toBe("invalid_grant");
    // A pending code does not restore access.
    const late = await own.exchange(pendingAnswer, pending, redirect);
    expect(await status(late.access_token)).toBe(401);
    expect(await refusal(own.refresh(late.refresh_token ?? ""))).toBe("invalid_grant");
    expect((await browser.open((await own.request({ redirect_uri: redirect })).url)).pathname).toBe("/oauth/consent");

    const again = await own.connect(browser, { redirect_uri: redirect });
    expect(await status(again.access_token)).toBe(200);
    for (const old of [tokens, late]) {
      expect(await status(old.access_token)).toBe(401);
      expect(await refusal(own.refresh(old.refresh_token ?? ""))).toBe("invalid_grant");
    }
    expect(await status(again.access_token)).toBe(200);
  });

  test("is one of ours: neither a refresh token nor a session's token opens anything", async () => {
    const tokens = await client.connect(browser);
    for (const wrong of [tokens.refresh_token ?? "", browser.sessionToken, mintToken("access"), mintToken("refresh")])
      expect(await status(wrong)).toBe(401);
  });
});
