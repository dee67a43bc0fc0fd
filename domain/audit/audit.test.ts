// The words of each audit event, written by the very transaction that made the change, and its job; operations.test.ts has that
// every operation records what its case says.
import { afterAll, beforeAll, expect, test } from "bun:test";

import { auditKinds, type AuditKind } from "@plinth/contract/audit-kinds";
import { commandLineClient, tokenExchange } from "@plinth/contract/oauth";
import { operations, type OperationName } from "@plinth/contract/registry";
import type { Actor } from "@plinth/contract/schemas/actor";
import { caseOf, kindsIn } from "@plinth/contract/test/cases";
import { newId, uuidOf } from "@plinth/db/columns";

import { exchangeIdToken } from "../credentials/exchange-id-token.ts";
import { createIssuer, testIssuer } from "../credentials/test/issuer.ts";
import { connectCommandLine } from "../credentials/test/clients.ts";
import { authorize } from "../identity/oauth/authorize.ts";
import { startDevice } from "../identity/oauth/endpoints.ts";
import { exchange } from "../identity/oauth/token-endpoint.ts";
import { resolveIdentity } from "../identity/resolve.ts";
import { pruneVersions } from "../retention/prune-versions.ts";
import { purge } from "../retention/purge.ts";
import { noDeadline } from "../retention/deadline.ts";
import { createSetup, operatorToken, type Caller, type TestPerson, type Setup } from "../test/context.ts";
import { tokenHash } from "../tokens/token.ts";

let setup: Setup;
let owner: TestPerson;
beforeAll(async () => {
  setup = await createSetup();
  owner = await setup.person();
});
afterAll(() => setup.close());

interface Event {
  kind: AuditKind;
  actor: Actor;
  surface: string;
  target_type: string;
  target_id: string;
  before: unknown;
  after: Record<string, unknown> | null;
  xmin: string;
}

const newcomer = newId("usr");
let requests = 0;

/** Does it, and returns its result with the events of that request and its jobs. */
async function done(name: OperationName, input: object, as: Caller = owner.token) {
  const requestId = `request-${++requests}`;
  const jobs = await setup.count("outbox");
  const { value } = await setup.answer(name, input, { as, requestId, surface: "cli" });
  const events = await eventsOf(requestId);
  return { value: value as Record<string, string>, events, jobs: (await setup.count("outbox")) - jobs };
}

const eventsOf = async (requestId: string): Promise<Event[]> => [
  ...(await setup.db.run<Event>(
    `SELECT kind, actor, surface, target_type, target_id, before, after, xmin::text
     FROM audit_event WHERE request_id = $1 ORDER BY event_id`,
    [requestId],
  )),
];

/** The transaction that last wrote rows of a table. */
async function writtenBy(
  table: "artifact" | "project" | "workspace" | "membership" | "invitation" | "credential" | "version" | "share_link",
  where: string,
) {
  const rows = await setup.db.run<{ xmin: string }>(`SELECT xmin::text FROM ${table} WHERE ${where}`);
  return rows.map((row) => row.xmin);
}

