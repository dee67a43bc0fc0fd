// Share links as those who manage them see them: made, listed, revoked, resolved, and ended with their artifact.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import type { Input } from "@plinth/contract/registry";
import type { Artifact } from "@plinth/contract/schemas/artifact";
import type { ShareLink } from "@plinth/contract/schemas/share-link";
import { newId, uuidOf } from "@plinth/db/columns";

import { purge } from "../retention/purge.ts";
import { createSetup, type Manner, type TestPerson, type Setup } from "../test/context.ts";
import { mintToken, tokenHash, tokenKind } from "../tokens/token.ts";

let setup: Setup;
let owner: TestPerson;
let project: string;
let artifact: Artifact;
beforeAll(async () => {
  setup = await createSetup();
  owner = await setup.person();
  project = (await setup.project(owner.token)).slug;
  artifact = await publish();
});
afterAll(() => setup.close());

const publish = () => setup.publish(owner.token, project, { access: { publicView: false, publicEdit: false } });
const make = (
  more: Partial<Input<"shareLink.create">> = {},
  { artifactId } = artifact,
  manner: Manner = {},
): Promise<ShareLink> =>
  setup.call("shareLink.create", { artifactId, role: "viewer", ...more }, { as: owner.token, ...manner });
const listed = async ({ artifactId } = artifact) =>
  (await setup.call("shareLink.list", { artifactId, limit: 100 }, { as: owner.token })).shareLinks;
const resolve = (token: string | undefined) =>
  setup.call("shareLink.resolve", {}, { share: { hash: tokenHash(token ?? "") } });
const unresolved = async (token: string | undefined) =>
  setup.refusal("shareLink.resolve", {}, { share: { hash: tokenHash(token ?? "") } });
const eventsOf = async (shareLinkId: string) => [
  ...(await setup.db.run<{ kind: string; after: unknown }>(
    "SELECT kind, after FROM audit_event WHERE target_id = $1 ORDER BY event_id",
    [shareLinkId],
  )),
];
const rows = async () =>
  (await setup.db.run<{ rows: number }>("SELECT count(*)::int AS rows FROM share_link"))[0]?.rows ?? -1;

