// The access object, read and set: who may, on which plan, and what each change leaves in the audit.
import { afterAll, expect, test } from "bun:test";

import type { Input } from "@plinth/contract/registry";
import type { Access, Artifact } from "@plinth/contract/schemas/artifact";
import { newId, uuidOf } from "@plinth/db/columns";

import { createSetupWithProject, operatorToken } from "../test/context.ts";

const { setup, owner, project } = await createSetupWithProject();
afterAll(() => setup.close());

const open: Access = { publicView: true, publicEdit: false, viewerEmails: [] };
const closed: Access = { publicView: false, publicEdit: false, viewerEmails: [] };

const publish = (access: Input<"artifact.create">["access"] = open): Promise<Artifact> =>
  setup.publish(owner.token, project, { access });

interface Row {
  access_revision: number;
  /** In microseconds: two changes may fall into one millisecond. */
  updated_at: number;
  viewer_emails: string[];
}

async function rowOf(artifactId: string): Promise<Row> {
  const [row] = await setup.db.run<Row>(
    `SELECT access_revision, (extract(epoch FROM updated_at) * 1e6)::float8 AS updated_at, viewer_emails
     FROM artifact WHERE artifact_id = $1`,
    [uuidOf("art", artifactId)],
  );
  if (row === undefined) throw new Error("it is gone");
  return row;
}

const changesOf = async (artifactId: string) => {
  const input = { artifactId, kind: "access.updated" as const, limit: 100 };
  const { auditEvents } = await setup.call("audit.list", input, { as: owner.token });
  return auditEvents.toReversed();
};

test("what is set is read again, in one form, and seen at once", async () => {
  const { artifactId } = await publish();
  const asked = {
    publicView: false,
    publicEdit: false,
    viewerEmails: ["Zoe@Example.org", "ada@x.org", "zoe@example.ORG"],
  };
  const wanted = { ...asked, viewerEmails: ["zoe@example.org", "ada@x.org"] };
  const before = await rowOf(artifactId);
  expect(await setup.call("access.update", { artifactId, ...asked }, { as: owner.token })).toEqual(wanted);
  expect(await setup.call("access.get", { artifactId }, { as: owner.token })).toEqual(wanted);
  const after = await rowOf(artifactId);
  expect(after.access_revision).toBe(before.access_revision + 1);
  expect(after.updated_at).toBeGreaterThan(before.updated_at);
  expect((await setup.refusal("artifact.get", { artifactId })).code).toBe("not_found");
  const zoe = await setup.person({ email: "ZOE@example.org" });
  expect((await setup.call("artifact.get", { artifactId }, { as: zoe.token })).permissions).toEqual({
    edit: false,
    share: false,
    manageAccess: false,
    delete: false,
  });
  const [event] = await changesOf(artifactId);
  expect(event).toMatchObject({
    artifactId,
    target: { type: "artifact", id: artifactId },
    before: open,
    after: wanted,
  });
});

test("setting what is set already leaves nothing behind", async () => {
  const { artifactId } = await publish({ ...closed, viewerEmails: ["ada@example.org"] });
  const before = await rowOf(artifactId);
  const again = { artifactId, ...closed, viewerEmails: ["ADA@example.org", "ada@example.org"] };
  await setup.call("access.update", again, { as: owner.token });
  expect(await rowOf(artifactId)).toEqual(before);
  expect(await changesOf(artifactId)).toEqual([]);
});

test("another order of the allowlist is a change", async () => {
  const { artifactId } = await publish({ ...closed, viewerEmails: ["a@x.org", "b@x.org"] });
  await setup.call(
    "access.update",
    { artifactId, ...closed, viewerEmails: ["b@x.org", "a@x.org"] },
    { as: owner.token },
  );
  expect((await rowOf(artifactId)).viewer_emails).toEqual(["b@x.org", "a@x.org"]);
});