test("artifacts", async () => {
  const { slug: project } = await setup.project(owner.token);
  const access = { publicView: true, publicEdit: false };
  const input = { projectSlug: project, slug: "audited", type: "md", title: "T", content: "secret text", access };
  const created = await done("artifact.create", input);
  const artifactId = created.value["artifactId"] ?? "";
  const target = { target_type: "artifact", target_id: artifactId, surface: "cli" };
  const after = { latestVersion: 1, slug: "audited", title: "T", type: "md", access: { ...access, viewerEmails: [] } };
  expect(created.events).toMatchObject([{ kind: "artifact.created", before: null, after, ...target }]);
  expect(created.events[0]?.actor).toMatchObject({
    type: "api_key",
    label: "key",
    onBehalfOf: { userId: owner.userId, username: owner.username },
  });
  expect(created.jobs).toBe(1);
  expect(await writtenBy("artifact", "slug = 'audited'")).toEqual([created.events[0]?.xmin ?? ""]);

  const updated = await done("version.create", { artifactId, content: "two" });
  const head = (before: number) => ({ before: { latestVersion: before }, after: { latestVersion: before + 1 } });
  expect(updated).toMatchObject({ jobs: 1, events: [{ kind: "artifact.updated", ...head(1), ...target }] });
  expect(await writtenBy("version", "version_number = 2")).toEqual([updated.events[0]?.xmin ?? ""]);
  const edited = await done("version.edit", { artifactId, edits: [{ oldText: "two", newText: "three" }] });
  expect(edited).toMatchObject({ jobs: 1, events: [{ kind: "artifact.updated", ...head(2) }] });
  const restored = await done("version.restore", { artifactId, versionNumber: 1 });
  expect(restored.events).toMatchObject([{ kind: "artifact.restored", after: { latestVersion: 4, restoredFrom: 1 } }]);
  const named = await done("version.patch", { artifactId, versionNumber: 2, name: " Sent " });
  const names = { before: { versionNumber: 2, name: null }, after: { versionNumber: 2, name: "Sent" } };
  expect(named).toMatchObject({ jobs: 0, events: [{ kind: "version.renamed", ...names, ...target }] });
  expect(await done("version.patch", { artifactId, versionNumber: 2, name: "Sent" })).toMatchObject({ events: [] });

  const page = await setup.publish(owner.token, project, { type: "html", content: "<p>" });
  const retried = await done("version.retryPackages", { artifactId: page.artifactId, versionNumber: 1 });
  const asked = { kind: "version.packages_retried", after: { versionNumber: 1 }, target_id: page.artifactId };
  expect(retried).toMatchObject({ jobs: 1, events: [asked] });
  const twice = await done("version.retryPackages", { artifactId: page.artifactId, versionNumber: 1 });
  expect(twice).toMatchObject({ jobs: 0, events: [] });

  const patched = await done("artifact.patch", { artifactId, title: "Other" });
  expect(patched.events).toMatchObject([
    { kind: "artifact.updated", before: { title: "T" }, after: { title: "Other" } },
  ]);
  expect(patched.jobs).toBe(1);
  expect(await writtenBy("artifact", "title = 'Other'")).toEqual([patched.events[0]?.xmin ?? ""]);
  const address = { owner: owner.username, projectSlug: project };
  const putting = { ...address, slug: "put", type: "md", title: "Put", content: "one", access };
  const put = await done("artifact.put", putting);
  expect(put).toMatchObject({ jobs: 1, events: [{ kind: "artifact.created", after: { title: "Put" } }] });
  const again = await done("artifact.put", { ...putting, content: "two" });
  expect(again).toMatchObject({ jobs: 1, events: [{ kind: "artifact.updated", ...head(1) }] });
  const replaced = await done("artifact.put", {
    ...putting,
    content: "three",
    title: "New",
    access: { ...access, publicEdit: true },
  });
  expect(replaced.events).toMatchObject([
    { kind: "access.updated", after: { publicEdit: true } },
    { kind: "artifact.updated", after: { title: "New" } },
    { kind: "artifact.updated", ...head(2) },
  ]);
  expect(await done("artifact.put", { ...putting, content: "three", title: "New" })).toMatchObject({
    events: [{ kind: "access.updated", after: { publicEdit: false } }],
  });
  const moving = await done("artifact.patch", { artifactId: page.artifactId, slug: "moved" });
  expect(moving.events).toMatchObject([{ kind: "artifact.updated", after: { slug: "moved" } }]);
  const former = `${owner.username}/${project}/${page.slug}`;
  expect(
    (await done("artifact.releaseFormerAddress", { artifactId: page.artifactId, address: former })).events,
  ).toMatchObject([{ kind: "artifact.updated", before: { formerAddress: former }, after: { formerAddress: null } }]);
  const deleted = await done("artifact.delete", { artifactId });
  expect(deleted.events).toMatchObject([
    { kind: "artifact.deleted", before: { deleted: false, title: "Other" }, after: { deleted: true } },
  ]);
  expect(await writtenBy("artifact", "deleted_at IS NOT NULL")).toEqual([deleted.events[0]?.xmin ?? ""]);
  const back = await done("artifact.undelete", { artifactId });
  expect(back).toMatchObject({ jobs: 1, events: [{ kind: "artifact.undeleted", after: { deleted: false } }] });

  const inWorkspace = { ...input, slug: "audited-2", workspaceId: owner.workspaceId };
  expect((await done("artifact.createInWorkspace", inWorkspace)).events).toMatchObject([{ kind: "artifact.created" }]);
  const [leaked] = await setup.db.run<{ rows: number }>(
    "SELECT count(*)::int AS rows FROM audit_event e WHERE e::text LIKE '%secret text%' OR e::text LIKE '%plk_%'",
  );
  expect(leaked?.rows).toBe(0);
});

