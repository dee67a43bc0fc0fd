// Races of members, invitations and seats: many callers do the same thing at once (docs/reference/security.md §4,
// "races").
import { afterAll, beforeAll, expect, test } from "bun:test";

import type { WorkspaceRole } from "@plinth/contract/roles";
import { uuidOf } from "@plinth/db/columns";

import { examine } from "../doctor/examine.ts";
import { createSetup, operatorToken, type Caller, type TestPerson, type Setup } from "../test/context.ts";

let setup: Setup;
let holder: TestPerson;
let asHolder: Caller;
beforeAll(async () => {
  setup = await createSetup();
  holder = await setup.person({ plan: "team" });
  asHolder = await setup.session(holder.userId);
});
afterAll(() => setup.close());

const outcome = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => "done",
    (error: { code: string }) => error.code,
  );
const countOutcomes = (outcomes: readonly string[]) =>
  Object.fromEntries(
    [...new Set(outcomes)].toSorted().map((name) => [name, outcomes.filter((one) => one === name).length]),
  );

const team = async () =>
  (await setup.call("workspace.create", { slug: setup.name("team"), name: "T" }, { as: asHolder })).workspaceId;
const invite = (workspaceId: string, email: string, role: WorkspaceRole = "member") =>
  setup.call("invitation.create", { workspaceId, email, role }, { as: asHolder });
const tokenOf = (url: string | undefined) => url?.split("#")[1] ?? "";

async function people(number: number): Promise<(TestPerson & { as: Caller })[]> {
  return Promise.all(
    Array.from({ length: number }, async () => {
      const person = await setup.person();
      return { ...person, as: await setup.session(person.userId) };
    }),
  );
}

/** The plan's seats as anyone in it sees them. */
const seats = async () => (await setup.call("workspace.list", { limit: 1 }, { as: asHolder })).workspaces[0]?.seats;

test("the last seats, fifty inviting at once into two teams: as many get one as there are", async () => {
  const teams = [await team(), await team()];
  const outcomes = await Promise.all(
    Array.from({ length: 50 }, (_, n) => outcome(invite(teams[n % 2] ?? "", `racer-${n}@example.org`))),
  );
  expect(countOutcomes(outcomes)).toEqual({ done: 9, seat_limit_reached: 41 });
  expect(await seats()).toEqual({ used: 10, limit: 10 });
  await setup.db.run("UPDATE invitation SET revoked_at = now() WHERE accepted_at IS NULL AND revoked_at IS NULL");
  expect(await seats()).toEqual({ used: 1, limit: 10 });
});

test("the last seat, fifty accepting at once: one gets it", async () => {
  const workspaceId = await team();
  const guests = await people(50);
  // Each is invited while there is a seat for the invitation; then all but one of the seats are taken by people.
  const invited: { token: string; as: Caller }[] = [];
  for (const { username, as } of guests) {
    const { invitationId, url } = await invite(workspaceId, `${username}@example.org`);
    await setup.db.run("UPDATE invitation SET revoked_at = now() WHERE invitation_id = $1", [
      uuidOf("inv", invitationId),
    ]);
    invited.push({ token: tokenOf(url), as });
  }
  await setup.db.run("UPDATE invitation SET revoked_at = NULL WHERE workspace_id = $1", [uuidOf("wsp", workspaceId)]);
  for (const { userId } of await people(8))
    await setup.call("operator.setMember", { workspaceId, userId, role: "viewer" }, { as: operatorToken });
  const outcomes = await Promise.all(
    invited.map(({ token, as }) => outcome(setup.call("invitation.accept", { token }, { as }))),
  );
  expect(countOutcomes(outcomes)).toEqual({ done: 1, seat_limit_reached: 49 });
  const { members } = await setup.call("member.list", { workspaceId, limit: 100 }, { as: asHolder });
  expect(members).toHaveLength(10);
});

