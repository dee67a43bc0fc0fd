// A downgrade never publishes, deletes or shuts anyone out of reading (docs/decisions/billing.md, "Downgrades take
// nothing away"): everyone of the access matrix reads everything that can be read, before and after. A quarter of them in each
// run; `TEST_SAMPLES=all bun run test domain/billing/downgrade` has all.
import { afterAll, beforeAll, expect, test } from "bun:test";

import { AppError } from "@plinth/contract/errors";
import type { PlanId } from "@plinth/contract/plans";
import { operations, type Input, type OperationName } from "@plinth/contract/registry";
import { caseOf } from "@plinth/contract/test/cases";
import type { State } from "@plinth/contract/test/rules";
import { sampleOfRun } from "@plinth/support/test-seed";

import { callOf } from "../access/test/matrix/play.ts";
import { createPrincipals, type Principal } from "../access/test/matrix/principals.ts";
import { createScene, invitationToken, type Scene } from "../access/test/matrix/scene.ts";
import { settingIn } from "../access/test/matrix/settings.ts";
import { planInvariants } from "../doctor/plans.ts";
import { invoke } from "../request/invoke.ts";
import { answerOf } from "../request/outcome.ts";
import { systemCause } from "../audit/system-cause.ts";
import { databaseTime, retain } from "../retention/retain.ts";
import { operatorToken, type Caller } from "../test/context.ts";
import { changePlan } from "./change-plan.ts";

/** How long anything may take before it counts as hung, in ms. */
const hung = 300_000;
const readsAtOnce = 32;

let scene: Scene;
let principals: Principal[];
/** The share of all principals that this run has. */
let share: number;
/** A team on the plan of the owner in this test, with a member and a private artifact. */
let held: { workspaceId: string; hidden: string; member: Caller };
let guest: { as: Caller; token: string };
let lastInvited: string;

beforeAll(async () => {
  scene = await createScene();
  const everyone = await createPrincipals(scene);
  const names = everyone.map(({ name }) => name);
  const chosen = sampleOfRun(names, Math.ceil(names.length / 4));
  principals = everyone.filter(({ name }) => chosen.includes(name));
  share = principals.length / everyone.length;
  const { setup, people } = scene;
  const as = people.owner.session;
  const { workspaceId, slug } = await setup.call("workspace.create", { slug: setup.name("team"), name: "T" }, { as });
  const { userId, session: member } = people.listed;
  await setup.call("operator.setMember", { workspaceId, userId, role: "member" }, { as: operatorToken });
  const project = await setup.project(member, slug);
  const access = { publicView: false, publicEdit: false };
  const hidden = (await setup.publish(member, project.slug, { ownerUsername: slug, access })).artifactId;
  held = { workspaceId, hidden, member };
  const person = await setup.person();
  const email = `${person.username}@example.org`;
  const made = await setup.call("invitation.create", { workspaceId, email, role: "viewer" }, { as });
  guest = { as: await setup.session(person.userId), token: new URL(made.url ?? "").hash.slice(1) };
  lastInvited = email;
}, hung);
afterAll(() => scene.close(), hung);

type Bought = { readonly plan: PlanId; readonly seats: number | null } | null;

const take = (planGranted: PlanId, bought: Bought = null) =>
  scene.setup.db.transaction((db) =>
    changePlan(db, scene.home.workspaceId, { planGranted, bought }, systemCause("downgrade")),
  );

/** What a plan may change of an answer: what it says of itself, and until when it keeps the past; how much disk is taken. */
const ofPlans = new Set([
  "plan",
  "seats",
  "entitlements",
  "retention",
  "expiresAt",
  "retentionShortensAt",
  "databaseBytes",
]);

function withoutPlans(key: string, value: unknown): unknown {
  if (ofPlans.has(key)) return undefined;
  if (value instanceof Uint8Array) return Buffer.from(value).toString("base64");
  return value;
}

