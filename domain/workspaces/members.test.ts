// Members: who sees them, who changes them, and what no one may do.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import type { Input } from "@plinth/contract/registry";
import { workspaceRoles, type WorkspaceRole } from "@plinth/contract/roles";
import { scopes, type Scope } from "@plinth/contract/scopes";
import { newId, uuidOf } from "@plinth/db/columns";

import { connectCommandLine } from "../credentials/test/clients.ts";
import { createSetup, operatorToken, type Caller, type TestPerson, type Setup } from "../test/context.ts";
import { tokenHash } from "../tokens/token.ts";

let setup: Setup;
beforeAll(async () => {
  setup = await createSetup();
});
afterAll(() => setup.close());

/** A team with a member in each role, and one more member whose role the tests change. */
async function fullTeam() {
  const people = new Map<WorkspaceRole, TestPerson>();
  for (const role of workspaceRoles) people.set(role, await setup.person());
  const target = await setup.person();
  const roles = Object.fromEntries([...people].map(([role, { userId }]) => [userId, role]));
  const { workspaceId, slug } = await setup.team({ ...roles, [target.userId]: "viewer" });
  const of = (role: WorkspaceRole): TestPerson => {
    const person = people.get(role);
    if (person === undefined) throw new Error(`nobody is ${role}`);
    return person;
  };
  return { workspaceId, slug, target, of };
}

const code = (name: "member.setRole" | "member.remove" | "member.leave", input: object, as?: Caller): Promise<string> =>
  setup.answer(name, input, as === undefined ? {} : { as }).then(
    () => "done",
    (error: { code: string }) => error.code,
  );

async function roleOf(workspaceId: string, userId: string): Promise<string | undefined> {
  const [row] = await setup.db.run<{ role: string }>(
    "SELECT role FROM membership WHERE workspace_id = $1 AND user_id = $2",
    [uuidOf("wsp", workspaceId), uuidOf("usr", userId)],
  );
  return row?.role;
}

describe("the list of members", () => {
  test("email addresses: all of them for admins by session or login token, otherwise only one's own", async () => {
    const { workspaceId, of } = await fullTeam();
    const loginOf = async (userId: string, held: readonly Scope[]) => {
      const token = await setup.key(userId, held);
      await setup.db.run("UPDATE credential SET kind = 'login' WHERE hash = decode($1, 'hex')", [tokenHash(token)]);
      return token;
    };
    for (const role of workspaceRoles) {
      const { userId } = of(role);
      const isAdmin = role === "admin";
      const agent = await setup.call(
        "agent.create",
        { name: "a", scopes: ["artifacts:read"] },
        { as: await setup.session(userId) },
      );
      const callers: readonly [Caller, boolean][] = [
        [await setup.session(userId), isAdmin],
        [await loginOf(userId, scopes), isAdmin],
        [await loginOf(userId, ["artifacts:read"]), false],
        [await setup.key(userId, ["artifacts:read"]), false],
        [await setup.key(userId, scopes), false],
        [agent.token ?? "", false],
      ];
      for (const [as, seesAll] of callers) {
        const { members } = await setup.call("member.list", { workspaceId }, { as });
        expect(members).toHaveLength(5);
        for (const member of members)
          expect(member.email).toBe(seesAll || member.userId === userId ? `${member.username}@example.org` : null);
        // Nothing else of the answer names one.
        const others = JSON.stringify(members.filter((member) => member.userId !== userId));
        expect(others.includes("@")).toBe(seesAll);
      }
    }
  });

  test("is told to every role by any credential, newest first, by pages", async () => {
    const { workspaceId, target, of } = await fullTeam();
    for (const role of workspaceRoles) {
      for (const as of [await setup.key(of(role).userId, ["artifacts:read"]), await setup.session(of(role).userId)]) {
        const { members } = await setup.call("member.list", { workspaceId }, { as });
        expect(members).toHaveLength(5);
        expect(members.find(({ userId }) => userId === target.userId)).toMatchObject({
          username: target.username,
          name: null,
          role: "viewer",
        });
      }
    }
    // Two of them in the same millisecond, but not in the same microsecond.
    const ids = workspaceRoles.map((role) => of(role).userId);
    const joined = [
      "2026-01-01T00:00:00.000002Z",
      "2026-01-01T00:00:00.000001Z",
      "2026-01-03T00:00:00Z",
      "2026-01-02T00:00:00Z",
    ];
    for (const [index, at] of joined.entries()) {
      await setup.db.run(
        "UPDATE membership SET joined_at = $2::text::timestamptz WHERE user_id = $1 AND workspace_id = $3",
        [uuidOf("usr", ids[index] ?? ""), at, uuidOf("wsp", workspaceId)],
      );
    }
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: { members: { userId: string }[]; nextCursor: string | null } = await setup.call(
        "member.list",
        { workspaceId, limit: 1, ...(cursor === null ? {} : { cursor }) },
        { as: of("viewer").token },
      );
      seen.push(...page.members.map(({ userId }) => userId));
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(seen).toEqual([target.userId, ids[2] ?? "", ids[3] ?? "", ids[0] ?? "", ids[1] ?? ""]);
  });
});

