// Invitations: made, listed, revoked, accepted once by whom they are for.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { AppError, toProblem } from "@plinth/contract/errors";
import type { OperationName } from "@plinth/contract/registry";
import { workspaceRoles, type WorkspaceRole } from "@plinth/contract/roles";
import { newId, uuidOf } from "@plinth/db/columns";

import { createSetup, operatorToken, type Caller, type TestPerson, type Setup } from "../test/context.ts";
import { invitationUrl } from "../tokens/invitation-token.ts";

let setup: Setup;
let admin: TestPerson;
let asAdmin: Caller;
beforeAll(async () => {
  setup = await createSetup();
  admin = await setup.person();
  asAdmin = await setup.session(admin.userId);
});
afterAll(() => setup.close());

const team = () => setup.team({ [admin.userId]: "admin" });
const emailOf = ({ username }: TestPerson) => `${username}@example.org`;
const tokenOf = (url: string | undefined) => url?.split("#")[1] ?? "";

const invite = (workspaceId: string, email: string, role: WorkspaceRole = "member", as = asAdmin) =>
  setup.call("invitation.create", { workspaceId, email, role }, { as });

const code = (name: OperationName, input: object, as?: Caller): Promise<string> =>
  setup.answer(name, input, as === undefined ? {} : { as }).then(
    () => "done",
    (error: { code: string }) => error.code,
  );

const end = (column: "expires_at" | "revoked_at", invitationId: string) =>
  setup.db.run(`UPDATE invitation SET ${column} = now() WHERE invitation_id = $1`, [uuidOf("inv", invitationId)]);

describe("inviting", () => {
  test("shows the link once, for seven days, to the one address however it is written", async () => {
    const { workspaceId } = await team();
    const made = await invite(workspaceId, "Guest.One+x@EXAMPLE.org", "billing_admin");
    expect(made).toMatchObject({
      email: "guest.one+x@example.org",
      role: "billing_admin",
      status: "pending",
      invitedBy: { type: "user", id: admin.userId, label: admin.username },
    });
    expect(Date.parse(made.expiresAt) - Date.parse(made.createdAt)).toBe(7 * 86_400_000);
    expect(made.url).toStartWith(`${setup.instance.config.publicUrl}/invitations/accept#`);
    const { invitations } = await setup.call("invitation.list", { workspaceId }, { as: asAdmin });
    const { url, ...shown } = made;
    expect(invitations).toEqual([shown]);
    // No row holds the token.
    const rows = await setup.db.run<{ text: string }>(
      "SELECT i::text AS text FROM invitation i UNION ALL SELECT e::text FROM audit_event e UNION ALL SELECT o::text FROM outbox o",
    );
    expect(rows.filter(({ text }) => text.includes(tokenOf(url)))).toEqual([]);
  });

  test("is for admins in person alone, and strangers are not told that there is a workspace", async () => {
    const people = await Promise.all(workspaceRoles.map(async (role) => ({ role, person: await setup.person() })));
    const roles = Object.fromEntries(people.map(({ role, person }) => [person.userId, role]));
    const { workspaceId } = await setup.team({ ...roles, [admin.userId]: "admin" });
    const { invitationId } = await invite(workspaceId, "someone@example.org");
    const calls: [OperationName, object][] = [
      ["invitation.create", { workspaceId, email: "other@example.org", role: "viewer" }],
      ["invitation.list", { workspaceId }],
      ["invitation.revoke", { invitationId }],
    ];
    for (const [name, input] of calls) {
      // A caller who cannot revoke an invitation does not learn that it exists.
      const forbidden = name === "invitation.revoke" ? "not_found" : "forbidden";
      expect(await code(name, input)).toBe("unauthenticated");
      expect(await code(name, input, await setup.session((await setup.person()).userId))).toBe("not_found");
      for (const { role, person } of people) {
        expect(await code(name, input, person.token)).toBe("forbidden");
        if (role !== "admin") expect(await code(name, input, await setup.session(person.userId))).toBe(forbidden);
      }
      const other = people.find(({ role }) => role === "admin")?.person.userId ?? "";
      expect(await code(name, input, await setup.session(other))).toBe("done");
    }
  });

  test("the same address again replaces the pending invitation; a member's is refused", async () => {
    const { workspaceId } = await team();
    const guest = await setup.person();
    const first = await invite(workspaceId, emailOf(guest), "viewer");
    const second = await invite(workspaceId, emailOf(guest).toUpperCase(), "member");
    const { invitations } = await setup.call("invitation.list", { workspaceId }, { as: asAdmin });
    expect(invitations.map(({ invitationId }) => invitationId)).toEqual([second.invitationId]);
    const as = await setup.session(guest.userId);
    expect(await code("invitation.accept", { token: tokenOf(first.url) }, as)).toBe("not_found");
    expect(await code("invitation.accept", { token: tokenOf(second.url) }, as)).toBe("done");
    expect(await code("invitation.create", { workspaceId, email: emailOf(guest), role: "admin" }, asAdmin)).toBe(
      "email_conflict",
    );
  });

  test("a dry run shows no link and creates no invitation; a replay omits the link", async () => {
    const { workspaceId } = await team();
    const input = { workspaceId, email: "dry@example.org", role: "viewer" };
    const dry = await setup.answer("invitation.create", input, { as: asAdmin, dryRun: true });
    expect(dry.value).toMatchObject({ email: "dry@example.org", dryRun: true });
    expect(dry.value).not.toHaveProperty("url");
    expect((await setup.call("invitation.list", { workspaceId }, { as: asAdmin })).invitations).toEqual([]);
    const manner = { as: asAdmin, idempotencyKey: "once" };
    expect((await setup.answer("invitation.create", input, manner)).value).toHaveProperty("url");
    const again = await setup.answer("invitation.create", input, manner);
    expect(again.replayed).toBe(true);
    expect(again.value).not.toHaveProperty("url");
    expect((await setup.call("invitation.list", { workspaceId }, { as: asAdmin })).invitations).toHaveLength(1);
  });

  test("hostile addresses and roles are refused by field", async () => {
    const { workspaceId } = await team();
    for (const email of [
      "",
      "a",
      "a@",
      "@b",
      "a@b\r\nBcc: c@d",
      "\u212A@example.org",
      `${"a".repeat(250)}@b.org`,
      7,
      null,
    ]) {
      const { code, extra } = await setup.refusal(
        "invitation.create",
        { workspaceId, email, role: "viewer" },
        { as: asAdmin },
      );
      expect({ email, code, path: extra.errors?.[0]?.path }).toEqual({ email, code: "invalid_request", path: "email" });
    }
    const role = await setup.refusal(
      "invitation.create",
      { workspaceId, email: "a@b.org", role: "owner" },
      { as: asAdmin },
    );
    expect(role.extra.errors?.[0]?.path).toBe("role");
  });
});