test("access", async () => {
  const { slug } = await setup.project(owner.token);
  const { artifactId } = await setup.publish(owner.token, slug);
  const access = { publicView: false, publicEdit: false, viewerEmails: ["ada@example.org"] };
  const changed = await done("access.update", { artifactId, ...access });
  const before = { publicView: true, publicEdit: false, viewerEmails: [] };
  const target = { target_type: "artifact", target_id: artifactId, surface: "cli" };
  expect(changed.events).toMatchObject([
    { kind: "access.updated", actor: { type: "api_key" }, before, after: access, ...target },
  ]);
  expect(await writtenBy("artifact", "access_revision = 2")).toEqual([changed.events[0]?.xmin ?? ""]);
  expect((await done("access.update", { artifactId, ...access })).events).toEqual([]);
});

test("share links", async () => {
  const { slug: project } = await setup.project(owner.token);
  const { artifactId } = await setup.publish(owner.token, project);
  const wanted = { role: "viewer", label: "Audited", expiresAt: "2999-01-01T00:00:00.000Z" };
  const created = await done("shareLink.create", { artifactId, ...wanted });
  const { shareLinkId = "", token = "" } = created.value;
  const target = { target_type: "share_link", target_id: shareLinkId, surface: "cli" };
  const actor = { type: "api_key", onBehalfOf: { userId: owner.userId } };
  expect(created).toMatchObject({
    jobs: 0,
    events: [{ kind: "share_link.created", actor, before: null, after: wanted, ...target }],
  });
  expect(await writtenBy("share_link", "label = 'Audited'")).toEqual([created.events[0]?.xmin ?? ""]);
  const revoked = await done("shareLink.revoke", { shareLinkId });
  expect(revoked.events).toMatchObject([
    { kind: "share_link.revoked", actor, before: wanted, after: { revoked: true }, ...target },
  ]);
  expect(await writtenBy("share_link", "label = 'Audited'")).toEqual([revoked.events[0]?.xmin ?? ""]);
  expect((await done("shareLink.revoke", { shareLinkId })).events).toEqual([]);

  await done("shareLink.create", { artifactId, role: "editor" });
  const deleted = await done("artifact.delete", { artifactId });
  expect(deleted.events).toMatchObject([{ kind: "artifact.deleted" }]);
  const [leaked] = await setup.db.run<{ rows: number }>(
    "SELECT count(*)::int AS rows FROM audit_event e WHERE e::text LIKE '%' || $1 || '%' OR e::text LIKE '%pls_%'",
    [token],
  );
  expect(leaked?.rows).toBe(0);
});

test("what is done with a share link, and its uses", async () => {
  const { slug } = await setup.project(owner.token);
  const { artifactId } = await setup.publish(owner.token, slug, {
    access: { publicView: false, publicEdit: false },
  });
  const link = { role: "editor" as const, label: "For review" };
  const made = await setup.call("shareLink.create", { artifactId, ...link }, { as: owner.token });
  const { shareLinkId, token = "" } = made;
  const held = { share: { hash: tokenHash(token) }, requestId: "by-its-holder", surface: "web" as const };
  await setup.answer("version.create", { artifactId, content: "theirs" }, held);
  const target = { target_type: "share_link", target_id: shareLinkId };
  const actor = { type: "share_link", id: shareLinkId, label: "For review" };
  expect(await eventsOf("by-its-holder")).toMatchObject([{ kind: "artifact.updated", actor, surface: "web" }]);

  const { principal } = await setup.answer("artifact.get", { artifactId }, held);
  setup.instance.shareUses.record(principal, { surface: "web", requestId: "its-use" });
  await setup.instance.shareUses.flush();
  const used = await eventsOf("its-use");
  expect(used).toMatchObject([{ kind: "share_link.used", actor, surface: "web", after: { uses: 1 }, ...target }]);
  expect(await writtenBy("share_link", "use_count = 1")).toEqual([used[0]?.xmin ?? ""]);
});

