// A credential acts as its creator, held to the role they have at that moment and to its workspace
// (docs/reference/contract.md §5).
import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { scopes } from "@plinth/contract/scopes";
import { uuidOf } from "@plinth/db/columns";

import { createSetup, operatorToken, type Caller, type TestPerson, type Setup } from "../test/context.ts";
import { connectClient, connectCommandLine } from "./test/clients.ts";

let setup: Setup;
let owner: TestPerson;
beforeAll(async () => {
  setup = await createSetup();
  owner = await setup.person();
});
afterAll(() => setup.close());

const access = { publicView: false, publicEdit: false };
const openToAll = { publicView: true, publicEdit: true };
const codeOf = async (name: Parameters<Setup["refusal"]>[0], input: object, as: Caller) =>
  (await setup.refusal(name, input, { as })).code;

/** What a person may call with: each kind, with every scope. */
async function everything(person: TestPerson): Promise<Record<string, Caller>> {
  const as = await setup.session(person.userId);
  const key = await setup.call("apiKey.create", { name: "k", scopes: [...scopes] }, { as });
  const agent = await setup.call("agent.create", { name: "a", scopes: [...scopes] }, { as });
  const { caller } = await connectCommandLine(setup, person.userId);
  const login = await setup.call("agent.exchangeLogin", { name: "h" }, { as: caller });
  const oauth = await connectClient(setup, person.userId);
  return { session: as, key: key.key ?? "", agent: agent.token ?? "", login: login.token ?? "", oauth: oauth.caller };
}

describe("every credential of a member", () => {
  test("follows the member's role: publishes, then only reads, then has no access", async () => {
    const member = await setup.person();
    const team = await setup.team({ [owner.userId]: "admin", [member.userId]: "member" });
    const { slug } = await setup.project(owner.token, team.slug);
    const place = { ownerUsername: team.slug, access };
    const { artifactId } = await setup.publish(owner.token, slug, place);
    const shown = await setup.publish(owner.token, slug, { ...place, access: { publicView: true, publicEdit: false } });
    const callers = await everything(member);
    const held = await setup.key(member.userId, scopes, team.workspaceId);
    const all: [string, Caller][] = [...Object.entries(callers), ["held", held]];
    const setRole = (role: "viewer" | "member") =>
      setup.call(
        "operator.setMember",
        { workspaceId: team.workspaceId, userId: member.userId, role },
        { as: operatorToken },
      );
    const again = { artifactId, content: "more" };
    const another = () => ({
      projectSlug: slug,
      slug: setup.name("a"),
      type: "md",
      title: "T",
      content: "x",
      ...place,
    });

    for (const [kind, as] of all) {
      const made = await setup.call("version.create", { artifactId, content: `by ${kind}` }, { as });
      expect(made.createdBy).toMatchObject(
        kind === "session" ? { type: "user" } : { onBehalfOf: { userId: member.userId } },
      );
      await setup.answer("artifact.create", another(), { as });
    }

    await setRole("viewer");
    for (const [kind, as] of all) {
      expect(await codeOf("version.create", again, as)).toBe("forbidden");
      expect(await codeOf("artifact.create", another(), as)).toBe("forbidden");
      expect({ kind, got: await setup.call("artifact.get", { artifactId }, { as }) }).toMatchObject({
        got: { artifactId, permissions: { edit: false } },
      });
    }

    await setup.db.run("DELETE FROM membership WHERE user_id = $1 AND workspace_id = $2", [
      uuidOf("usr", member.userId),
      uuidOf("wsp", team.workspaceId),
    ]);
    const missing = await setup.refusal("artifact.get", { artifactId: `art_${"0".repeat(26)}` }, { as: member.token });
    for (const [, as] of all) {
      for (const name of ["artifact.get", "version.create"] as const) {
        const refusal = await setup.refusal(name, name === "artifact.get" ? { artifactId } : again, { as });
        expect([refusal.code, refusal.message, refusal.extra]).toEqual([missing.code, missing.message, missing.extra]);
      }
      // The project is seen by anyone, for what is public in it.
      expect(await codeOf("artifact.create", another(), as)).toBe("forbidden");
      expect(await setup.call("artifact.get", { artifactId: shown.artifactId }, { as })).toMatchObject({
        permissions: { edit: false, share: false, manageAccess: false, delete: false },
      });
    }

    // As it was taken, and not as people return, which ends what is held to the workspace (workspaces/members.ts).
    await setup.db.run("INSERT INTO membership (workspace_id, user_id, role) VALUES ($1, $2, 'member')", [
      uuidOf("wsp", team.workspaceId),
      uuidOf("usr", member.userId),
    ]);
    for (const [, as] of all) await setup.call("version.create", again, { as });
  });

  test("publishes into the person's own account where no owner is named", async () => {
    const person = await setup.person();
    const { slug } = await setup.project(person.token);
    const callers = await everything(person);
    for (const as of Object.values(callers)) {
      const made = await setup.publish(as, slug);
      expect(made.ownerUsername).toBe(person.username);
    }
  });
});

