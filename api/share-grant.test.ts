// The grant cookie: when it is set, its content, when it counts (docs/reference/security.md §3).
import { afterAll, describe, expect, test } from "bun:test";

import { grantCookieName } from "@plinth/contract/grant-cookie";
import { mintToken } from "@plinth/domain/tokens/token";
import { readGrantCookie, sealGrants } from "@plinth/domain/sharing/grant";

import { by, createShared } from "./test/shared-artifact.ts";
import { createService, origin } from "./test/service.ts";

const {
  service,
  setup,
  owner,
  stranger,
  project,
  publish,
  artifactId,
  make,
  viewer,
  editor,
  updated,
  revoke,
  expire,
  grants,
  session,
  at,
  statusOf,
} = await createShared();
const other = await publish();
afterAll(() => service.close());

describe("the grant cookie", () => {
  const grant = (headers: Record<string, string>) => service.ask("POST", "/api/auth/share-grant", { headers });
  const readOf = (response: Response) =>
    readGrantCookie(setup.instance.config, response.headers.get("set-cookie")?.split(";")[0] ?? "");

  test("is given for a token, says where to go, and names links rather than tokens", async () => {
    const response = await grant(by(viewer));
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      url: expect.stringMatching(new RegExp(`^${origin}/${owner.username}/${project}/[a-z0-9-]+$`)),
      artifactId,
      role: "viewer",
      expiresAt: null,
    });
    expect(response.headers.get("cache-control")).toBe("no-store");
    const setCookie = response.headers.get("set-cookie") ?? "";
    expect(setCookie).toMatch(/^plinth-grants=[\w-]+; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/);
    expect(setCookie).not.toContain(viewer.token ?? "");
    expect(readOf(response)).toEqual([viewer.shareLinkId]);
    const headers = { cookie: setCookie.split(";")[0] ?? "" };
    expect(await statusOf("GET", at("/content"), { headers })).toBe(200);
    expect(await statusOf("GET", at("/content", other), { headers })).toBe(404);
  });

  test("over https it is Secure, and of this host alone", async () => {
    const secure = await createService({ publicUrl: "https://plinth.test", contentOrigin: "https://plinth.test" });
    const { setup } = secure;
    const person = await setup.person();
    const { slug } = await setup.project(person.token);
    const published = await setup.publish(person.token, slug);
    const made = await setup.call(
      "shareLink.create",
      { artifactId: published.artifactId, role: "viewer" },
      { as: person.token },
    );
    const response = await secure.ask("POST", "/api/auth/share-grant", { headers: by(made) });
    expect(response.headers.get("set-cookie")).toMatch(
      /^__Host-plinth-grants=.*Path=\/; HttpOnly; SameSite=Lax; Secure$/,
    );
    await secure.close();
  });

  test("ends with the link where it holds no other", async () => {
    const link = await make("viewer");
    await expire(link, "now() + interval '1 hour'");
    const maxAge = (response: Response) =>
      Number(/Max-Age=(\d+)/.exec(response.headers.get("set-cookie") ?? "")?.[1] ?? -1);
    const alone = maxAge(await grant(by(link)));
    expect(alone).toBeLessThanOrEqual(3600);
    expect(alone).toBeGreaterThan(0);
    expect(maxAge(await grant({ ...by(link), ...grants(viewer) }))).toBe(30 * 86_400);
  });

  test("adds to what the browser has opened, the newest sixteen, each once", async () => {
    const links = await Promise.all(Array.from({ length: 17 }, () => make("viewer")));
    let cookie = "";
    for (const link of links) {
      const response = await grant({ ...by(link), cookie });
      cookie = response.headers.get("set-cookie")?.split(";")[0] ?? "";
    }
    const newest = links.map(({ shareLinkId }) => shareLinkId).toReversed();
    expect(readGrantCookie(setup.instance.config, cookie)).toEqual(newest.slice(0, 16));
    const again = await grant({ ...by(links[5] ?? ""), cookie });
    expect(readOf(again)).toEqual([
      newest[11] ?? "",
      ...newest.slice(0, 16).filter((shareLinkId) => shareLinkId !== newest[11]),
    ]);
    // The least recently opened link was dropped.
    expect(await statusOf("GET", at("/content"), { headers: { cookie } })).toBe(200);
  });

  test.each([
    ["with another seal", (value: string) => `${value.slice(0, -1)}${value.endsWith("A") ? "B" : "A"}`],
    ["cut", (value: string) => value.slice(0, -4)],
    ["of nothing", () => ""],
    ["of other bytes", () => "AAAA".repeat(200)],
  ])("one %s is none, and is replaced", async (_said, change) => {
    const value = grants(viewer).cookie.split("=")[1] ?? "";
    const cookie = `${grantCookieName(origin)}=${change(value)}`;
    expect(await statusOf("GET", at("/content"), { headers: { cookie } })).toBe(404);
    expect(readOf(await grant({ ...by(editor), cookie }))).toEqual([editor.shareLinkId]);
  });

  test("of another secret or of another purpose is none", async () => {
    const config = { ...setup.instance.config, secret: "another secret" };
    const cookie = `${grantCookieName(origin)}=${sealGrants(config, [], viewer.shareLinkId)}`;
    expect(await statusOf("GET", at("/content"), { headers: { cookie } })).toBe(404);
  });

  test("is not read where there is an authorization header", async () => {
    const headers = grants(editor);
    expect(await statusOf("GET", at("/content"), { headers, as: stranger.token })).toBe(404);
    expect(await statusOf("GET", at("/content"), { headers, as: "nonsense" })).toBe(401);
    const body = { content: "no" };
    expect(await statusOf("POST", at("/versions"), { headers, as: stranger.token, body })).toBe(404);
  });

  test("counts beside a session, and the link that allows more is the one used", async () => {
    const signedIn = await session(stranger);
    const both = { cookie: `${signedIn.cookie}; ${grants(viewer, editor, viewer).cookie}`, origin };
    expect(await statusOf("POST", at("/versions"), { headers: both, body: { content: "both" } })).toBe(201);
    expect(await updated()).toEqual({ type: "share_link", id: editor.shareLinkId, surface: "web" });
  });

  test("a token that opens nothing is told why, where it is genuine, and sets nothing", async () => {
    const [expired, revoked, both, doomed] = [
      await make("viewer"),
      await make("viewer"),
      await make("viewer"),
      await publish(),
    ];
    await Promise.all([expire(expired), revoke(revoked), expire(both)]);
    await revoke(both);
    const ofDeleted = await make("viewer", doomed);
    await setup.call("artifact.delete", { artifactId: doomed }, { as: owner.token });
    for (const [headers, reason] of [
      [by(expired), "expired"],
      [by(revoked), "revoked"],
      [by(both), "revoked"],
      [by(ofDeleted), "revoked"],
      [by(mintToken("share")), "unknown"],
      [by(mintToken("apiKey")), "unknown"],
      [by("nonsense"), "unknown"],
      // Neither the identifier of a link nor a cookie that names it is its token.
      [by(revoked.shareLinkId), "unknown"],
      [grants(revoked), "unknown"],
      [{}, "unknown"],
    ] as const) {
      const response = await grant(headers);
      expect(response.status).toBe(404);
      expect(response.headers.get("set-cookie")).toBeNull();
      expect(await response.json()).toMatchObject({ code: "not_found", reason });
    }
  });

  test("is for POST alone, and is counted by address", async () => {
    for (const method of ["GET", "HEAD", "PUT", "DELETE"])
      expect(await statusOf(method, "/api/auth/share-grant", { headers: by(viewer) })).toBe(404);
    const limited = await createService({ rateLimits: { reads: 2, writes: 0 } });
    const tries: unknown[] = [];
    for (let n = 0; n < 3; n++) {
      const { status, headers } = await limited.ask("POST", "/api/auth/share-grant", {
        headers: by(mintToken("share")),
      });
      tries.push([status, headers.get("ratelimit")?.replace(/;t=\d+$/, ""), headers.has("x-request-id")]);
    }
    expect(tries).toEqual([
      [404, '"reads";r=1', true],
      [404, '"reads";r=0', true],
      [429, '"reads";r=0', true],
    ]);
    await limited.close();
  });
});