describe("revoking", () => {
  test("ends the link; again, or when it has expired, it is done already; an accepted one is used", async () => {
    const { workspaceId } = await team();
    const guest = await setup.person();
    const as = await setup.session(guest.userId);
    const { invitationId, url } = await invite(workspaceId, emailOf(guest));
    const dry = await setup.answer("invitation.revoke", { invitationId }, { as: asAdmin, dryRun: true });
    expect(dry).toMatchObject({ status: 200, value: { dryRun: true } });
    for (let time = 0; time < 2; time++)
      expect(await code("invitation.revoke", { invitationId }, asAdmin)).toBe("done");
    expect(await code("invitation.accept", { token: tokenOf(url) }, as)).toBe("not_found");
    expect((await setup.call("invitation.list", { workspaceId }, { as: asAdmin })).invitations).toEqual([]);

    const expired = await invite(workspaceId, emailOf(guest));
    await end("expires_at", expired.invitationId);
    expect((await setup.call("invitation.list", { workspaceId }, { as: asAdmin })).invitations).toEqual([]);
    expect(await code("invitation.revoke", { invitationId: expired.invitationId }, asAdmin)).toBe("done");

    const used = await invite(workspaceId, emailOf(guest));
    await setup.call("invitation.accept", { token: tokenOf(used.url) }, { as });
    expect(await code("invitation.revoke", { invitationId: used.invitationId }, asAdmin)).toBe("invitation_used");
    for (const invitationId of [newId("inv"), "inv_nonsense"])
      expect(await code("invitation.revoke", { invitationId }, asAdmin)).toBe("not_found");
  });
});

