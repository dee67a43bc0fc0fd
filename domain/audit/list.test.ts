// Reading audit events: permissions, scope, order, and isolation between workspaces.
import { afterAll, expect, test } from "bun:test";

import type { Input } from "@plinth/contract/registry";
import type { AuditEvent } from "@plinth/contract/schemas/audit";
import { newId, uuidOf } from "@plinth/db/columns";

import { notATimestamp } from "../timestamp.ts";
import { createSetupWithProject, type Caller } from "../test/context.ts";
import { eventStatements } from "./list.ts";

const { setup, owner, project } = await createSetupWithProject();
afterAll(() => setup.close());

const list = async (input: Input<"audit.list"> = {}, as: Caller = owner.token): Promise<AuditEvent[]> =>
  (await setup.call("audit.list", { limit: 100, ...input }, { as })).auditEvents;
const kinds = (events: readonly AuditEvent[]) => events.map(({ kind }) => kind);

const refusal = async (input: object, as?: Caller, name: "audit.list" | "audit.listInWorkspace" = "audit.list") =>
  (await setup.refusal(name, input, as === undefined ? {} : { as })).code;

test("an event as it is read", async () => {
  const { artifactId } = await setup.publish(owner.token, project);
  const as = await setup.session(owner.userId);
  const access = { publicView: false, publicEdit: false, viewerEmails: ["ada@example.org"] };
  const manner = { as, requestId: "request-of-it", surface: "web" as const };
  await setup.call("access.update", { artifactId, ...access }, manner);
  const [event] = await list({ artifactId });
  expect(event).toEqual({
    eventId: expect.stringMatching(/^evt_/),
    occurredAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    kind: "access.updated",
    actor: { type: "user", id: owner.userId, label: owner.username },
    surface: "web",
    workspaceId: owner.workspaceId,
    artifactId,
    target: { type: "artifact", id: artifactId },
    before: { publicView: true, publicEdit: false, viewerEmails: [] },
    after: access,
    requestId: "request-of-it",
  });
});

test("the address of an invitation is read by an admin in person, and not by a program of theirs", async () => {
  const as = await setup.session(owner.userId);
  const { workspaceId } = await setup.team({ [owner.userId]: "admin" });
  const email = "guest@example.org";
  const { invitationId } = await setup.call("invitation.create", { workspaceId, email, role: "viewer" }, { as });
  await setup.call("invitation.revoke", { invitationId }, { as });
  const states = async (caller: Caller) => {
    const all = await list({}, caller);
    const { auditEvents } = await setup.call("audit.listInWorkspace", { workspaceId }, { as: caller });
    return [all.filter((event) => event.workspaceId === workspaceId), auditEvents].map((events) =>
      events.map(({ before, after }) => (before ?? after) as { email?: string; role: string }),
    );
  };
  const read = [
    { email, role: "viewer" },
    { email, role: "viewer" },
  ];
  expect(await states(as)).toMatchObject([read, read]);
  const byProgram = await states(owner.token);
  expect(byProgram).toMatchObject([
    [{ role: "viewer" }, { role: "viewer" }],
    [{ role: "viewer" }, { role: "viewer" }],
  ]);
  expect(JSON.stringify(byProgram)).not.toContain(email);
});