describe("what is held to a workspace", () => {
  test("is anonymous in every other: nothing hidden, no public edit, no other workspace", async () => {
    const person = await setup.person();
    const team = await setup.team({ [person.userId]: "admin" });
    const other = await setup.team({ [person.userId]: "admin", [owner.userId]: "admin" });
    const key = await setup.key(person.userId, scopes, team.workspaceId);
    const agent = await setup.call("agent.create", { name: "a", scopes: [...scopes] }, { as: key });
    const oauth = await connectClient(setup, person.userId, { workspaceId: team.workspaceId });
    const { slug } = await setup.project(owner.token, other.slug);
    const hidden = await setup.publish(owner.token, slug, { ownerUsername: other.slug, access });
    const open = await setup.publish(owner.token, slug, { ownerUsername: other.slug, access: openToAll });
    const mine = await setup.project(person.token);
    const own = await setup.publish(person.token, mine.slug, { access });
    const openOfMine = await setup.publish(person.token, mine.slug, { access: openToAll });
    const inTeam = await setup.project(key);
    for (const as of [key, agent.token ?? "", oauth.caller]) {
      for (const artifactId of [hidden.artifactId, own.artifactId])
        expect(await codeOf("artifact.get", { artifactId }, as)).toBe("not_found");
      for (const artifactId of [open.artifactId, openOfMine.artifactId]) {
        expect(await setup.call("artifact.get", { artifactId }, { as })).toMatchObject({
          permissions: { edit: false },
        });
        expect(await codeOf("version.create", { artifactId, content: "x" }, as)).toBe("forbidden");
      }
      const made = await setup.publish(as, inTeam.slug, { access });
      expect(made).toMatchObject({ workspaceId: team.workspaceId, ownerUsername: team.slug });
      const input = { projectSlug: mine.slug, slug: "x", type: "md", title: "T", content: "x", access };
      expect(await codeOf("artifact.create", { ...input, ownerUsername: person.username }, as)).toBe("forbidden");
    }
    for (const artifactId of [open.artifactId, openOfMine.artifactId])
      await setup.call("version.create", { artifactId, content: "x" }, { as: person.token });
  });

  test("an admin's login lists all API keys of the workspace that it is held to, a member's login its own", async () => {
    const [admin, member] = [await setup.person(), await setup.person()];
    const team = await setup.team({ [admin.userId]: "admin", [member.userId]: "member" });
    const { workspaceId } = team;
    for (const { userId } of [admin, member]) await setup.key(userId, scopes, workspaceId);
    const listed = async ({ userId }: TestPerson) => {
      const { caller } = await connectCommandLine(setup, userId, { workspaceId });
      const { token = "" } = await setup.call("agent.exchangeLogin", { name: "laptop" }, { as: caller });
      return (await setup.call("apiKey.list", { limit: 100 }, { as: token })).apiKeys.length;
    };
    expect([await listed(admin), await listed(member)]).toEqual([2, 1]);
  });
});