async function read(name: OperationName, state: State, who: Principal, input: object): Promise<string> {
  try {
    const call = callOf(who, state);
    const { value } = answerOf(await invoke(scene.setup.instance, call, name, { input: { ...input }, errors: [] }));
    return `read: ${JSON.stringify(value, withoutPlans)}`;
  } catch (error) {
    if (error instanceof AppError) return `${error.status} ${error.code}`;
    throw error;
  }
}

/** Everything that everyone reads, by who reads what. */
async function look(until: string): Promise<Map<string, string>> {
  const seen = new Map<string, string>();
  const asked: (() => Promise<void>)[] = [];
  for (const { name, effect } of operations) {
    // A stream has no end to compare.
    if (effect !== "read" || name === "artifact.watch") continue;
    const { who: rule, input: inputOf } = caseOf(name);
    for (const state of rule.states)
      for (const who of principals)
        asked.push(async () => {
          const input = {
            ...(await inputOf(settingIn(scene, rule, state, who), state)),
            // That the plan changed was written down since.
            ...(name.startsWith("audit.") && { until, limit: 100 }),
          };
          seen.set(`${who.name} × ${name} × ${state}`, await read(name, state, who, input));
        });
  }
  for (let next = 0; next < asked.length; next += readsAtOnce)
    await Promise.all(asked.slice(next, next + readsAtOnce).map((ask) => ask()));
  return seen;
}

const outcome = (seen: string | undefined): string | undefined => (seen?.startsWith("read: ") ? "read" : seen);

test(
  "every read of every person is the same after each downgrade",
  async () => {
    await take("free", { plan: "team", seats: 20 });
    const until = new Date().toISOString();
    const before = await look(until);
    // Tickets and times of use are others each time: of those only whether they are given.
    const again = await look(until);
    // Of health too, whose figures go with time, though both looks may fall into one second.
    const isSteady = (key: string) => !key.includes(" × health × ") && before.get(key) === again.get(key);
    const reads = [...before.keys()];
    expect(reads.filter((key) => isSteady(key) && outcome(before.get(key)) === "read").length).toBeGreaterThan(
      800 * share,
    );
    expect(reads.filter((key) => !isSteady(key)).length).toBeLessThan(reads.length / 4);
    const downgrades: [PlanId, Bought][] = [
      ["free", { plan: "pro", seats: null }],
      ["free", null],
    ];
    for (const [plan, bought] of downgrades) {
      await take(plan, bought);
      expect(await retain(scene.setup.db, await databaseTime(scene.setup.db), "downgrade")).toBe(true);
      const after = await look(until);
      const others = reads.filter((key) => {
        const of = isSteady(key) ? (seen: string | undefined) => seen : outcome;
        return of(before.get(key)) !== of(after.get(key));
      });
      expect(others.slice(0, 20).map((key) => [plan, key, before.get(key), after.get(key)])).toEqual([]);
      expect(after.size).toBe(before.size);
    }
    console.log(`${reads.length} reads, each the same after ${downgrades.length} changes of the plan`);
  },
  hung,
);

const said = (name: OperationName, input: object, as: Caller): Promise<string> =>
  scene.setup.answer(name, input, { as }).then(
    () => "done",
    (error: unknown) => {
      if (error instanceof AppError) return error.code;
      throw error;
    },
  );

/** The plan violations that the doctor finds; in other respects the fixture is not a consistent instance. */
async function planViolations(): Promise<string[]> {
  const found = await Promise.all(
    Object.values(planInvariants).map((statement) => scene.setup.db.run<{ broken: string }>(statement)),
  );
  return found.flat().map(({ broken }) => broken);
}

const closed = { publicView: false, publicEdit: false };