test("events without a request: retention, purging, and a first sign-in", async () => {
  const { slug } = await setup.project(owner.token);
  const { artifactId, title } = await setup.publish(owner.token, slug);
  const artifact = { target_type: "artifact", target_id: artifactId };
  const bySystem = { actor: { type: "system" }, surface: "system", ...artifact };
  await setup.call("version.create", { artifactId, content: "two" }, { as: owner.token });
  const inTwoYears = new Date(Date.now() + 730 * 86_400_000);
  await pruneVersions(setup.db, inTwoYears, "the-retention", noDeadline);
  const [pruned] = (await eventsOf("the-retention")).filter(({ target_id }) => target_id === artifactId);
  expect(pruned).toMatchObject({ kind: "version.pruned", before: { versionNumber: 1 }, ...bySystem });
  expect(await writtenBy("version", `artifact_id = '${uuidOf("art", artifactId)}' AND version_number = 1`)).toEqual([
    pruned?.xmin ?? "",
  ]);

  await setup.call("artifact.delete", { artifactId }, { as: owner.token });
  await setup.db.run("UPDATE artifact SET deleted_at = now() - interval '31 days' WHERE artifact_id = $1", [
    uuidOf("art", artifactId),
  ]);
  await purge(setup.db, "the-purge");
  expect(await eventsOf("the-purge")).toMatchObject([{ kind: "artifact.purged", before: { title }, ...bySystem }]);

  const identity = { providerId: "oidc", emailVerified: true, name: null, avatarUrl: null };
  const arrives = (accountId: string, email: string) =>
    resolveIdentity(setup.db, { ...identity, accountId, email }, accountId);
  await arrives("the-newcomer", "newcomer@example.org");
  const after = { provider: "oidc" };
  expect(await eventsOf("the-newcomer")).toMatchObject([
    { kind: "user.created", actor: { type: "user" }, surface: "web", before: null, after, target_type: "user" },
  ]);
  const made = await setup.person();
  await arrives("the-expected", `${made.username}@example.org`);
  expect(await eventsOf("the-expected")).toMatchObject([
    { kind: "user.identity_bound", actor: { id: made.userId }, surface: "web", after, target_id: made.userId },
  ]);
});

test("projects", async () => {
  const created = await done("project.create", { slug: "audited", title: "P", icon: "p" });
  const projectId = created.value["projectId"] ?? "";
  const target = { target_type: "project", target_id: projectId };
  expect(created.events).toMatchObject([
    { kind: "project.created", after: { slug: "audited", title: "P" }, ...target },
  ]);
  expect(await writtenBy("project", "slug = 'audited'")).toEqual([created.events[0]?.xmin ?? ""]);
  const updated = await done("project.update", { projectId, title: "Q", icon: "p" });
  expect(updated.events).toMatchObject([
    { kind: "project.updated", before: { title: "P" }, after: { title: "Q" }, ...target },
  ]);
  expect((await done("project.update", { projectId, title: "Q" })).events).toEqual([]);
  const team = await setup.team({ [owner.userId]: "admin" });
  const moved = { kind: "project.updated", after: { ownerUsername: team.slug }, ...target };
  const events = (await done("project.move", { projectId, ownerUsername: team.slug })).events;
  // One in the workspace that it left, and one in where it is now.
  expect(events).toMatchObject([moved, moved]);
  expect(new Set(events.map(({ xmin }) => xmin)).size).toBe(1);
  await done("project.move", { projectId, ownerUsername: owner.username });
  const address = `${team.slug}/audited`;
  expect((await done("project.releaseFormerAddress", { projectId, address })).events).toMatchObject([
    { kind: "project.updated", before: { formerAddress: address }, after: { formerAddress: null }, ...target },
  ]);
  const deleted = await done("project.delete", { projectId });
  expect(deleted.events).toMatchObject([
    { kind: "project.deleted", before: { slug: "audited", title: "Q" }, ...target },
  ]);
});