describe("who changes members", () => {
  test("only an admin in person", async () => {
    const { workspaceId, target, of } = await fullTeam();
    const stranger = await setup.person();
    const change = { workspaceId, userId: target.userId, role: "member" };
    const person = { workspaceId, userId: target.userId };
    const asAdmin = await setup.session(of("admin").userId);
    const refused: [Caller | undefined, string][] = [
      [undefined, "unauthenticated"],
      [await setup.session(stranger.userId), "not_found"],
      [await setup.session(of("viewer").userId), "forbidden"],
      [await setup.session(of("billing_admin").userId), "forbidden"],
      [await setup.session(of("member").userId), "forbidden"],
      [of("admin").token, "forbidden"],
      [await setup.key(of("admin").userId, scopes, of("admin").workspaceId), "forbidden"],
    ];
    for (const [as, expected] of refused) {
      expect(await code("member.setRole", change, as)).toBe(expected);
      expect(await code("member.remove", person, as)).toBe(expected);
    }
    expect(await roleOf(workspaceId, target.userId)).toBe("viewer");
    const dry = await setup.answer("member.setRole", change, { as: asAdmin, dryRun: true });
    expect(dry).toMatchObject({ status: 200, value: { role: "member", dryRun: true } });
    expect(await roleOf(workspaceId, target.userId)).toBe("viewer");
    expect(await setup.call("member.setRole", { ...change, role: "member" }, { as: asAdmin })).toMatchObject({
      userId: target.userId,
      username: target.username,
      role: "member",
    });
    expect(await code("member.remove", person, asAdmin)).toBe("done");
    expect(await code("member.remove", person, asAdmin)).toBe("not_found");
    expect(await code("member.setRole", change, asAdmin)).toBe("not_found");
    expect(await code("member.remove", { workspaceId, userId: newId("usr") }, asAdmin)).toBe("not_found");
    expect(await code("member.remove", { workspaceId, userId: "usr_nonsense" }, asAdmin)).toBe("not_found");
  });

  test("a login token, where it manages agents and is not held elsewhere", async () => {
    const { workspaceId, target, of } = await fullTeam();
    const { userId } = of("admin");
    const asLogin = async (held: readonly ("agents:manage" | "artifacts:read")[], heldTo?: string) => {
      const token = await setup.key(userId, held, heldTo);
      await setup.db.run("UPDATE credential SET kind = 'login' WHERE last_four = $1", [token.slice(-4)]);
      return token;
    };
    const change = { workspaceId, userId: target.userId, role: "member" };
    expect(await code("member.setRole", change, await asLogin(["artifacts:read"]))).toBe("insufficient_scope");
    expect(await code("member.setRole", change, await asLogin(["agents:manage"], of("admin").workspaceId))).toBe(
      "not_found",
    );
    expect(await code("member.setRole", change, await asLogin(["agents:manage"], workspaceId))).toBe("done");
    expect(await code("member.setRole", change, await asLogin(["agents:manage"]))).toBe("done");
  });
});

