import { afterAll, beforeAll, expect, test } from "bun:test";
import { createService, origin, type Service } from "./testing.ts";
import { sessionCookie } from "@plinth/domain/credentials/session-cookie";
import { createHash, randomBytes } from "node:crypto";

let service: Service;
beforeAll(async () => { service = await createService(); });
afterAll(() => service.close());

test("the whole way", async () => {
  const person = await service.world.person();
  const caller = (await service.world.session(person.userId)) as { token: string };
  const cookie = sessionCookie(service.world.instance.config, caller.token);
  const reg = await service.ask("POST", "/api/auth/oauth2/register", { body: { client_name: "Trial", redirect_uris: ["http://127.0.0.1:9/cb"], token_endpoint_auth_method: "none", grant_types: ["authorization_code", "refresh_token"] } });
  const client = await reg.json() as any;
  console.log(reg.status, client);
  const verifier = randomBytes(32).toString("base64url");
  const challenge = createHash("sha256").update(verifier).digest("base64url");
  const q = new URLSearchParams({ response_type: "code", client_id: client.client_id, redirect_uri: "http://127.0.0.1:4567/cb", scope: "artifacts:read artifacts:create", state: "xyz", code_challenge: challenge, code_challenge_method: "S256", resource: `${origin}/mcp` });
  const anon = await service.ask("GET", `/api/auth/oauth2/authorize?${q}`);
  console.log(anon.status, anon.headers.get("location"));
  const go = await service.ask("GET", `/api/auth/oauth2/authorize?${q}`, { headers: { cookie } });
  console.log(go.status, go.headers.get("location"), await go.text());
  const query = new URL(go.headers.get("location")!).search.slice(1);
  const d = await service.ask("POST", "/api/auth/oauth2/consent/describe", { body: { query }, headers: { cookie, origin } });
  console.log(d.status, await d.text());
  const ok = await service.ask("POST", "/api/auth/oauth2/consent", { body: { query, accept: true }, headers: { cookie, origin } });
  const okb = await ok.json() as any;
  console.log(ok.status, okb);
  const code = new URL(okb.redirectTo).searchParams.get("code")!;
  const form = new URLSearchParams({ grant_type: "authorization_code", code, redirect_uri: "http://127.0.0.1:4567/cb", client_id: client.client_id, code_verifier: verifier });
  const tok = await service.ask("POST", "/api/auth/oauth2/token", { body: form.toString(), headers: { "content-type": "application/x-www-form-urlencoded" } });
  const tokens = await tok.json() as any;
  console.log(tok.status, tokens, [...tok.headers]);
  const me = await service.ask("GET", "/api/profile/me", { as: tokens.access_token });
  console.log(me.status, await me.text());
  expect(me.status).toBe(200);
});
