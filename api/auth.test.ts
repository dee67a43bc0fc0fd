// Signing in by a link, the session's cookie, signing out, and what nobody gets under /api/auth.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { operatorToken } from "@plinth/domain/testing";

import { createService, origin, type Service } from "./testing.ts";

let service: Service;
beforeAll(async () => {
  service = await createService();
});
afterAll(() => service.close());

const fromPage = { origin };

async function newLink(of: Service = service): Promise<{ userId: string; username: string; token: string }> {
  const { userId, username } = await of.world.person();
  const { url } = await of.world.call("operator.createSignInLink", { userId }, { as: operatorToken });
  return { userId, username, token: new URL(url).hash.slice(1) };
}

const redeem = (token: unknown, headers: Record<string, string> = fromPage) =>
  service.ask("POST", "/api/auth/sign-in-link", { body: { token }, headers });

const cookiesOf = (response: Response) => response.headers.getSetCookie();
const pairOf = (cookie: string | undefined) => cookie?.split(";")[0] ?? "";

describe("a sign-in link", () => {
  test("gives a session whose cookie the API takes, once", async () => {
    const { userId, username, token } = await newLink();
    const described = await service.ask("POST", "/api/auth/sign-in-link/describe", { body: { token } });
    expect(await described.json()).toMatchObject({ username, email: `${username}@example.org` });

    const signedIn = await redeem(token);
    expect([signedIn.status, await signedIn.text()]).toEqual([204, ""]);
    expect(signedIn.headers.get("cache-control")).toBe("no-store");
    expect(signedIn.headers.get("x-request-id")).toMatch(/^[A-Za-z0-9_-]{8,128}$/);
    const [cookie] = cookiesOf(signedIn);
    expect(cookie).toMatch(/^plinth_session=[^;]+; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/);

    const me = await service.ask("GET", "/api/profile/me", { headers: { cookie: pairOf(cookie) } });
    expect(await me.json()).toMatchObject({ userId, username, credential: { type: "session" } });
    expect([(await redeem(token)).status, await describeStatus(token)]).toEqual([404, 404]);
  });
});

const describeStatus = async (token: string) =>
  (await service.ask("POST", "/api/auth/sign-in-link/describe", { body: { token } })).status;