describe("making one", () => {
  test("answers with the token and the address, once; what is kept is the hash", async () => {
    const made = await make({ role: "editor", label: "For Bob", expiresAt: "2999-01-31T00:00:00Z" });
    expect(made).toMatchObject({
      artifactId: artifact.artifactId,
      role: "editor",
      label: "For Bob",
      expiresAt: "2999-01-31T00:00:00.000Z",
      createdBy: { type: "api_key", onBehalfOf: { userId: owner.userId } },
      revokedAt: null,
      lastUsedAt: null,
      useCount: 0,
      url: `http://plinth.test/share/${made.token}`,
    });
    expect(tokenKind(made.token ?? "")).toBe("share");
    const [kept] = await setup.db.run<{ text: string; hash: string }>(
      "SELECT l::text AS text, encode(hash, 'hex') AS hash FROM share_link l WHERE share_link_id = $1",
      [uuidOf("shr", made.shareLinkId)],
    );
    expect(kept?.hash).toBe(tokenHash(made.token ?? ""));
    expect(kept?.text).not.toContain(made.token ?? "");
    const [again] = await listed();
    const { token: _, url: __, ...rest } = made;
    expect(again).toEqual(rest);
  });

  test("for good where no expiry is given, or null; without a label where none is", async () => {
    for (const more of [{}, { expiresAt: null }])
      expect(await make(more)).toMatchObject({ expiresAt: null, label: null });
  });

  test("an expiry has any offset, and is answered in UTC", async () => {
    for (const [expiresAt, said] of [
      ["2999-01-31T00:00:00+01:00", "2999-01-30T23:00:00.000Z"],
      ["2999-01-31T00:00:00 01:00", "2999-01-30T23:00:00.000Z"],
    ] as const)
      expect(await make({ expiresAt })).toMatchObject({ expiresAt: said });
  });

  test("a date as the end is the end of that day in UTC", async () => {
    expect((await make({ expiresAt: "2099-02-28" })).expiresAt).toBe("2099-02-28T23:59:59.999Z");
  });

  test("expiresInDays is that many days after the creation, and not beside expiresAt", async () => {
    const { createdAt, expiresAt } = await make({ expiresInDays: 7 });
    const days = (Date.parse(expiresAt ?? "") - Date.parse(createdAt)) / 86_400_000;
    expect(Math.round(days)).toBe(7);
    const both = { artifactId: artifact.artifactId, role: "viewer", expiresAt: "2999-01-31T00:00:00Z" } as const;
    const refusal = await setup.refusal("shareLink.create", { ...both, expiresInDays: 7 }, { as: owner.token });
    expect(refusal).toMatchObject({ code: "invalid_request", extra: { errors: [{ path: "expiresInDays" }] } });
  });

  test.each([
    ["a time without Z", "2999-01-31T00:00:00"],
    ["a time with half an offset", "2999-01-31T00:00:00+1"],
    ["a day that is none", "2999-02-30T00:00:00Z"],
    ["the past", "2020-01-01T00:00:00Z"],
    ["nothing", ""],
    ["words", "tomorrow"],
    ["a year beyond what is written", "+012999-01-01T00:00:00Z"],
  ])("an expiry that is %s is refused, and named", async (_said, expiresAt) => {
    const before = await rows();
    const refusal = await setup.refusal(
      "shareLink.create",
      { artifactId: artifact.artifactId, role: "viewer", expiresAt },
      { as: owner.token },
    );
    expect(refusal).toMatchObject({ code: "invalid_request", extra: { errors: [{ path: "expiresAt" }] } });
    expect(await rows()).toBe(before);
  });

  test.each([
    ["role", { role: "owner" }],
    ["role", { role: null }],
    ["label", { label: "" }],
    ["label", { label: "x".repeat(101) }],
    ["label", { label: "a\u0000b" }],
    ["expiresAt", { expiresAt: 7 }],
  ])("a %s that is none is refused: %j", async (path, more) => {
    const input = { artifactId: artifact.artifactId, role: "viewer", ...more };
    const { code, extra } = await setup.refusal("shareLink.create", input, { as: owner.token });
    expect(code).toBe("invalid_request");
    expect(new Set(extra.errors?.map((error) => error.path))).toEqual(new Set([path]));
  });

  test("a dry run has neither token nor address, and keeps nothing", async () => {
    const before = await rows();
    const answer = await setup.answer(
      "shareLink.create",
      { artifactId: artifact.artifactId, role: "viewer" },
      { as: owner.token, dryRun: true },
    );
    expect(answer).toMatchObject({ status: 200, value: { dryRun: true, role: "viewer" } });
    expect(Object.keys(answer.value as object)).not.toContain("token");
    expect(Object.keys(answer.value as object)).not.toContain("url");
    expect(await rows()).toBe(before);
  });

  test("a repeated request gets the link without its secrets, and is told what to do", async () => {
    const before = await rows();
    const manner = { as: owner.token, idempotencyKey: setup.name("key") };
    const input = { artifactId: artifact.artifactId, role: "viewer", label: "Once" };
    const first = (await setup.answer("shareLink.create", input, manner)).value as ShareLink;
    const again = await setup.answer("shareLink.create", input, manner);
    const { token, url: _, ...rest } = first;
    expect(again).toMatchObject({ replayed: true, status: 201 });
    expect(again.value).toEqual({ ...rest, hint: expect.stringMatching(/token, url.*revoke/) });
    expect(await rows()).toBe(before + 1);
    const [leak] = await setup.db.run<{ rows: number }>(
      "SELECT count(*)::int AS rows FROM idempotency i, audit_event e WHERE i::text LIKE $1 OR e::text LIKE $1",
      [`%${token}%`],
    );
    expect(leak?.rows).toBe(0);
  });
});