test("newest first, page by page, nothing twice and nothing left out", async () => {
  const { artifactId } = await setup.publish(owner.token, project);
  for (const content of ["1", "2", "3", "4"])
    await setup.call("version.create", { artifactId, content }, { as: owner.token });
  const all = await list({ artifactId });
  expect(kinds(all)).toEqual([...Array<string>(4).fill("artifact.updated"), "artifact.created"] as never);
  const walked: AuditEvent[] = [];
  let cursor: string | undefined;
  do {
    const input = { artifactId, limit: 2, ...(cursor === undefined ? {} : { cursor }) };
    const page = await setup.call("audit.list", input, { as: owner.token });
    walked.push(...page.auditEvents);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  expect(walked).toEqual(all);
  expect(await refusal({ artifactId, cursor: "nonsense" }, owner.token)).toBe("invalid_request");
});

test("by kind, by actor and by whom they act for", async () => {
  const author = await setup.person();
  const { slug } = await setup.project(author.token);
  const { artifactId } = await setup.publish(author.token, slug);
  const as = await setup.session(author.userId);
  await setup.call("version.create", { artifactId, content: "by a person" }, { as });
  const [byPerson, byKey] = await list({ artifactId }, author.token);
  expect([byPerson?.actor.type, byKey?.actor.type]).toEqual(["user", "api_key"]);
  expect(await list({ artifactId, kind: "artifact.created" }, author.token)).toEqual([byKey as AuditEvent]);
  expect(await list({ artifactId, actor: byKey?.actor.id ?? "" }, author.token)).toEqual([byKey as AuditEvent]);
  expect(await list({ artifactId, actor: author.userId }, author.token)).toEqual([byPerson, byKey] as AuditEvent[]);
  expect(await list({ artifactId, actor: newId("usr") }, author.token)).toEqual([]);
  expect(await list({ artifactId, actor: "%' OR true --" }, author.token)).toEqual([]);
  expect(await refusal({ artifactId, kind: "artifact.stolen" }, author.token)).toBe("invalid_request");
});

test("since a time, and until just before one", async () => {
  const { artifactId } = await setup.publish(owner.token, project);
  for (const content of ["1", "2"]) await setup.call("version.create", { artifactId, content }, { as: owner.token });
  const times = ["2026-02-01T00:00:00.000Z", "2026-02-02T00:00:00.000Z", "2026-02-03T00:00:00.000Z"];
  await setup.db.run(
    `UPDATE audit_event e SET occurred_at = timestamptz '2026-01-31Z' + make_interval(days => n.nth::int)
     FROM (SELECT event_id, row_number() OVER (ORDER BY event_id) AS nth FROM audit_event WHERE artifact_id = $1) n
     WHERE e.event_id = n.event_id`,
    [uuidOf("art", artifactId)],
  );
  const said = async (input: Input<"audit.list">) =>
    (await list({ artifactId, ...input })).map(({ occurredAt }) => occurredAt).toReversed();
  expect(await said({})).toEqual(times);
  expect(await said({ since: "2026-02-02T00:00:00Z" })).toEqual(times.slice(1));
  expect(await said({ until: "2026-02-02T00:00:00.000Z" })).toEqual(times.slice(0, 1));
  expect(await said({ until: "2026-02-02T05:00:00+05:00" })).toEqual(times.slice(0, 1));
  expect(await said({ since: "2026-02-02T00:00Z", until: "2026-02-03T00:00:00Z" })).toEqual(times.slice(1, 2));
  expect(await said({ since: "2026-02-03T00:00:00Z", until: "2026-02-02T00:00:00Z" })).toEqual([]);
  // A date is a day: until its end.
  expect(await said({ since: "2026-02-02" })).toEqual(times.slice(1));
  expect(await said({ until: "2026-02-02" })).toEqual(times.slice(0, 2));
  expect(await said({ since: "2026-02-02", until: "2026-02-02" })).toEqual(times.slice(1, 2));
});

test("a time that is none is refused by its field, before anything is looked up", async () => {
  const wrong = ["2026-02-30T00:00:00Z", "2026-02-03T00:00:00", "2026-02-30", "2026-02-03T00:00:00+1", "yesterday"];
  for (const field of ["since", "until"]) {
    for (const text of [...wrong, "2026-02-03T25:00:00Z", "-000001-02-03T00:00:00Z", "1770076800"]) {
      const input = { artifactId: newId("art"), [field]: text };
      expect(await setup.refusal("audit.list", input, { as: owner.token })).toMatchObject({
        code: "invalid_request",
        extra: { errors: [{ path: field, message: notATimestamp }] },
      });
      expect(await refusal({ ...input, workspaceId: newId("wsp") }, owner.token, "audit.listInWorkspace")).toBe(
        "invalid_request",
      );
    }
  }
});

test("a deleted artifact's events are readable by its managers, and its state is hidden from other callers", async () => {
  const member = await setup.person();
  const viewer = await setup.person();
  const team = await setup.team({ [owner.userId]: "admin", [member.userId]: "member", [viewer.userId]: "viewer" });
  const { slug } = await setup.project(owner.token, team.slug);
  const { artifactId } = await setup.publish(owner.token, slug, { ownerUsername: team.slug });
  const stranger = await setup.person();
  expect(await refusal({ artifactId }, viewer.token)).toBe("forbidden");
  expect(await refusal({ artifactId }, stranger.token)).toBe("forbidden");
  expect(await refusal({ artifactId })).toBe("unauthenticated");
  await setup.call("artifact.delete", { artifactId }, { as: owner.token });
  for (const { token } of [owner, member])
    expect(kinds(await list({ artifactId }, token))).toEqual(["artifact.deleted", "artifact.created"]);
  const missing = await setup.refusal("audit.list", { artifactId: newId("art") }, { as: stranger.token });
  for (const { token } of [viewer, stranger]) {
    const hidden = await setup.refusal("audit.list", { artifactId }, { as: token });
    expect(JSON.stringify([hidden.code, hidden.message, hidden.extra])).toBe(
      JSON.stringify([missing.code, missing.message, missing.extra]),
    );
  }
  expect(missing.code).toBe("not_found");
});

test("a purged artifact's events are read in its workspace alone", async () => {
  const { artifactId } = await setup.publish(owner.token, project);
  await setup.db.run("DELETE FROM artifact WHERE artifact_id = $1", [uuidOf("art", artifactId)]);
  expect(await refusal({ artifactId }, owner.token)).toBe("not_found");
  const input = { workspaceId: owner.workspaceId, artifactId };
  const { auditEvents } = await setup.call("audit.listInWorkspace", input, { as: owner.token });
  expect(kinds(auditEvents)).toEqual(["artifact.created"]);
  const other = await setup.person();
  const elsewhere = { workspaceId: other.workspaceId, artifactId };
  expect((await setup.call("audit.listInWorkspace", elsewhere, { as: other.token })).auditEvents).toEqual([]);
});

test("a workspace's events are its admins'", async () => {
  const people = await Promise.all(
    (["admin", "member", "viewer", "billing_admin"] as const).map(async (role) => ({
      role,
      ...(await setup.person()),
    })),
  );
  const team = await setup.team(Object.fromEntries(people.map(({ userId, role }) => [userId, role])));
  const admin = people[0]?.token ?? "";
  const { slug } = await setup.project(admin, team.slug);
  await setup.publish(admin, slug, { ownerUsername: team.slug });
  const { workspaceId } = team;
  for (const { role, token } of people) {
    if (role === "admin") {
      const { auditEvents } = await setup.call("audit.listInWorkspace", { workspaceId }, { as: token });
      expect(kinds(auditEvents)).toEqual(["artifact.created", "project.created"]);
    } else expect(await refusal({ workspaceId }, token, "audit.listInWorkspace")).toBe("forbidden");
  }
  expect(await refusal({ workspaceId }, owner.token, "audit.listInWorkspace")).toBe("not_found");
});

test("without a filter it is the workspaces that one administers, and a key's own where it is held to one", async () => {
  const admin = await setup.person();
  const other = await setup.person();
  const administered = await setup.team({ [admin.userId]: "admin" });
  const visited = await setup.team({ [admin.userId]: "member", [other.userId]: "admin" });
  const { slug } = await setup.project(other.token, visited.slug);
  await setup.publish(other.token, slug, { ownerUsername: visited.slug });
  const placesOf = async (as: Caller) => new Set((await list({}, as)).map(({ workspaceId }) => workspaceId));
  const inTeam = await setup.project(admin.token, administered.slug);
  await setup.publish(admin.token, inTeam.slug, { ownerUsername: administered.slug });
  expect(await placesOf(admin.token)).toEqual(new Set([admin.workspaceId, administered.workspaceId]));
  const held = await setup.key(admin.userId, ["artifacts:access:read"], administered.workspaceId);
  expect(await placesOf(held)).toEqual(new Set([administered.workspaceId]));
  const elsewhere = await setup.key(admin.userId, ["artifacts:access:read"], visited.workspaceId);
  expect(await placesOf(elsewhere)).toEqual(new Set());
  const newest = await list({}, admin.token);
  expect(newest.map(({ eventId }) => eventId)).toEqual(
    newest
      .map(({ eventId }) => eventId)
      .toSorted()
      .toReversed(),
  );
  expect(await refusal({})).toBe("unauthenticated");
  const without = await setup.key(admin.userId, ["artifacts:read"]);
  expect(await refusal({}, without)).toBe("insufficient_scope");
});

test("one statement beside the one that loads", async () => {
  const { artifactId } = await setup.publish(owner.token, project);
  const { workspaceId } = owner;
  for (const [name, input] of [
    ["audit.list", { artifactId }],
    ["audit.list", {}],
    ["audit.listInWorkspace", { workspaceId, kind: "artifact.created" }],
  ] as const) {
    const before = setup.db.statements.total;
    await setup.answer(name, input, { as: owner.token });
    expect(setup.db.statements.total - before).toBe(2);
  }
});

test("no page sorts all there is", async () => {
  const admin = await setup.person();
  const team = await setup.team({ [admin.userId]: "admin" });
  const artifactId = newId("art");
  await setup.db.run(
    `INSERT INTO audit_event (event_id, kind, actor, surface, workspace_id, artifact_id, target_type, target_id, request_id)
     SELECT ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'artifact.updated', '{"type":"system","id":"system","label":"x"}', 'system',
       CASE WHEN n % 2 = 0 THEN $1::uuid ELSE $2::uuid END, $3, 'artifact', 'x', 'x'
     FROM generate_series(1, 20000) AS n`,
    [uuidOf("wsp", admin.workspaceId), uuidOf("wsp", team.workspaceId), uuidOf("art", artifactId)],
  );
  await setup.db.run("ANALYZE audit_event");
  const workspaces = JSON.stringify([admin, team].map(({ workspaceId }) => uuidOf("wsp", workspaceId)));
  const page = [null, null, null, null, null];
  for (const [statement, parameters] of [
    [eventStatements.ofArtifact(21), [uuidOf("art", artifactId), ...page, null]],
    [eventStatements.ofWorkspaces(21), [workspaces, ...page, null]],
  ] as const) {
    const [row] = await setup.db.run<Record<string, [{ Plan: Plan }]>>(
      `EXPLAIN (ANALYZE, FORMAT JSON) ${statement}`,
      parameters,
    );
    const plan = Object.values(row ?? {})[0]?.[0].Plan;
    expect(mostRows(plan)).toBeLessThanOrEqual(2 * 21);
  }
});

interface Plan {
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  Plans?: Plan[];
}

/** The most that any step of a plan has touched. */
const mostRows = (plan: Plan | undefined): number =>
  plan === undefined
    ? Number.POSITIVE_INFINITY
    : Math.max(
        (plan["Actual Rows"] + (plan["Rows Removed by Filter"] ?? 0)) * plan["Actual Loops"],
        ...(plan.Plans ?? []).map(mostRows),
      );