describe("the last admin", () => {
  test("is not demoted, not removed and does not leave; with another beside them each is done", async () => {
    const { workspaceId, target, of } = await fullTeam();
    const { userId } = of("admin");
    const as = await setup.session(userId);
    const itself = { workspaceId, userId };
    expect(await code("member.setRole", { ...itself, role: "member" }, as)).toBe("last_admin");
    expect(await code("member.remove", itself, as)).toBe("last_admin");
    expect(await code("member.leave", { workspaceId }, as)).toBe("last_admin");
    expect(await code("member.setRole", { ...itself, role: "admin" }, as)).toBe("done");
    await setup.call("member.setRole", { workspaceId, userId: target.userId, role: "admin" }, { as });
    expect(await code("member.setRole", { ...itself, role: "viewer" }, as)).toBe("done");
    expect(await code("member.remove", { workspaceId, userId: target.userId }, as)).toBe("forbidden");
  });

  test("the owner of a personal workspace stays an admin, even with other admins", async () => {
    const owner = await setup.person();
    const other = await setup.person();
    const { workspaceId } = owner;
    const set = { workspaceId, userId: other.userId, role: "admin" as const };
    await setup.call("operator.setMember", set, { as: operatorToken });
    const itself = { workspaceId, userId: owner.userId };
    for (const as of [await setup.session(other.userId), await setup.session(owner.userId)]) {
      expect(await code("member.setRole", { ...itself, role: "member" }, as)).toBe("last_admin");
      expect(await code("member.remove", itself, as)).toBe("last_admin");
    }
    expect(await code("member.leave", { workspaceId }, await setup.session(owner.userId))).toBe("last_admin");
    const demotion = await setup.refusal("operator.setMember", { ...itself, role: "viewer" }, { as: operatorToken });
    expect(demotion.code).toBe("last_admin");
    expect(await code("member.leave", { workspaceId }, await setup.session(other.userId))).toBe("done");
  });
});

describe("going", () => {
  test.each([...workspaceRoles])("a %s leaves, and sees the workspace no more", async (role) => {
    const { workspaceId, target, of } = await fullTeam();
    const as = await setup.session(of("admin").userId);
    await setup.call("member.setRole", { workspaceId, userId: target.userId, role }, { as });
    const asTarget = await setup.session(target.userId);
    expect(await code("member.leave", { workspaceId }, target.token)).toBe("forbidden");
    expect(await code("member.leave", { workspaceId }, asTarget)).toBe("done");
    expect(await code("member.leave", { workspaceId }, asTarget)).toBe("not_found");
    expect((await setup.refusal("member.list", { workspaceId }, { as: asTarget })).code).toBe("not_found");
    expect(await code("member.leave", { workspaceId })).toBe("unauthenticated");
  });

  test("what they made stays; their keys for this workspace end, others do not", async () => {
    const { workspaceId, slug, target, of } = await fullTeam();
    const as = await setup.session(of("admin").userId);
    await setup.call("member.setRole", { workspaceId, userId: target.userId, role: "member" }, { as });
    const held = await setup.key(target.userId, scopes, workspaceId);
    const project = await setup.project(held);
    const access = { publicView: false, publicEdit: false };
    const { artifactId } = await setup.publish(held, project.slug, { access });
    expect(await code("member.remove", { workspaceId, userId: target.userId }, as)).toBe("done");

    expect(await setup.call("artifact.get", { artifactId }, { as })).toMatchObject({ ownerUsername: slug });
    expect((await setup.refusal("artifact.get", { artifactId }, { as: held })).code).toBe("unauthenticated");
    expect((await setup.refusal("artifact.get", { artifactId }, { as: target.token })).code).toBe("not_found");
    expect(await setup.call("profile.get", {}, { as: target.token })).toMatchObject({ userId: target.userId });
    // Coming back does not bring the key back.
    const back = { workspaceId, userId: target.userId, role: "member" as const };
    await setup.call("operator.setMember", back, { as: operatorToken });
    expect((await setup.refusal("artifact.get", { artifactId }, { as: held })).code).toBe("unauthenticated");
    expect(await setup.call("artifact.get", { artifactId }, { as: target.token })).toMatchObject({ artifactId });
  });
});