describe("who may", () => {
  test("members make, list and revoke; viewers are told no, strangers nothing, and a key needs the scope", async () => {
    const [member, viewer, stranger] = await Promise.all([setup.person(), setup.person(), setup.person()]);
    const team = await setup.team({
      [owner.userId]: "admin",
      [member.userId]: "member",
      [viewer.userId]: "viewer",
    });
    const { slug } = await setup.project(owner.token, team.slug);
    const access = { publicView: false, publicEdit: false };
    const { artifactId } = await setup.publish(owner.token, slug, { ownerUsername: team.slug, access });
    const link = await setup.call("shareLink.create", { artifactId, role: "viewer" }, { as: member.token });
    const asked = [
      ["shareLink.create", { artifactId, role: "viewer" }],
      ["shareLink.list", { artifactId }],
      ["shareLink.revoke", { shareLinkId: link.shareLinkId }],
    ] as const;
    const scopeless = await setup.key(member.userId, ["artifacts:read", "artifacts:update"]);
    for (const [name, input] of asked) {
      expect((await setup.refusal(name, input)).code).toBe("unauthenticated");
      expect((await setup.refusal(name, input, { as: stranger.token })).code).toBe("not_found");
      expect((await setup.refusal(name, input, { as: viewer.token })).code).toBe("forbidden");
      expect((await setup.refusal(name, input, { as: scopeless })).code).toBe("insufficient_scope");
      // A link never permits managing links, even with the editor role.
      const share = { hash: tokenHash(link.token ?? "") };
      expect((await setup.refusal(name, input, { share })).code).toBe("forbidden");
    }
    await setup.call("shareLink.revoke", { shareLinkId: link.shareLinkId }, { as: member.token });
    const { shareLinks } = await setup.call("shareLink.list", { artifactId }, { as: member.token });
    expect(shareLinks).toHaveLength(1);
  });

  test("a link that does not exist is one of an artifact one may not see", async () => {
    const stranger = await setup.person();
    const { shareLinkId } = await make();
    const refusals = await Promise.all(
      [shareLinkId, newId("shr"), "shr_x"].map((id) =>
        setup.refusal("shareLink.revoke", { shareLinkId: id }, { as: stranger.token }),
      ),
    );
    expect(new Set(refusals.map(({ code, message, extra }) => JSON.stringify([code, message, extra]))).size).toBe(1);
    expect(refusals[0]?.code).toBe("not_found");
  });
});

test("lists are newest first, in pages, with the revoked and the expired among them", async () => {
  const { artifactId } = await publish();
  const made: string[] = [];
  for (let n = 0; n < 5; n++) made.unshift((await make({}, { ...artifact, artifactId })).shareLinkId);
  await setup.call("shareLink.revoke", { shareLinkId: made[1] ?? "" }, { as: owner.token });
  await setup.db.run("UPDATE share_link SET expires_at = now() WHERE share_link_id = $1", [
    uuidOf("shr", made[2] ?? ""),
  ]);
  const seen: string[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const more: { cursor?: string } = cursor === "" ? {} : { cursor };
    const page: { shareLinks: ShareLink[]; nextCursor: string | null } = await setup.call(
      "shareLink.list",
      { artifactId, limit: 2, ...more },
      { as: owner.token },
    );
    seen.push(...page.shareLinks.map(({ shareLinkId }) => shareLinkId));
    cursor = page.nextCursor;
  }
  expect(seen).toEqual(made);
  const refusal = await setup.refusal("shareLink.list", { artifactId, cursor: "nonsense" }, { as: owner.token });
  expect(refusal).toMatchObject({ code: "invalid_request", extra: { errors: [{ path: "cursor" }] } });
});

describe("revoking", () => {
  test("ends it at once, leaves one event, and a second time changes nothing", async () => {
    const { shareLinkId, token } = await make({ label: "L" });
    expect(await resolve(token)).toMatchObject({ artifactId: artifact.artifactId });
    const revoke = (manner: Manner = {}) =>
      setup.answer("shareLink.revoke", { shareLinkId }, { as: owner.token, ...manner });
    expect((await revoke({ dryRun: true })).status).toBe(200);
    expect(await resolve(token)).toMatchObject({ artifactId: artifact.artifactId });
    expect((await revoke()).status).toBe(204);
    const [first] = (await listed()).filter((link) => link.shareLinkId === shareLinkId);
    expect(first?.revokedAt).not.toBeNull();
    expect((await unresolved(token)).code).toBe("not_found");
    expect((await revoke()).status).toBe(204);
    expect((await listed()).find((link) => link.shareLinkId === shareLinkId)).toEqual(first as ShareLink);
    const events = await eventsOf(shareLinkId);
    expect(events.map(({ kind }) => kind)).toEqual(["share_link.created", "share_link.revoked"]);
  });

  test("many at once leave one event", async () => {
    const { shareLinkId } = await make();
    await Promise.all(
      Array.from({ length: 8 }, () => setup.call("shareLink.revoke", { shareLinkId }, { as: owner.token })),
    );
    expect(await eventsOf(shareLinkId)).toHaveLength(2);
  });
});

