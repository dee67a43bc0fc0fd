// Share links over HTTP: alone, beside a session, beside a key; and links without effect (docs/reference/contract.md
// §5).
import { afterAll, describe, expect, test } from "bun:test";

import { uuidOf } from "@plinth/db/columns";
import { mintToken } from "@plinth/domain/tokens/token";

import { by, createShared } from "./test/shared-artifact.ts";
import { origin } from "./test/service.ts";

const {
  service,
  setup,
  owner,
  stranger,
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

/** The requests of all operations on the artifact. */
const asked: readonly (readonly [string, string, unknown?])[] = [
  ["GET", ""],
  ["GET", "/content"],
  ["GET", "/ticket"],
  ["GET", "/versions"],
  ["GET", "/diff?from=1&to=1"],
  ["POST", "/versions", { content: "other" }],
  ["POST", "/edits", { edits: [{ oldText: "#", newText: "##" }] }],
  ["POST", "/versions/1/restore"],
  ["PATCH", "", { title: "Other" }],
  ["PATCH", "", { slug: "elsewhere" }],
  ["DELETE", ""],
  ["POST", "/share-links", { role: "editor" }],
  ["GET", "/share-links"],
];
const statuses = async (headers: Record<string, string>, of = artifactId) => {
  const seen: number[] = [];
  for (const [method, path, body] of asked)
    seen.push(
      await statusOf(method, at(path, of), {
        headers,
        ...(body === undefined ? {} : { body }),
      }),
    );
  return seen;
};

describe("alone", () => {
  test("a viewer's link reads, and is told no beyond that", async () => {
    expect(await statuses(by(viewer))).toEqual([200, 200, 200, 200, 200, 403, 403, 403, 403, 403, 403, 403, 403]);
  });

  test("an editor's link publishes, edits, restores and retitles; another address is not its to give", async () => {
    const seen = await statuses(by(editor));
    expect(seen).toEqual([200, 200, 200, 200, 200, 201, 400, 201, 200, 403, 403, 403, 403]);
    const body = { edits: [{ oldText: "# artifact", newText: "# edited" }] };
    expect(await statusOf("POST", at("/edits"), { headers: by(editor), body })).toBe(201);
    expect(await updated()).toEqual({ type: "share_link", id: editor.shareLinkId, surface: "api" });
    const { versions } = await setup.call("version.list", { artifactId, limit: 1 }, { as: owner.token });
    expect(versions[0]?.createdBy).toEqual({ type: "share_link", id: editor.shareLinkId, label: "editor" });
  });

  test("the caller's permissions are the link's", async () => {
    const seen = await Promise.all(
      [viewer, editor].map(async (link) => (await service.ask("GET", at(""), { headers: by(link) })).json()),
    );
    expect(seen).toMatchObject([
      { permissions: { edit: false, share: false, manageAccess: false, delete: false } },
      { permissions: { edit: true, share: false, manageAccess: false, delete: false } },
    ]);
  });

  test("the surface is what the client claims, and a browser's cookie is the web", async () => {
    const body = { content: "by a client" };
    const headers = { ...by(editor), "user-agent": "plinth/1.0" };
    expect(await statusOf("POST", at("/versions"), { headers, body })).toBe(201);
    expect(await updated()).toMatchObject({ type: "share_link", surface: "cli" });
    const fromPage = { ...grants(editor), origin };
    expect(await statusOf("POST", at("/versions"), { headers: fromPage, body })).toBe(201);
    expect(await updated()).toMatchObject({ type: "share_link", id: editor.shareLinkId, surface: "web" });
  });
});

describe("a token that is good for nothing here is as none", () => {
  test("bad, unknown, foreign, expired, revoked, of a deleted artifact: answers equal to those without one", async () => {
    const [expired, revoked, doomed] = [await make("editor"), await make("editor"), await publish()];
    await expire(expired);
    await revoke(revoked);
    const ofDeleted = await make("editor", doomed);
    await setup.call("artifact.delete", { artifactId: doomed }, { as: owner.token });
    const tokens = [
      "nonsense",
      "",
      `${editor.token}x`,
      mintToken("share"),
      mintToken("apiKey"),
      owner.token,
      await make("editor", other),
      expired,
      revoked,
      ofDeleted,
    ];
    const bodies = async (headers: Record<string, string>) => {
      const texts: unknown[] = [];
      for (const [method, path, body] of asked) {
        const response = await service.ask(method, at(path), {
          headers: { "x-request-id": "request-same", ...headers },
          ...(body === undefined ? {} : { body }),
        });
        texts.push([response.status, await response.text()]);
      }
      return texts;
    };
    const without = await bodies({});
    expect(without.map((answer) => (answer as [number])[0])).toEqual([
      404, 404, 404, 404, 404, 401, 401, 401, 401, 401, 401, 401, 401,
    ]);
    for (const token of tokens) expect(await bodies(by(token))).toEqual(without);
    for (const link of [expired, revoked, ofDeleted])
      expect(await bodies({ ...grants(link), origin })).toEqual(without);
    expect(await statuses(by(ofDeleted), doomed)).toEqual([
      404, 404, 404, 404, 404, 401, 401, 401, 401, 401, 401, 401, 401,
    ]);
  });

  test("expiry is by the database's clock: one that is ahead opens, one that is past does not", async () => {
    const link = await make("viewer");
    await expire(link, "now() + interval '1 hour'");
    expect(await statusOf("GET", at("/content"), { headers: by(link) })).toBe(200);
    await expire(link, "now() - interval '1 microsecond'");
    expect(await statusOf("GET", at("/content"), { headers: by(link) })).toBe(404);
  });

  test("revocation holds on the very next request, by token and by cookie", async () => {
    const link = await make("editor");
    for (const headers of [by(link), grants(link)])
      expect(await statusOf("GET", at("/content"), { headers })).toBe(200);
    await revoke(link);
    for (const headers of [by(link), grants(link)])
      expect(await statusOf("GET", at("/content"), { headers })).toBe(404);
  });
});

describe("beside a credential", () => {
  test("a bad credential is 401 even with a valid link", async () => {
    for (const as of ["nonsense", mintToken("apiKey")])
      expect(await statusOf("GET", at("/content"), { as, headers: by(editor) })).toBe(401);
  });

  test("the person's own permission comes first, and the person is the actor", async () => {
    const body = { content: "by the owner" };
    expect(await statusOf("POST", at("/versions"), { as: owner.token, headers: by(editor), body })).toBe(201);
    expect(await updated()).toMatchObject({ type: "api_key" });
    const headers = { ...(await session(owner)), ...by(editor), origin };
    expect(await statusOf("POST", at("/versions"), { headers, body })).toBe(201);
    expect(await updated()).toEqual({ type: "user", id: owner.userId, surface: "web" });
    // The person's own rights apply where the link gives no permission.
    expect(await statusOf("GET", at("/share-links"), { as: owner.token, headers: by(viewer) })).toBe(200);
  });

  test("a session without its own permission can do what the link permits", async () => {
    const headers = { ...(await session(stranger)), ...by(editor), origin };
    expect(await statusOf("GET", at("/content"), { headers: await session(stranger) })).toBe(404);
    expect(await statusOf("POST", at("/versions"), { headers, body: { content: "guest" } })).toBe(201);
    expect(await updated()).toEqual({ type: "share_link", id: editor.shareLinkId, surface: "web" });
    const reading = { ...(await session(stranger)), ...by(viewer), origin };
    expect(await statusOf("POST", at("/versions"), { headers: reading, body: { content: "guest" } })).toBe(403);
    expect(await statusOf("GET", at("/share-links"), { headers })).toBe(403);
  });

  test("a key without the scope: only the link's permission applies", async () => {
    const blind = await setup.key(owner.userId, ["artifacts:delete"]);
    const body = { content: "by the link" };
    expect(await statusOf("POST", at("/versions"), { as: blind, body })).toBe(403);
    expect(await statusOf("POST", at("/versions"), { as: blind, headers: by(editor), body })).toBe(201);
    expect(await updated()).toMatchObject({ type: "share_link", id: editor.shareLinkId });
    expect(await statusOf("POST", at("/versions"), { as: blind, headers: by(viewer), body })).toBe(403);
    expect(await statusOf("GET", at("/content"), { as: blind, headers: by(viewer) })).toBe(200);
    const refused = await service.ask("GET", at("/share-links"), { as: blind, headers: by(editor) });
    expect(await refused.json()).toMatchObject({ code: "insufficient_scope", requiredScope: "artifacts:share" });
  });

  test("a key held to another workspace reads by the link alone", async () => {
    const team = await setup.team({ [owner.userId]: "admin" });
    const held = await setup.key(owner.userId, ["artifacts:read", "artifacts:update"], team.workspaceId);
    expect(await statusOf("GET", at("/content"), { as: held })).toBe(404);
    expect(await statusOf("GET", at("/content"), { as: held, headers: by(viewer) })).toBe(200);
    const body = { content: "held" };
    expect(await statusOf("POST", at("/versions"), { as: held, headers: by(viewer), body })).toBe(403);
    expect(await statusOf("POST", at("/versions"), { as: held, headers: by(editor), body })).toBe(201);
    expect(await updated()).toMatchObject({ type: "share_link" });
  });

  test("a session that has ended leaves the link", async () => {
    const ended = await session(stranger);
    await setup.db.run("DELETE FROM session WHERE user_id = $1", [uuidOf("usr", stranger.userId)]);
    const headers = { ...ended, ...by(editor), origin };
    expect(await statusOf("GET", at("/content"), { headers })).toBe(200);
    expect(await statusOf("POST", at("/versions"), { headers, body: { content: "left" } })).toBe(201);
    expect(await updated()).toMatchObject({ type: "share_link" });
  });

  test("a repeated request by a link gets the first one's answer", async () => {
    const sent = { headers: { ...by(editor), "idempotency-key": "once" }, body: { content: "once" } };
    const [first, again] = [
      await service.ask("POST", at("/versions"), sent),
      await service.ask("POST", at("/versions"), sent),
    ];
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect(await again.json()).toEqual(await first.json());
  });
});
