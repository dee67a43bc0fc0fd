// A credential acts as its creator, held to the role they have at that moment and to its workspace
// (docs/reference/contract.md §5).
import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { scopes } from "@plinth/contract/scopes";
import { uuidOf } from "@plinth/db/columns";

import { createWorld, operatorToken, type Caller, type TestPerson, type World } from "../test/context.ts";
import { connectClient, connectCommandLine } from "./test/clients.ts";

let world: World;
let owner: TestPerson;
beforeAll(async () => {
  world = await createWorld();
  owner = await world.person();
});
afterAll(() => world.close());

const access = { publicView: false, publicEdit: false };
const openToAll = { publicView: true, publicEdit: true };
const codeOf = async (name: Parameters<World["refusal"]>[0], input: object, as: Caller) =>
  (await world.refusal(name, input, { as })).code;

/** What a person may call with: each kind, with every scope. */
async function everything(person: TestPerson): Promise<Record<string, Caller>> {
  const as = await world.session(person.userId);
  const key = await world.call("apiKey.create", { name: "k", scopes: [...scopes] }, { as });
  const agent = await world.call("agent.create", { name: "a", scopes: [...scopes] }, { as });
  const { caller } = await connectCommandLine(world, person.userId);
  const login = await world.call("agent.exchangeLogin", { name: "h" }, { as: caller });
  const oauth = await connectClient(world, person.userId);
  return { session: as, key: key.key ?? "", agent: agent.token ?? "", login: login.token ?? "", oauth: oauth.caller };
}

describe("every credential of a member", () => {
  test("follows the member's role: publishes, then only reads, then has no access", async () => {
    const member = await world.person();
    const team = await world.team({ [owner.userId]: "admin", [member.userId]: "member" });
    const { slug } = await world.project(owner.token, team.slug);
    const place = { ownerUsername: team.slug, access };
    const { artifactId } = await world.publish(owner.token, slug, place);
    const shown = await world.publish(owner.token, slug, { ...place, access: { publicView: true, publicEdit: false } });
    const callers = await everything(member);
    const held = await world.key(member.userId, scopes, team.workspaceId);
    const all: [string, Caller][] = [...Object.entries(callers), ["held", held]];
    const setRole = (role: "viewer" | "member") =>
      world.call(
        "operator.setMember",
        { workspaceId: team.workspaceId, userId: member.userId, role },
        { as: operatorToken },
      );
    const again = { artifactId, content: "more" };
    const another = () => ({
      projectSlug: slug,
      slug: world.name("a"),
      type: "md",
      title: "T",
      content: "x",
      ...place,
    });

    for (const [kind, as] of all) {
      const made = await world.call("version.create", { artifactId, content: `by ${kind}` }, { as });
      expect(made.createdBy).toMatchObject(
        kind === "session" ? { type: "user" } : { onBehalfOf: { userId: member.userId } },
      );
      await world.answer("artifact.create", another(), { as });
    }

    await setRole("viewer");
    for (const [kind, as] of all) {
      expect(await codeOf("version.create", again, as)).toBe("forbidden");
      expect(await codeOf("artifact.create", another(), as)).toBe("forbidden");
      expect({ kind, got: await world.call("artifact.get", { artifactId }, { as }) }).toMatchObject({
        got: { artifactId, permissions: { edit: false } },
      });
    }

    await world.db.run("DELETE FROM membership WHERE user_id = $1 AND workspace_id = $2", [
      uuidOf("usr", member.userId),
      uuidOf("wsp", team.workspaceId),
    ]);
    const missing = await world.refusal("artifact.get", { artifactId: `art_${"0".repeat(26)}` }, { as: member.token });
    for (const [, as] of all) {
      for (const name of ["artifact.get", "version.create"] as const) {
        const refusal = await world.refusal(name, name === "artifact.get" ? { artifactId } : again, { as });
        expect([refusal.code, refusal.message, refusal.extra]).toEqual([missing.code, missing.message, missing.extra]);
      }
      // The project is seen by anyone, for what is public in it.
      expect(await codeOf("artifact.create", another(), as)).toBe("forbidden");
      expect(await world.call("artifact.get", { artifactId: shown.artifactId }, { as })).toMatchObject({
        permissions: { edit: false, share: false, manageAccess: false, delete: false },
      });
    }

    // As it was taken, and not as people return, which ends what is held to the workspace (workspaces/members.ts).
    await world.db.run("INSERT INTO membership (workspace_id, user_id, role) VALUES ($1, $2, 'member')", [
      uuidOf("wsp", team.workspaceId),
      uuidOf("usr", member.userId),
    ]);
    for (const [, as] of all) await world.call("version.create", again, { as });
  });

  test("publishes into the person's own account where no owner is named", async () => {
    const person = await world.person();
    const { slug } = await world.project(person.token);
    const callers = await everything(person);
    for (const as of Object.values(callers)) {
      const made = await world.publish(as, slug);
      expect(made.ownerUsername).toBe(person.username);
    }
  });
});