test("a dry run says what would be and changes nothing", async () => {
  const { artifactId } = await publish();
  const before = await rowOf(artifactId);
  const tried = await setup.answer("access.update", { artifactId, ...closed }, { as: owner.token, dryRun: true });
  expect(tried.value).toEqual({ ...closed, dryRun: true });
  expect(await rowOf(artifactId)).toEqual(before);
  expect(await changesOf(artifactId)).toEqual([]);
});

test("what is wrong is named by field", async () => {
  const { artifactId } = await publish();
  const refused = async (more: object) => {
    const refusal = await setup.refusal("access.update", { artifactId, ...open, ...more }, { as: owner.token });
    return [refusal.code, refusal.extra["errors"]] as unknown;
  };
  const field = (path: string): unknown => ["invalid_request", [expect.objectContaining({ path })]];
  expect(await refused({ publicView: false, publicEdit: true })).toEqual(field("publicEdit"));
  expect(await refused({ publicView: undefined })).toEqual(field("publicView"));
  expect(await refused({ viewerEmails: undefined })).toEqual(field("viewerEmails"));
  expect(await refused({ viewerEmails: ["ada"] })).toEqual(field("viewerEmails.0"));
  expect(await refused({ viewerEmails: ["\u212Aate@example.org"] })).toEqual(field("viewerEmails.0"));
  expect(await refused({ viewerEmails: Array.from({ length: 101 }, (_, n) => `a${n}@x.org`) })).toEqual(
    field("viewerEmails"),
  );
  expect(await refused({ owner: "x" })).toEqual(field("owner"));
  // The shape comes first: it says nothing of what is there.
  const wrong = { ...open, publicView: false, publicEdit: true, artifactId: newId("art") };
  expect((await setup.refusal("access.update", wrong, { as: owner.token })).code).toBe("invalid_request");
});

test("only a plan that has private artifacts makes one private, and none publishes one", async () => {
  const poor = await setup.person({ plan: "pro" });
  const { slug } = await setup.project(poor.token);
  const [shown, hidden] = await Promise.all(
    [open, closed].map((access) => setup.publish(poor.token, slug, { access })),
  );
  if (!shown || !hidden) throw new Error("nothing was published");
  await setup.call("operator.setPlan", { workspaceId: poor.workspaceId, plan: "free" }, { as: operatorToken });
  const set = (artifactId: string, access: Access) =>
    setup.call("access.update", { artifactId, ...access }, { as: poor.token });
  const refusal = await setup.refusal("access.update", { artifactId: shown.artifactId, ...closed }, { as: poor.token });
  expect(refusal).toMatchObject({
    code: "plan_required",
    extra: {
      entitlement: "privateArtifacts",
      requiredPlan: "pro",
      upgradeUrl: `http://plinth.test/settings/billing?workspace=${poor.username}`,
    },
  });
  expect(await set(shown.artifactId, { ...open, publicEdit: true })).toEqual({ ...open, publicEdit: true });
  const listed = { ...closed, viewerEmails: ["ada@example.org"] };
  expect(await set(hidden.artifactId, listed)).toEqual(listed);
  expect(await set(hidden.artifactId, open)).toEqual(open);
  expect(
    (await setup.refusal("access.update", { artifactId: hidden.artifactId, ...closed }, { as: poor.token })).code,
  ).toBe("plan_required");
  for (const plan of ["pro", "team"] as const) {
    await setup.call("operator.setPlan", { workspaceId: poor.workspaceId, plan }, { as: operatorToken });
    expect(await set(shown.artifactId, closed)).toEqual(closed);
    expect(await set(shown.artifactId, open)).toEqual(open);
  }
});

test("the plan is asked after what the caller may do", async () => {
  const poor = await setup.person({ plan: "free" });
  const { artifactId } = await setup.publish(poor.token, (await setup.project(poor.token)).slug);
  const stranger = await setup.person();
  expect((await setup.refusal("access.update", { artifactId, ...closed }, { as: stranger.token })).code).toBe(
    "forbidden",
  );
});