test("one invitation accepted fifty times at once is used once", async () => {
  const owner = await setup.person({ plan: "team" });
  const as = await setup.session(owner.userId);
  const [guest] = await people(1);
  const { workspaceId } = owner;
  const { url } = await setup.call(
    "invitation.create",
    { workspaceId, email: `${guest?.username}@example.org`, role: "member" },
    { as },
  );
  const sessions = await Promise.all(Array.from({ length: 50 }, () => setup.session(guest?.userId ?? "")));
  const outcomes = await Promise.all(
    sessions.map((session) => outcome(setup.call("invitation.accept", { token: tokenOf(url) }, { as: session }))),
  );
  expect(countOutcomes(outcomes)).toEqual({ done: 1, invitation_used: 49 });
  const [audited] = await setup.db.run<{ events: number }>(
    "SELECT count(*)::int AS events FROM audit_event WHERE workspace_id = $1 AND kind = 'member.added'",
    [uuidOf("wsp", workspaceId)],
  );
  expect(audited?.events).toBe(1);
});

test("two admins removing or demoting each other, 200 times: there is always one left", async () => {
  const [one, two] = await people(2);
  if (one === undefined || two === undefined) throw new Error("there are not two");
  const ways = [
    (workspaceId: string, by: Caller, userId: string) =>
      setup.call("member.remove", { workspaceId, userId }, { as: by }),
    (workspaceId: string, by: Caller, userId: string) =>
      setup.call("member.setRole", { workspaceId, userId, role: "viewer" }, { as: by }),
  ];
  const seen = new Set<string>();
  for (let round = 0; round < 200; round++) {
    const { workspaceId } = await setup.team({ [one.userId]: "admin", [two.userId]: "admin" });
    const [first, second] = [ways[round % 2], ways[(round >> 1) % 2]];
    const outcomes = await Promise.all([
      outcome(first?.(workspaceId, one.as, two.userId) ?? Promise.reject(new Error("no way"))),
      outcome(second?.(workspaceId, two.as, one.userId) ?? Promise.reject(new Error("no way"))),
    ]);
    const [left] = await setup.db.run<{ admins: number }>(
      "SELECT count(*)::int AS admins FROM membership WHERE workspace_id = $1 AND role = 'admin'",
      [uuidOf("wsp", workspaceId)],
    );
    expect(left?.admins).toBe(1);
    // The second caller has lost the permission, and gets that error rather than last_admin.
    expect(outcomes.filter((result) => result === "done")).toHaveLength(1);
    for (const result of outcomes) seen.add(result);
  }
  expect([...seen].filter((result) => !["done", "forbidden", "not_found"].includes(result))).toEqual([]);
}, 120_000);

test("two admins leaving at once: one stays", async () => {
  const [one, two] = await people(2);
  for (let round = 0; round < 20; round++) {
    const { workspaceId } = await setup.team({ [one?.userId ?? ""]: "admin", [two?.userId ?? ""]: "admin" });
    const outcomes = await Promise.all(
      [one, two].map((person) =>
        outcome(setup.call("member.leave", { workspaceId }, person === undefined ? {} : { as: person.as })),
      ),
    );
    expect(outcomes.toSorted()).toEqual(["done", "last_admin"]);
  }
});

test("revoking while it is accepted: it is one or the other", async () => {
  const owner = await setup.person({ plan: "team" });
  const as = await setup.session(owner.userId);
  for (let round = 0; round < 8; round++) {
    const [guest] = await people(1);
    const made = await setup.call(
      "invitation.create",
      { workspaceId: owner.workspaceId, email: `${guest?.username}@example.org`, role: "viewer" },
      { as },
    );
    const outcomes = await Promise.all([
      outcome(
        setup.call("invitation.accept", { token: tokenOf(made.url) }, guest === undefined ? {} : { as: guest.as }),
      ),
      outcome(setup.call("invitation.revoke", { invitationId: made.invitationId }, { as })),
    ]);
    expect([
      ["done", "invitation_used"],
      ["not_found", "done"],
    ]).toContainEqual(outcomes);
  }
});

test("after all this the database is as it should be", async () => {
  const findings = await examine(setup.db);
  expect(findings.filter(({ problems }) => problems > 0)).toEqual([]);
});