test("keys, agents, logins and sessions", async () => {
  const session = await setup.session(owner.userId);
  const actor = { type: "user", id: owner.userId };
  const wanted = { name: "Keyed", scopes: ["artifacts:read", "agents:manage"], expiresAt: null };
  const key = await done("apiKey.create", wanted, session);
  const { apiKeyId = "", key: token = "" } = key.value;
  const after = { ...wanted, userId: owner.userId };
  expect(key.events).toMatchObject([
    { kind: "api_key.created", actor, target_type: "api_key", target_id: apiKeyId, before: null, after },
  ]);
  expect(await writtenBy("credential", "name = 'Keyed'")).toEqual([key.events[0]?.xmin ?? ""]);

  const agent = await done("agent.create", { name: "Made", scopes: ["artifacts:read"] }, token);
  const { agentId = "" } = agent.value;
  expect(agent.events).toMatchObject([
    {
      kind: "agent.created",
      actor: { type: "api_key", id: apiKeyId, onBehalfOf: { userId: owner.userId } },
      target_type: "agent",
      target_id: agentId,
      after: { name: "Made", kind: "agent", scopes: ["artifacts:read"] },
    },
  ]);

  const rotated = await done("apiKey.rotate", { apiKeyId }, session);
  const { apiKeyId: newKeyId = "" } = rotated.value;
  expect(rotated.events).toMatchObject([
    { kind: "api_key.created", actor, target_id: newKeyId, after: { ...after, inPlaceOf: apiKeyId } },
    { kind: "api_key.revoked", actor, target_id: apiKeyId, after: { replacedBy: newKeyId } },
  ]);
  expect(new Set(await writtenBy("credential", "name IN ('Keyed', 'Made')"))).toEqual(
    new Set([rotated.events[0]?.xmin ?? ""]),
  );

  const revoked = await done("apiKey.revoke", { apiKeyId: newKeyId }, session);
  expect(revoked.events.toSorted((a, b) => a.kind.localeCompare(b.kind))).toMatchObject([
    { kind: "agent.revoked", actor, target_id: agentId, before: { name: "Made" }, after: { withWhatMadeIt: true } },
    { kind: "api_key.revoked", actor, target_id: newKeyId, before: { name: "Keyed" } },
  ]);
  expect(await writtenBy("credential", "name = 'Made'")).toEqual([revoked.events[0]?.xmin ?? ""]);

  const client = await connectCommandLine(setup, owner.userId);
  const login = await done("agent.exchangeLogin", { name: "Host" }, client.caller);
  expect(login.events).toMatchObject([
    {
      kind: "agent.created",
      actor: { type: "agent", id: client.agentId },
      target_id: login.value["agentId"],
      after: { name: "Host", kind: "login" },
    },
  ]);
  const left = await done("agent.revokeCurrent", {}, login.value["token"]);
  expect(left.events).toMatchObject([{ kind: "agent.revoked", target_id: login.value["agentId"] }]);
  const disconnected = await done("agent.revoke", { agentId: client.agentId }, session);
  expect(disconnected.events).toMatchObject([{ kind: "agent.revoked", actor, target_id: client.agentId }]);
  const [leaked] = await setup.db.run<{ rows: number }>(
    "SELECT count(*)::int AS rows FROM audit_event e WHERE e::text ~ 'pl[ka]_' OR e::text LIKE '%' || $1 || '%'",
    [client.accessToken],
  );
  expect(leaked?.rows).toBe(0);

  // A session is the browser's own affair: nothing that a workspace keeps an account of.
  const other = await setup.session(owner.userId);
  const { sessions } = await setup.call("session.list", {}, { as: other });
  const sessionId = sessions.find(({ current }) => current)?.sessionId ?? "";
  expect((await done("session.end", { sessionId }, session)).events).toEqual([]);
});