describe("accepting", () => {
  test("makes the person a member, once, and answers with the workspace", async () => {
    const { workspaceId, slug } = await team();
    const guest = await setup.person();
    const as = await setup.session(guest.userId);
    const { url } = await invite(workspaceId, emailOf(guest), "viewer");
    const token = tokenOf(url);
    expect(await setup.call("invitation.accept", { token }, { as })).toMatchObject({
      workspaceId,
      slug,
      role: "viewer",
      seats: { used: 2, limit: 10 },
    });
    const { members } = await setup.call("member.list", { workspaceId }, { as });
    expect(members[0]).toMatchObject({ userId: guest.userId, role: "viewer" });
    expect(await code("invitation.accept", { token }, as)).toBe("invitation_used");
  });

  test("requires the invited address, verified; other callers learn neither the address nor whether it was used", async () => {
    const { workspaceId } = await team();
    const guest = await setup.person();
    const { url } = await invite(workspaceId, emailOf(guest));
    const token = tokenOf(url);
    const other = await setup.session((await setup.person()).userId);
    const before = await setup.refusal("invitation.accept", { token }, { as: other });
    expect(before.code).toBe("forbidden");
    expect(JSON.stringify(toProblem(before, "r"))).not.toContain(emailOf(guest));
    expect(await code("invitation.accept", { token })).toBe("unauthenticated");
    expect(await code("invitation.accept", { token }, guest.token)).toBe("forbidden");

    const as = await setup.session(guest.userId);
    const verify = (isSo: boolean) =>
      setup.db.run('UPDATE "user" SET email_verified = $2 WHERE user_id = $1', [uuidOf("usr", guest.userId), isSo]);
    await verify(false);
    expect(await code("invitation.accept", { token }, as)).toBe("forbidden");
    await verify(true);
    expect(await code("invitation.accept", { token }, as)).toBe("done");
    const after = await setup.refusal("invitation.accept", { token }, { as: other });
    expect(JSON.stringify(toProblem(after, "r"))).toBe(JSON.stringify(toProblem(before, "r")));
  });

  test("unknown, foreign, revoked and expired links are all the same: nothing is there", async () => {
    const { workspaceId } = await team();
    const guest = await setup.person();
    const as = await setup.session(guest.userId);
    const expired = await invite(workspaceId, emailOf(guest));
    await end("expires_at", expired.invitationId);
    const revoked = await invite(workspaceId, emailOf(guest));
    await end("revoked_at", revoked.invitationId);
    const pending = tokenOf((await invite(workspaceId, emailOf(guest))).url);
    const { config } = setup.instance;
    const hostile = [
      tokenOf(expired.url),
      tokenOf(revoked.url),
      tokenOf(invitationUrl(config, newId("inv"))),
      tokenOf(invitationUrl({ ...config, secret: "another" }, revoked.invitationId)),
      pending.slice(0, -1),
      `${pending}A`,
      `${pending}=`,
      pending.toLowerCase(),
      revoked.invitationId,
      "x".repeat(512),
      "\u{1F512}",
    ];
    const refusals = await Promise.all(
      hostile.flatMap((token) => [
        setup.refusal("invitation.accept", { token }, { as }),
        setup.refusal("invitation.describe", { token }, { as }),
        setup.refusal("invitation.describe", { token }),
      ]),
    );
    const answers = refusals.map((refusal) => JSON.stringify(toProblem(refusal, "r")));
    const missing = await setup.refusal("artifact.get", { artifactId: newId("art") });
    expect(new Set(answers)).toEqual(new Set([JSON.stringify(toProblem(missing, "r"))]));
    expect(await code("invitation.accept", { token: "x".repeat(513) }, as)).toBe("invalid_request");
    expect(await code("invitation.accept", { token: pending }, as)).toBe("done");
  });

  test("before accepting, the link says who invites, where and as what; only the invited person learns that it was used", async () => {
    const { workspaceId, slug } = await team();
    const guest = await setup.person();
    const as = await setup.session(guest.userId);
    const other = await setup.session((await setup.person()).userId);
    const { url, expiresAt } = await invite(workspaceId, emailOf(guest), "viewer");
    const token = tokenOf(url);
    const summary = { workspaceName: slug, invitedBy: admin.username, role: "viewer" as const, expiresAt };
    expect(await setup.call("invitation.describe", { token })).toEqual({ ...summary, isForYou: null });
    expect(await setup.call("invitation.describe", { token }, { as: other })).toEqual({ ...summary, isForYou: false });
    expect(await setup.call("invitation.describe", { token }, { as })).toEqual({ ...summary, isForYou: true });
    await setup.call("invitation.accept", { token }, { as });
    expect(await setup.call("invitation.describe", { token })).toEqual({ ...summary, isForYou: null });
    expect(await setup.call("invitation.describe", { token }, { as: other })).toEqual({ ...summary, isForYou: false });
    expect(await code("invitation.describe", { token }, as)).toBe("invitation_used");
  });

  test("a user who became a member in between keeps their role", async () => {
    const { workspaceId } = await team();
    const guest = await setup.person();
    const as = await setup.session(guest.userId);
    const { url } = await invite(workspaceId, emailOf(guest), "viewer");
    const set = { workspaceId, userId: guest.userId, role: "admin" as const };
    await setup.call("operator.setMember", set, { as: operatorToken });
    expect(await setup.call("invitation.accept", { token: tokenOf(url) }, { as })).toMatchObject({ role: "admin" });
  });
});