test.each(["demoted", "removed", "gone"])("an admin who is %s leaves no invitation of theirs open", async (way) => {
  const { workspaceId, target, of } = await fullTeam();
  const { userId } = target;
  const as = await setup.session(of("admin").userId);
  await setup.call("member.setRole", { workspaceId, userId, role: "admin" }, { as });
  const asTarget = await setup.session(userId);
  const { caller } = await connectCommandLine(setup, userId);
  const login = await setup.call("agent.exchangeLogin", { name: "laptop" }, { as: caller });
  const friend = await setup.person();
  const invite = (name: string, by: Caller) =>
    setup.call("invitation.create", { workspaceId, email: `${name}@example.org`, role: "admin" }, { as: by });
  const { url } = await invite(friend.username, asTarget);
  await invite("by-login", login.token ?? "");
  const kept = await invite("by-another", as);

  if (way === "demoted") await setup.call("member.setRole", { workspaceId, userId, role: "member" }, { as });
  else if (way === "removed") await setup.call("member.remove", { workspaceId, userId }, { as });
  else await setup.call("member.leave", { workspaceId }, { as: asTarget });
  const { invitations } = await setup.call("invitation.list", { workspaceId }, { as });
  expect(invitations.map(({ invitationId }) => invitationId)).toEqual([kept.invitationId]);
  const token = url?.split("#")[1] ?? "";
  const late = await setup.refusal("invitation.accept", { token }, { as: await setup.session(friend.userId) });
  expect(late.code).toBe("not_found");
});

test("a key that was made at the moment its maker was removed does not wait for their return", async () => {
  const { workspaceId, target } = await fullTeam();
  const { userId } = target;
  const raced = await setup.key(userId, scopes, workspaceId);
  await setup.db.run("DELETE FROM membership WHERE workspace_id = $1 AND user_id = $2", [
    uuidOf("wsp", workspaceId),
    uuidOf("usr", userId),
  ]);
  await setup.call("operator.setMember", { workspaceId, userId, role: "member" }, { as: operatorToken });
  expect((await setup.refusal("profile.get", {}, { as: raced })).code).toBe("unauthenticated");
  const fresh = await setup.key(userId, scopes, workspaceId);
  expect(await code("member.setRole", { workspaceId, userId, role: "viewer" }, fresh)).toBe("forbidden");
});

test("a key that was rotated ends with its successor when its maker goes", async () => {
  const { workspaceId, target } = await fullTeam();
  const as = await setup.session(target.userId);
  const wanted = { name: "rotated", scopes: ["artifacts:read"], workspaceId } satisfies Input<"apiKey.create">;
  const old = await setup.call("apiKey.create", wanted, { as });
  const next = await setup.call("apiKey.rotate", { apiKeyId: old.apiKeyId }, { as });
  for (const { key = "" } of [old, next]) await setup.call("member.list", { workspaceId }, { as: key });
  await setup.call("member.leave", { workspaceId }, { as });
  for (const { key = "" } of [old, next])
    expect((await setup.refusal("profile.get", {}, { as: key })).code).toBe("unauthenticated");
});

test("a key is held to its maker's role at that moment", async () => {
  const { workspaceId, slug, target, of } = await fullTeam();
  const as = await setup.session(of("admin").userId);
  const { slug: project } = await setup.project(as, slug);
  const setRole = (role: WorkspaceRole) =>
    setup.call("member.setRole", { workspaceId, userId: target.userId, role }, { as });
  const publish = () =>
    setup.publish(target.token, project, { ownerUsername: slug }).then(
      () => "done",
      (error: { code: string }) => error.code,
    );
  expect(await publish()).toBe("forbidden");
  await setRole("member");
  expect(await publish()).toBe("done");
  await setRole("billing_admin");
  expect(await publish()).toBe("forbidden");
});
