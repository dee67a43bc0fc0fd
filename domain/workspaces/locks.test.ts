// Invitations and members that change in one transaction while another waits for them.
import { afterAll, beforeAll, expect, test } from "bun:test";

import { uuidOf } from "@plinth/db/columns";
import { holdTransaction } from "@plinth/db/test/locks";

import { createSetup, operatorToken, type Caller, type TestPerson, type Setup, outcome } from "../test/context.ts";

let setup: Setup;
let owner: TestPerson;
let as: Caller;
let guest: TestPerson;
let asGuest: Caller;
beforeAll(async () => {
  setup = await createSetup();
  owner = await setup.person({ plan: "team" });
  as = await setup.session(owner.userId);
  guest = await setup.person();
  asGuest = await setup.session(guest.userId);
});
afterAll(() => setup.close());

const afterWaiting = (statement: string, parameters: readonly string[], call: () => Promise<unknown>) =>
  holdTransaction(setup.db.url, async (held) => {
    await held.run(statement, parameters);
    const calling = outcome(call());
    await held.untilWaitedFor(calling);
    await held.commit();
    return calling;
  });

async function invited() {
  const wanted = { workspaceId: owner.workspaceId, email: `${guest.username}@example.org`, role: "viewer" as const };
  const { invitationId, url = "" } = await setup.call("invitation.create", wanted, { as });
  return { id: uuidOf("inv", invitationId), invitationId, token: url.split("#")[1] ?? "" };
}
const members = () =>
  setup.db.run("SELECT FROM membership WHERE workspace_id = $1 AND user_id = $2", [
    uuidOf("wsp", owner.workspaceId),
    uuidOf("usr", guest.userId),
  ]);

test("an acceptance that waits for the revocation of its invitation gets not_found and adds no member", async () => {
  const { id, token } = await invited();
  const accepting = () => setup.call("invitation.accept", { token }, { as: asGuest });
  const revoke = "UPDATE invitation SET revoked_at = now() WHERE invitation_id = $1";
  expect(await afterWaiting(revoke, [id], accepting)).toBe("not_found");
  expect(await members()).toHaveLength(0);
});

test("a revocation that waits for the acceptance of its invitation gets invitation_used", async () => {
  const { id, invitationId } = await invited();
  const revoking = () => setup.call("invitation.revoke", { invitationId }, { as });
  const accept = "UPDATE invitation SET accepted_at = now(), accepted_by = $2 WHERE invitation_id = $1";
  expect(await afterWaiting(accept, [id, uuidOf("usr", guest.userId)], revoking)).toBe("invitation_used");
});

test("an admin who is demoted while they wait for the workspace changes no member", async () => {
  const admin = await setup.person();
  const { workspaceId } = await setup.team({ [admin.userId]: "admin", [owner.userId]: "admin" });
  const asAdmin = await setup.session(admin.userId);
  const demote = `WITH held AS (SELECT workspace_id FROM workspace WHERE workspace_id = $1 FOR NO KEY UPDATE)
    UPDATE membership m SET role = 'viewer' FROM held WHERE m.workspace_id = held.workspace_id AND m.user_id = $2`;
  const removing = () => setup.call("member.remove", { workspaceId, userId: owner.userId }, { as: asAdmin });
  const held = [uuidOf("wsp", workspaceId), uuidOf("usr", admin.userId)];
  expect(await afterWaiting(demote, held, removing)).toBe("forbidden");
});

test("an invitation that waits for the last seat gets seat_limit_reached", async () => {
  const holder = await setup.person({ plan: "team" });
  const asHolder = await setup.session(holder.userId);
  const { workspaceId } = holder;
  const [plan] = (await setup.call("workspace.list", { limit: 1 }, { as: asHolder })).workspaces;
  const limit = plan?.seats?.limit ?? 0;
  for (let seat = 2; seat < limit; seat++) {
    const { userId } = await setup.person();
    await setup.call("operator.setMember", { workspaceId, userId, role: "viewer" }, { as: operatorToken });
  }
  const last = await setup.person();
  const take = `WITH held AS (SELECT workspace_id FROM workspace WHERE workspace_id = $1 FOR NO KEY UPDATE)
    INSERT INTO membership (workspace_id, user_id, role) SELECT workspace_id, $2, 'viewer' FROM held`;
  const inviting = () =>
    setup.call("invitation.create", { workspaceId, email: "late@example.org", role: "viewer" }, { as: asHolder });
  const held = [uuidOf("wsp", workspaceId), uuidOf("usr", last.userId)];
  expect(await afterWaiting(take, held, inviting)).toBe("seat_limit_reached");
});