describe("resolving", () => {
  test("shows the artifact, role and expiry to the token's holder", async () => {
    const { token } = await make({ role: "editor", expiresAt: "2999-01-01T00:00:00Z" });
    expect(await resolve(token)).toEqual({
      artifactId: artifact.artifactId,
      ownerUsername: owner.username,
      projectSlug: project,
      slug: artifact.slug,
      title: artifact.title,
      url: artifact.url,
      role: "editor",
      expiresAt: "2999-01-01T00:00:00.000Z",
    });
  });

  test("every invalid token gets the same answer", async () => {
    const [revoked, expired, deleted] = [await make(), await make(), await make({}, await publish())];
    await setup.call("shareLink.revoke", { shareLinkId: revoked.shareLinkId }, { as: owner.token });
    await setup.db.run("UPDATE share_link SET expires_at = now() WHERE share_link_id = $1", [
      uuidOf("shr", expired.shareLinkId),
    ]);
    await setup.call("artifact.delete", { artifactId: deleted.artifactId }, { as: owner.token });
    const tokens = [revoked.token, expired.token, deleted.token, mintToken("share"), mintToken("apiKey")];
    const refusals = await Promise.all([...tokens.map(unresolved), setup.refusal("shareLink.resolve", {})]);
    for (const { code, message, extra } of refusals)
      expect({ code, message, extra }).toEqual({
        code: "not_found",
        message: "There is nothing here, or you may not see it",
        extra: {},
      });
  });

  test("the links of a grant cookie are not resolved: they are no token", async () => {
    const { shareLinkId } = await make();
    const refusal = await setup.refusal("shareLink.resolve", {}, { share: { granted: [shareLinkId] } });
    expect(refusal.code).toBe("not_found");
  });
});

describe("deleting the artifact", () => {
  test("its links open nothing until it is undeleted; revoked and expired ones stay so", async () => {
    const doomed = await publish();
    const links = [await make({}, doomed), await make({ role: "editor" }, doomed)];
    const [before, expired] = [await make({}, doomed), await make({}, doomed)];
    await setup.call("shareLink.revoke", { shareLinkId: before.shareLinkId }, { as: owner.token });
    await setup.db.run("UPDATE share_link SET expires_at = now() WHERE share_link_id = $1", [
      uuidOf("shr", expired.shareLinkId),
    ]);
    const { artifactId } = doomed;
    await setup.call("artifact.delete", { artifactId }, { as: owner.token, dryRun: true });
    expect(await resolve(links[0]?.token)).toMatchObject({ artifactId });
    await setup.call("artifact.delete", { artifactId }, { as: owner.token });
    for (const { token } of links) expect((await unresolved(token)).code).toBe("not_found");
    for (const { shareLinkId } of links)
      expect(await eventsOf(shareLinkId)).toMatchObject([{ kind: "share_link.created" }]);

    const { workingShareLinks } = await setup.call("artifact.undelete", { artifactId }, { as: owner.token });
    expect(workingShareLinks).toBe(2);
    for (const { token } of links) expect(await resolve(token)).toMatchObject({ artifactId });
    for (const { token } of [before, expired]) expect((await unresolved(token)).code).toBe("not_found");
  });

  test("a link that was created at the same time opens nothing", async () => {
    for (let round = 0; round < 10; round++) {
      const doomed = await publish();
      const made = Array.from({ length: 4 }, () =>
        make({}, doomed).then(
          ({ token }) => token,
          ({ code }: { code: string }) => code,
        ),
      );
      const deletion = setup.call("artifact.delete", { artifactId: doomed.artifactId }, { as: owner.token });
      const outcomes = await Promise.all(made);
      await deletion;
      for (const outcome of outcomes) {
        if (outcome === "not_found") continue;
        expect((await unresolved(outcome)).code).toBe("not_found");
      }
    }
  });

  test("one that is purged takes its links along, and leaves their events", async () => {
    const doomed = await publish();
    const { shareLinkId } = await make({}, doomed);
    await setup.call("artifact.delete", { artifactId: doomed.artifactId }, { as: owner.token });
    await setup.db.run("UPDATE artifact SET deleted_at = now() - interval '40 days' WHERE artifact_id = $1", [
      uuidOf("art", doomed.artifactId),
    ]);

    await purge(setup.db, "request-purge");
    const [left] = await setup.db.run<{ rows: number }>(
      "SELECT count(*)::int AS rows FROM share_link WHERE share_link_id = $1",
      [uuidOf("shr", shareLinkId)],
    );
    expect(left?.rows).toBe(0);
    expect(await eventsOf(shareLinkId)).toHaveLength(1);
  });
});