describe("seats", () => {
  const invitations = async (workspaceId: string, number: number, as = asAdmin) => {
    for (let made = 0; made < number; made++)
      await invite(workspaceId, `${setup.name("seat")}@example.org`, "viewer", as);
  };

  test("people and pending invitations take them; one that ends gives its seat back", async () => {
    const { workspaceId } = await team();
    await invitations(workspaceId, 9);
    const full = await setup.refusal(
      "invitation.create",
      { workspaceId, email: "eleventh@example.org", role: "viewer" },
      { as: asAdmin },
    );
    expect(full).toMatchObject({ code: "seat_limit_reached", extra: { seats: { used: 10, limit: 10 } } });
    const { invitations: pending } = await setup.call("invitation.list", { workspaceId }, { as: asAdmin });
    // Inviting the same address again needs no further seat.
    await invite(workspaceId, pending[0]?.email ?? "", "admin");
    await end("expires_at", pending[1]?.invitationId ?? "");
    await invite(workspaceId, "tenth@example.org");
    await setup.call("invitation.revoke", { invitationId: pending[2]?.invitationId ?? "" }, { as: asAdmin });
    await invite(workspaceId, "another@example.org");
    expect(
      await code("invitation.create", { workspaceId, email: "eleventh@example.org", role: "viewer" }, asAdmin),
    ).toBe("seat_limit_reached");
  });

  test("are counted over all workspaces of the plan's holder, a person once", async () => {
    const holder = await setup.person({ plan: "team" });
    const as = await setup.session(holder.userId);
    const teams = await Promise.all(
      [1, 2].map(() => setup.call("workspace.create", { slug: setup.name("team"), name: "T" }, { as })),
    );
    const [first = "", second = ""] = teams.map(({ workspaceId }) => workspaceId);
    await invitations(first, 5, as);
    await invitations(holder.workspaceId, 4, as);
    const seats = async () => (await setup.call("workspace.list", {}, { as })).workspaces.map((place) => place.seats);
    expect(await seats()).toEqual(Array.from({ length: 3 }, () => ({ used: 10, limit: 10 })));
    const stranger = { workspaceId: second, email: "eleventh@example.org", role: "viewer" };
    expect(await code("invitation.create", stranger, as)).toBe("seat_limit_reached");
    const [known] = (await setup.call("invitation.list", { workspaceId: first }, { as })).invitations;
    expect(await code("invitation.create", { ...stranger, email: known?.email }, as)).toBe("done");
    expect(await seats()).toEqual(Array.from({ length: 3 }, () => ({ used: 10, limit: 10 })));
  });

  test.each(["free", "pro"] as const)("the plan %s has one, its owner's", async (plan) => {
    const { userId, workspaceId } = await setup.person({ plan });
    const as = await setup.session(userId);
    const refusal = await setup.refusal(
      "invitation.create",
      { workspaceId, email: "a@example.org", role: "viewer" },
      { as },
    );
    expect(refusal).toMatchObject({ code: "seat_limit_reached", extra: { seats: { used: 1, limit: 1 } } });
  });

  test("after a downgrade no invitation is accepted and no member is removed", async () => {
    const holder = await setup.person({ plan: "team" });
    const as = await setup.session(holder.userId);
    const { workspaceId } = await setup.call("workspace.create", { slug: setup.name("team"), name: "T" }, { as });
    const guest = await setup.person();
    const { url } = await invite(workspaceId, emailOf(guest), "member", as);
    const setPlan = (plan: "free" | "team") =>
      setup.call("operator.setPlan", { workspaceId: holder.workspaceId, plan }, { as: operatorToken });
    await setPlan("free");
    const asGuest = await setup.session(guest.userId);
    const refusal = await setup.refusal("invitation.accept", { token: tokenOf(url) }, { as: asGuest });
    expect(refusal).toBeInstanceOf(AppError);
    expect(refusal.code).toBe("seat_limit_reached");
    await setPlan("team");
    await setup.call("invitation.accept", { token: tokenOf(url) }, { as: asGuest });
    await setPlan("free");
    expect((await setup.call("workspace.list", {}, { as: asGuest })).workspaces).toHaveLength(2);
  });
});