test("members and admins manage access; hidden is missing to the byte", async () => {
  const roles = ["admin", "member", "viewer", "billing_admin"] as const;
  const people = await Promise.all(roles.map(() => setup.person()));
  const team = await setup.team(Object.fromEntries(roles.map((role, n) => [people[n]?.userId, role])));
  const admin = people[0]?.token ?? "";
  const { slug } = await setup.project(admin, team.slug);
  const there = await setup.publish(admin, slug, { ownerUsername: team.slug, access: closed });
  const stranger = await setup.person();
  const answers = async (name: "access.get" | "access.update", as?: string) => {
    const said = (artifactId: string) =>
      setup.answer(name, { artifactId, ...(name === "access.get" ? {} : closed) }, as === undefined ? {} : { as }).then(
        ({ value }) => ({ value }),
        ({ code, message, extra }) => ({ code, message, extra }),
      );
    return [await said(there.artifactId), await said(newId("art")), await said("nonsense")];
  };
  for (const name of ["access.get", "access.update"] as const) {
    for (const [n, role] of roles.entries()) {
      const [answer] = await answers(name, people[n]?.token);
      if (role === "admin" || role === "member") expect(answer).toEqual({ value: closed });
      else expect(answer).toMatchObject({ code: "forbidden" });
    }
    const [hidden, missing, nonsense] = await answers(name, stranger.token);
    expect(hidden).toMatchObject({ code: "not_found" });
    expect(JSON.stringify(hidden)).toBe(JSON.stringify(missing));
    expect(JSON.stringify(nonsense)).toBe(JSON.stringify(missing));
    const [anonymous, nothing] = await answers(name);
    expect(anonymous).toMatchObject({ code: "unauthenticated" });
    expect(JSON.stringify(anonymous)).toBe(JSON.stringify(nothing));
  }
});

test("a key needs the scope of what it does", async () => {
  const { artifactId } = await publish();
  const reads = await setup.key(owner.userId, ["artifacts:access:read"]);
  const writes = await setup.key(owner.userId, ["artifacts:access:write"]);
  expect(await setup.call("access.get", { artifactId }, { as: reads })).toEqual(open);
  expect(await setup.call("access.update", { artifactId, ...closed }, { as: writes })).toEqual(closed);
  const lacking = { code: "insufficient_scope" };
  expect(await setup.refusal("access.get", { artifactId }, { as: writes })).toMatchObject({
    ...lacking,
    extra: { requiredScope: "artifacts:access:read" },
  });
  // From the credential alone: of what is not there it says the same.
  for (const id of [artifactId, newId("art")]) {
    expect(await setup.refusal("access.update", { artifactId: id, ...open }, { as: reads })).toMatchObject({
      ...lacking,
      extra: { requiredScope: "artifacts:access:write" },
    });
  }
});

test("a deleted artifact has no access to set", async () => {
  const { artifactId } = await publish();
  await setup.call("artifact.delete", { artifactId }, { as: owner.token });
  expect((await setup.refusal("access.get", { artifactId }, { as: owner.token })).code).toBe("not_found");
  expect((await setup.refusal("access.update", { artifactId, ...closed }, { as: owner.token })).code).toBe("not_found");
});

test("changes at once leave a chain of events, each beginning where the one before it ended", async () => {
  const { artifactId } = await publish();
  const people = Array.from({ length: 12 }, (_, n) => `reader-${n}@example.org`);
  await Promise.all(
    people.map((email, n) => {
      const access = { publicView: n % 2 === 0, publicEdit: n % 4 === 0, viewerEmails: [email] };
      return setup.call("access.update", { artifactId, ...access }, { as: owner.token });
    }),
  );
  const events = await changesOf(artifactId);
  expect(events).toHaveLength(people.length);
  expect(events.map(({ before }) => before)).toEqual([open, ...events.slice(0, -1).map(({ after }) => after)]);
  expect(events.at(-1)?.after).toEqual(await setup.call("access.get", { artifactId }, { as: owner.token }));
  expect((await rowOf(artifactId)).access_revision).toBe(1 + people.length);
});