test("nothing more becomes private, no new member joins, and everything else keeps working", async () => {
  const { people, places, home, setup } = scene;
  const as = people.member.session;
  const { artifactId } = places.private;
  const place = { projectSlug: places.public.projectSlug, type: "md" as const, title: "T", content: "# T" };
  const create = (slug: string, access: Input<"artifact.create">["access"]) =>
    said("artifact.create", { ownerUsername: home.username, slug, ...place, access }, as);
  const invite = (workspaceId: string, email: string) =>
    said("invitation.create", { workspaceId, email, role: "viewer" }, people.owner.session);
  const tries: [what: string, ofLess: string, of: () => Promise<string>][] = [
    ["a private artifact more", "plan_required", () => create("more-private", closed)],
    [
      "a private one with an allowlist more",
      "plan_required",
      () => create("more-listed", { ...closed, viewerEmails: ["a@b.org"] }),
    ],
    [
      "a public one made private",
      "plan_required",
      () => said("access.update", { artifactId: places.public.artifactId, ...closed, viewerEmails: [] }, as),
    ],
    [
      "a private one in a team of the plan",
      "plan_required",
      () =>
        said(
          "access.update",
          { artifactId: held.hidden, publicView: true, publicEdit: false, viewerEmails: [] },
          held.member,
        ).then(() => said("access.update", { artifactId: held.hidden, ...closed, viewerEmails: [] }, held.member)),
    ],
    ["a public artifact more", "done", () => create("more-public", { publicView: true, publicEdit: false })],
    [
      "others listed for a private one",
      "done",
      () =>
        said(
          "access.update",
          { artifactId, ...closed, viewerEmails: [people.listed.email, people.unverified.email, "b@c.org"] },
          as,
        ),
    ],
    ["a link to a private one", "done", () => said("shareLink.create", { artifactId, role: "editor" }, as)],
    ["a version of a private one", "done", () => said("version.create", { artifactId, content: "# Third" }, as)],
    ["a private one restored", "done", () => said("version.restore", { artifactId, versionNumber: 1 }, as)],
    [
      "a deleted one again",
      "done",
      () => said("artifact.undelete", { artifactId: places.deleted.artifactId }, people.owner.session),
    ],
    [
      "a team more",
      "plan_required",
      () => said("workspace.create", { slug: setup.name("more"), name: "M" }, people.owner.session),
    ],
    ["an invitation", "seat_limit_reached", () => invite(home.workspaceId, "someone@example.org")],
    ["an invitation to a team", "seat_limit_reached", () => invite(held.workspaceId, "another@example.org")],
    ["an invitation anew", "done", () => invite(held.workspaceId, lastInvited)],
    ["a key", "done", () => said("apiKey.create", { name: "k", scopes: ["artifacts:read"] }, as)],
    [
      "a role",
      "done",
      () =>
        said(
          "member.setRole",
          { workspaceId: home.workspaceId, userId: people.viewer.userId, role: "member" },
          people.owner.session,
        ),
    ],
  ];
  const members = async () =>
    (await setup.call("member.list", { workspaceId: home.workspaceId, limit: 100 }, { as: people.owner.session }))
      .members.length;
  const before = await members();
  await take("free");
  const invited = await said("invitation.accept", { token: guest.token }, guest.as);
  expect(invited).toBe("seat_limit_reached");
  for (const [what, ofLess, of] of tries) expect([what, await of()]).toEqual([what, ofLess]);
  expect(await members()).toBe(before);
  expect(before).toBeGreaterThan(1);
  expect(await said("artifact.get", { artifactId: held.hidden }, held.member)).toBe("done");
  expect(await planViolations()).toEqual([]);
});

test("a greater plan makes all of it possible again", async () => {
  const { people, places, home, setup } = scene;
  await take("free", { plan: "team", seats: 25 });
  const artifactId = places.public.artifactId;
  const as = people.owner.session;
  expect(await said("access.update", { artifactId, ...closed, viewerEmails: [] }, as)).toBe("done");
  expect(await said("workspace.create", { slug: setup.name("more"), name: "M" }, as)).toBe("done");
  // The one that was pending made way for the same address; so did its link.
  const { invitations } = await setup.call("invitation.list", { workspaceId: held.workspaceId }, { as });
  const token = invitationToken(setup, invitations.find(({ email }) => email === lastInvited)?.invitationId ?? "");
  expect(await said("invitation.accept", { token }, guest.as)).toBe("done");
  expect(
    await said("invitation.create", { workspaceId: home.workspaceId, email: "x@example.org", role: "viewer" }, as),
  ).toBe("done");
  expect(await planViolations()).toEqual([]);
});