test("what the operator does", async () => {
  const actor = { type: "operator", id: "operator" };
  const wanted = { email: "audited@example.org", username: "audited" };
  const user = await done("operator.createUser", wanted, operatorToken);
  expect(user.events).toMatchObject([
    { kind: "user.created", actor, after: { username: "audited" } },
    { kind: "workspace.created", actor, after: { slug: "audited", kind: "personal" } },
  ]);
  expect(JSON.stringify(user.events)).not.toContain("@");
  expect(await writtenBy("workspace", "slug = 'audited'")).toEqual([user.events[0]?.xmin ?? ""]);
  const { userId = "", workspaceId = "" } = user.value;

  const key = await done(
    "operator.createApiKey",
    { userId, name: "Audited", scopes: ["artifacts:read"] },
    operatorToken,
  );
  expect(key.events).toMatchObject([{ kind: "api_key.created", actor, target_id: key.value["apiKeyId"] }]);
  expect(await writtenBy("credential", "name = 'Audited'")).toEqual([key.events[0]?.xmin ?? ""]);
  expect(JSON.stringify(key.events)).not.toContain("plk_");

  const link = await done("operator.createSignInLink", { userId }, operatorToken);
  expect(link.events).toMatchObject([{ kind: "user.sign_in_link_created", actor, target_id: userId }]);
  expect(JSON.stringify(link.events)).not.toContain(new URL(link.value["url"] ?? "").hash.slice(1));

  const plan = await done("operator.setPlan", { workspaceId, plan: "free" }, operatorToken);
  expect(plan.events).toMatchObject([{ kind: "plan.changed", before: { plan: "team" }, after: { plan: "free" } }]);
  expect((await done("operator.setPlan", { workspaceId, plan: "free" }, operatorToken)).events).toEqual([]);

  const team = await setup.team({ [owner.userId]: "admin" });
  const member = (role: string, of = userId) =>
    done("operator.setMember", { workspaceId: team.workspaceId, userId: of, role }, operatorToken);
  expect((await member("viewer")).events).toMatchObject([{ kind: "member.added", after: { role: "viewer" } }]);
  expect((await member("admin")).events).toMatchObject([
    { kind: "member.role_changed", before: { role: "viewer" }, after: { role: "admin" } },
  ]);
  const demoted = await Promise.all(
    [userId, owner.userId].map((of) =>
      member("member", of).then(
        () => "done",
        (error: { code: string }) => error.code,
      ),
    ),
  );
  expect(demoted.toSorted()).toEqual(["done", "last_admin"]);

  const job = await done("operator.runJob", { kind: "purge" }, operatorToken);
  expect(job).toMatchObject({ jobs: 1, events: [{ kind: "operator.job_run", actor, after: { kind: "purge" } }] });
});

test("usernames and teams", async () => {
  const as = await setup.session(owner.userId);
  const workspace = { target_type: "workspace", target_id: owner.workspaceId };
  const renamed = await done("profile.update", { username: "renamed", name: "Ada" }, as);
  expect(renamed.events).toMatchObject([
    {
      kind: "workspace.updated",
      actor: { type: "user", id: owner.userId },
      before: { slug: owner.username, name: owner.username },
      after: { slug: "renamed", name: "Ada" },
      ...workspace,
    },
  ]);
  expect(await writtenBy("workspace", "slug = 'renamed'")).toEqual([renamed.events[0]?.xmin ?? ""]);
  expect((await done("profile.update", { username: "renamed" }, as)).events).toEqual([]);
  await setup.db.run(`INSERT INTO "user" (user_id, email, email_verified) VALUES ($1, 'new@example.org', true)`, [
    uuidOf("usr", newcomer),
  ]);
  const claimed = await done("profile.update", { username: "claimed" }, await setup.session(newcomer));
  expect(claimed.events).toMatchObject([
    { kind: "workspace.created", after: { slug: "claimed", kind: "personal", plan: "team" } },
  ]);
  const team = await done("workspace.create", { slug: "audited-team", name: "Team" }, as);
  expect(team.events).toMatchObject([
    { kind: "workspace.created", target_id: team.value["workspaceId"], after: { slug: "audited-team", kind: "team" } },
  ]);
  expect(await writtenBy("workspace", "slug = 'audited-team'")).toEqual([team.events[0]?.xmin ?? ""]);
});