describe("what is held to a workspace", () => {
  test("is anonymous in every other: nothing hidden, no public edit, no other workspace", async () => {
    const person = await world.person();
    const team = await world.team({ [person.userId]: "admin" });
    const other = await world.team({ [person.userId]: "admin", [owner.userId]: "admin" });
    const key = await world.key(person.userId, scopes, team.workspaceId);
    const agent = await world.call("agent.create", { name: "a", scopes: [...scopes] }, { as: key });
    const oauth = await connectClient(world, person.userId, { workspaceId: team.workspaceId });
    const { slug } = await world.project(owner.token, other.slug);
    const hidden = await world.publish(owner.token, slug, { ownerUsername: other.slug, access });
    const open = await world.publish(owner.token, slug, { ownerUsername: other.slug, access: openToAll });
    const mine = await world.project(person.token);
    const own = await world.publish(person.token, mine.slug, { access });
    const openOfMine = await world.publish(person.token, mine.slug, { access: openToAll });
    const inTeam = await world.project(key);
    for (const as of [key, agent.token ?? "", oauth.caller]) {
      for (const artifactId of [hidden.artifactId, own.artifactId])
        expect(await codeOf("artifact.get", { artifactId }, as)).toBe("not_found");
      for (const artifactId of [open.artifactId, openOfMine.artifactId]) {
        expect(await world.call("artifact.get", { artifactId }, { as })).toMatchObject({
          permissions: { edit: false },
        });
        expect(await codeOf("version.create", { artifactId, content: "x" }, as)).toBe("forbidden");
      }
      const made = await world.publish(as, inTeam.slug, { access });
      expect(made).toMatchObject({ workspaceId: team.workspaceId, ownerUsername: team.slug });
      const input = { projectSlug: mine.slug, slug: "x", type: "md", title: "T", content: "x", access };
      expect(await codeOf("artifact.create", { ...input, ownerUsername: person.username }, as)).toBe("forbidden");
    }
    for (const artifactId of [open.artifactId, openOfMine.artifactId])
      await world.call("version.create", { artifactId, content: "x" }, { as: person.token });
  });

  test("an admin's login lists all API keys of the workspace that it is held to, a member's login its own", async () => {
    const [admin, member] = [await world.person(), await world.person()];
    const team = await world.team({ [admin.userId]: "admin", [member.userId]: "member" });
    const { workspaceId } = team;
    for (const { userId } of [admin, member]) await world.key(userId, scopes, workspaceId);
    const listed = async ({ userId }: TestPerson) => {
      const { caller } = await connectCommandLine(world, userId, { workspaceId });
      const { token = "" } = await world.call("agent.exchangeLogin", { name: "laptop" }, { as: caller });
      return (await world.call("apiKey.list", { limit: 100 }, { as: token })).apiKeys.length;
    };
    expect([await listed(admin), await listed(member)]).toEqual([2, 1]);
  });
});