test("members and invitations", async () => {
  const as = await setup.session(owner.userId);
  const guest = await setup.person();
  const asGuest = await setup.session(guest.userId);
  const { workspaceId } = await setup.team({ [owner.userId]: "admin" });
  const invite = { workspaceId, email: `${guest.username}@example.org`, role: "viewer" };
  const first = await done("invitation.create", invite, as);
  const invitation = { target_type: "invitation", target_id: first.value["invitationId"] };
  expect(first).toMatchObject({
    jobs: 0,
    events: [{ kind: "invitation.created", after: { email: invite.email, role: "viewer" }, ...invitation }],
  });
  expect(JSON.stringify(first.events)).not.toContain("#");
  const revoked = await done("invitation.revoke", { invitationId: first.value["invitationId"] }, as);
  expect(revoked.events).toMatchObject([{ kind: "invitation.revoked", before: { role: "viewer" }, ...invitation }]);
  expect((await done("invitation.revoke", { invitationId: first.value["invitationId"] }, as)).events).toEqual([]);
  const replaced = await done("invitation.create", invite, as);
  const again = await done("invitation.create", invite, as);
  expect(again.events).toMatchObject([
    { kind: "invitation.revoked", target_id: replaced.value["invitationId"] },
    { kind: "invitation.created", target_id: again.value["invitationId"] },
  ]);

  const token = again.value["url"]?.split("#")[1] ?? "";
  const accepted = await done("invitation.accept", { token }, asGuest);
  const member = { target_type: "user", target_id: guest.userId };
  expect(accepted.events).toMatchObject([
    { kind: "invitation.accepted", after: { userId: guest.userId, role: "viewer" } },
    { kind: "member.added", after: { role: "viewer", username: guest.username }, ...member },
  ]);
  const [byInvitation, byMember] = accepted.events.map(({ xmin }) => xmin);
  expect(byInvitation).toBe(byMember ?? "");
  expect(await writtenBy("invitation", "accepted_at IS NOT NULL")).toEqual([byMember ?? ""]);

  const changed = await done("member.setRole", { workspaceId, userId: guest.userId, role: "member" }, as);
  const { username } = guest;
  expect(changed.events).toMatchObject([
    { kind: "member.role_changed", before: { role: "viewer" }, after: { role: "member", username }, ...member },
  ]);
  expect(await writtenBy("membership", `user_id = '${uuidOf("usr", guest.userId)}' AND role = 'member'`)).toEqual([
    changed.events[0]?.xmin ?? "",
  ]);
  expect((await done("member.setRole", { workspaceId, userId: guest.userId, role: "member" }, as)).events).toEqual([]);
  await setup.key(guest.userId, ["artifacts:read"], workspaceId);
  const removed = await done("member.remove", { workspaceId, userId: guest.userId }, as);
  expect(removed.events).toMatchObject([
    { kind: "member.removed", before: { role: "member", username }, ...member },
    { kind: "api_key.revoked", before: { name: "key" }, after: { revoked: true } },
  ]);

  const { workspaceId: left } = await setup.team({ [owner.userId]: "admin", [guest.userId]: "viewer" });
  const gone = await done("member.leave", { workspaceId: left }, asGuest);
  expect(gone.events).toMatchObject([{ kind: "member.removed", actor: { id: guest.userId }, ...member }]);
});

test("clients let in, by the consent page and by a device's code", async () => {
  const session = await setup.session(owner.userId);
  if (typeof session === "string" || session.kind !== "session") throw new Error("that is no session");
  const { clientId, redirectUris } = commandLineClient;
  const challenge = { code_challenge: "A".repeat(43), code_challenge_method: "S256" };
  const asked = { response_type: "code", client_id: clientId, redirect_uri: redirectUris[0], ...challenge };
  const page = await authorize(setup.instance, `?${new URLSearchParams(asked)}`, session.token);
  const query = new URL(page).search.slice(1);

  expect((await done("oauth.decideConsent", { query, accept: false }, session)).events).toEqual([]);
  const consent = await done("oauth.decideConsent", { query, accept: true }, session);
  expect(consent.events).toMatchObject([
    {
      kind: "agent.created",
      actor: { type: "user", id: owner.userId },
      after: { name: commandLineClient.name, kind: "oauth", client: { id: clientId }, scopes: ["artifacts:read"] },
    },
  ]);
  const connection = await writtenBy("credential", `client_id = '${clientId}' AND revoked_at IS NULL`);
  expect(connection).toEqual([consent.events[0]?.xmin ?? ""]);
  expect(JSON.stringify(consent.events)).not.toContain(new URL(consent.value["redirectTo"] ?? "").search);
  expect((await done("oauth.decideConsent", { query, accept: true }, session)).events).toEqual([]);

  const form = new URLSearchParams({ client_id: clientId, scope: "artifacts:read artifacts:share" });
  const started = await startDevice(setup.instance, { form, authorization: null });
  const { user_code: userCode } = (await started.json()) as { user_code: string };
  const device = await done("oauth.decideDevice", { userCode, approve: true }, session);
  expect(device.events).toMatchObject([
    {
      kind: "agent.created",
      before: { scopes: ["artifacts:read"] },
      after: { name: commandLineClient.name, scopes: ["artifacts:read", "artifacts:share"] },
    },
  ]);
  expect(JSON.stringify(device.events)).not.toContain(userCode);
});

test("a refresh token that is used long after it was retired", async () => {
  const client = await connectCommandLine(setup, owner.userId);
  const used = { grant_type: "refresh_token", refresh_token: "a token", client_id: client.clientId };
  await setup.db.run(
    `UPDATE oauth_refresh_token SET token = $2, revoked = now() - interval '61 seconds', rotated_at = now() - interval '61 seconds'
     WHERE token = $1`,
    [client.refreshToken, tokenHash(used.refresh_token)],
  );
  const form = new URLSearchParams(used);
  expect((await exchange(setup.instance, { form, authorization: null }, "the-reuse")).status).toBe(400);
  const target = { target_type: "agent", target_id: client.agentId };
  expect(await eventsOf("the-reuse")).toMatchObject([
    { kind: "agent.reuse_detected", actor: { type: "system" }, after: { reused: "refresh_token" }, ...target },
  ]);
});

test("an agent that trusts an issuer, and the exchange of an id token", async () => {
  const { issuerKeys, idToken } = await createIssuer();
  const trust = { issuer: testIssuer, subject: "repo:org/site:*" };
  const session = await setup.session(owner.userId);
  const agent = await done("agent.create", { name: "Trusting", scopes: ["artifacts:read"], ...trust }, session);
  const { agentId = "" } = agent.value;
  expect(agent.events).toMatchObject([
    { kind: "agent.created", target_id: agentId, after: { name: "Trusting", ...trust } },
  ]);
  const token = await idToken(setup.instance.config.publicUrl, "repo:org/site:main");
  const form = new URLSearchParams({
    client_id: agentId,
    subject_token: token,
    subject_token_type: tokenExchange.idToken,
  });
  await exchangeIdToken({ ...setup.instance, issuerKeys }, form, "the-exchange");
  const events = await eventsOf("the-exchange");
  expect(events).toMatchObject([
    {
      kind: "agent.exchanged",
      actor: { type: "agent", id: agentId, label: "Trusting", onBehalfOf: { userId: owner.userId } },
      surface: "api",
      target_type: "agent",
      target_id: agentId,
      after: { issuer: testIssuer, subject: "repo:org/site:main", scopes: ["artifacts:read"] },
    },
  ]);
  expect(await writtenBy("credential", "name = 'Trusting' AND issuer IS NULL")).toEqual([events[0]?.xmin ?? ""]);
  expect(JSON.stringify(events)).not.toContain(token);
});

test("no kind of event is without what writes it, and none is written by halves", async () => {
  const events = await setup.db.run<{ kind: AuditKind; halves: number }>(
    `SELECT kind, count(*) FILTER (WHERE actor ->> 'label' IS NULL OR request_id = '' OR surface = ''
       OR (before IS NULL AND after IS NULL))::int AS halves
     FROM audit_event GROUP BY kind`,
  );
  const halved = events.filter(({ halves }) => halves > 0);
  expect(halved, "each event has an actor, a request, a surface, and `before` or `after`").toEqual([]);
  const written = new Set(events.map(({ kind }) => kind));
  // operations.test.ts holds the cases to what their operations write.
  const ofCases = new Set(operations.flatMap(({ name }) => kindsIn(caseOf(name).events)));
  const missing = auditKinds.filter((kind) => !written.has(kind) && !ofCases.has(kind));
  expect(missing, "the case of an operation, or a test above, has to name each").toEqual([]);
});
