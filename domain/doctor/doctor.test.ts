import { afterAll, beforeAll, expect, test } from "bun:test";

import type { Database } from "@plinth/db/connection";

import { createSetup, type Setup } from "../test/context.ts";
import { examine } from "./examine.ts";
import { invariants } from "./invariants.ts";

let setup: Setup;
beforeAll(async () => {
  setup = await createSetup();
  const { token, userId } = await setup.person();
  const project = await setup.project(token);
  const { artifactId } = await setup.publish(token, project.slug);
  const access = { publicView: false, publicEdit: false, viewerEmails: ["ada@example.org"] };
  for (const publicView of [false, true, false])
    await setup.call("access.update", { artifactId, ...access, publicView }, { as: token });
  await setup.call("version.create", { artifactId, content: "# Two" }, { as: token });
  await setup.call("version.restore", { artifactId, versionNumber: 1 }, { as: token });
  for (const role of ["viewer", "editor"] as const) {
    const link = await setup.call("shareLink.create", { artifactId, role }, { as: token });
    if (role === "editor") await setup.call("shareLink.revoke", { shareLinkId: link.shareLinkId }, { as: token });
  }
  const sha256 = new Bun.CryptoHasher("sha256").digest("hex");
  await setup.call("file.upload", { sha256 }, { as: token });
  await setup.publish(token, project.slug, { files: [{ path: "empty.txt", sha256 }] });
  const doomed = await setup.publish(token, project.slug);
  await setup.call("shareLink.create", { artifactId: doomed.artifactId, role: "viewer" }, { as: token });
  await setup.call("artifact.delete", { artifactId: doomed.artifactId }, { as: token });
  await setup.call("agent.create", { name: "agent", scopes: ["artifacts:read"] }, { as: token });
  const as = await setup.session(userId);
  const { workspaceId } = await setup.call("workspace.create", { slug: setup.name("team"), name: "Team" }, { as });
  await setup.call("invitation.create", { workspaceId, email: "guest@example.org", role: "viewer" }, { as });
});
afterAll(() => setup.close());

const broken = async (db: Database): Promise<string[]> =>
  (await examine(db)).filter(({ problems }) => problems > 0).map(({ name }) => name);

test("nothing is found in a database as it should be", async () => {
  expect(await examine(setup.db)).toHaveLength(Object.keys(invariants).length + 3);
  expect(await broken(setup.db)).toEqual([]);
});

const every = {
  admin: "every workspace has an admin",
  owner: "every personal workspace has its owner as an admin, and a team has no owner",
};

const beginning = "versions have lost their content from the first one on, as far as their artifact says";
const superseded = "every artifact says when its oldest version with content was superseded";
const unused = "every content is that of a version, a file, a package or an image";

const locked = "every complete lock names kept files";
const used = "every package that a lock names is one that it uses, and every use has a lock";

const fileUsed = "every file is used by a version of its workspace, or says since when it is not";
const filePlaced = "every file of a version is of its artifact's workspace and has the size that its workspace counts";
const filesCounted = "every set of files has as many files and bytes as it says, and a version";

const accessRecorded = "every change of access was recorded";

const inForce = "the plan in force is the greater of what is granted and what is bought";
const noticed = "a notice says which plan it is of, which keeps more, and until when";
const seatsWithin = "no seat is taken beyond those of the plan, unless the plan came down or the operator gave it";

/** So many more are invited to the team, whose holder and a guest have a seat. */
const taken = (more: number) =>
  `INSERT INTO invitation (invitation_id, workspace_id, email, role, expires_at, invited_by)
   SELECT gen_random_uuid(), workspace_id, 'more-' || n || '@example.org', 'viewer', now() + interval '1 day', '{}'
   FROM workspace, generate_series(1, ${more}) n WHERE kind = 'team'`;

const event = (kind: string, hoursAgo: number, more: string) =>
  `INSERT INTO audit_event (event_id, occurred_at, kind, actor, surface, workspace_id, target_type, target_id, request_id, before, after)
   SELECT gen_random_uuid(), now() - interval '${hoursAgo} hours', '${kind}', ${more}
   FROM workspace w WHERE w.kind = 'personal'`;
const cameDown = (hoursAgo: number) =>
  event(
    "plan.changed",
    hoursAgo,
    `'{}', 'api', w.workspace_id, 'workspace', 'x', 'x', '{"plan": "team", "seats": 20}', '{"plan": "team", "seats": 10}'`,
  );
const byOperator = (hoursAgo: number) =>
  event("member.added", hoursAgo, `'{"type": "operator"}', 'api', w.workspace_id, 'user', 'x', 'x', NULL, '{}'`);

/** What goes wrong, and which invariants say so. */
const violations: [violation: string, statement: string, found: string[]][] = [
  ["a head that does not exist", "UPDATE artifact SET latest_version = 4", ["the head is the greatest version"]],
  [
    "a version lost",
    "DELETE FROM version WHERE version_number = 2",
    ["version numbers have no gaps", superseded, unused],
  ],
  [
    "a head pruned",
    "UPDATE version SET pruned_at = now() WHERE version_number = 3",
    ["no head has lost its content", beginning],
  ],
  [
    "a version pruned before an older one",
    "UPDATE version SET pruned_at = now() WHERE version_number = 2; UPDATE artifact SET pruned_through = 1",
    [beginning, superseded, unused],
  ],
  [
    "a version pruned that its artifact does not know of",
    "UPDATE version SET pruned_at = now() WHERE version_number = 1 AND artifact_id IN (SELECT artifact_id FROM version WHERE version_number = 2)",
    [beginning],
  ],
  [
    "an artifact that retention would never find",
    "UPDATE artifact SET oldest_superseded_at = NULL WHERE latest_version = 3",
    [superseded],
  ],
  [
    "an artifact that retention would find too late",
    "UPDATE artifact SET oldest_superseded_at = now() + interval '1 minute' WHERE latest_version = 3",
    [superseded],
  ],
  [
    "an artifact with one version, found by retention",
    "UPDATE artifact SET oldest_superseded_at = now() WHERE latest_version = 1",
    [superseded],
  ],
  ["a file that no version has", "DELETE FROM file_set_file", [fileUsed, filesCounted]],
  ["a file of another size", "UPDATE workspace_file SET size_bytes = size_bytes + 1", [filePlaced, filesCounted]],
  ["files that no version has", "UPDATE version SET file_set = NULL", [filesCounted]],
  [
    "a version with files and without its content",
    "UPDATE version SET pruned_at = now() WHERE file_set IS NOT NULL",
    ["no head has lost its content", beginning, unused, "no version that lost its content has files"],
  ],
  [
    "a content that nothing has",
    `INSERT INTO content (sha256, data, size_bytes)
     VALUES (sha256('x'), decode('${Buffer.from(Bun.zstdCompressSync("x")).toString("hex")}', 'hex'), 1)`,
    [unused],
  ],
  [
    "an image of a version that is not kept",
    `INSERT INTO image_lock (artifact_id, version_number, entries, is_complete)
     SELECT artifact_id, 1, '[{"url": "https://b.example/a", "image": {"key": "00"}}, {"url": "x", "image": null}]', true
     FROM version WHERE version_number = 2`,
    ["every image that a version shows is kept for it"],
  ],
  [
    "a rendering of nothing",
    "INSERT INTO rendering (sha256, type, renderer, data) VALUES (sha256('x'), 'md', 'md-1', 'x')",
    ["everything rendered is of a content"],
  ],
  [
    "a package lost",
    `INSERT INTO package_lock (artifact_id, version_number, entries, is_complete)
     SELECT artifact_id, latest_version, '[{"files": [{"package": "01", "path": "a.js", "name": "p", "sha256": "02"}]}]', true
     FROM artifact LIMIT 1`,
    [locked, used],
  ],
  [
    "a lock of a version without content",
    `INSERT INTO package_lock (artifact_id, version_number, entries, is_complete)
     SELECT artifact_id, 1, '[]', true FROM artifact WHERE latest_version = 3;
     UPDATE version SET pruned_at = now() WHERE version_number = 1 AND artifact_id IN (SELECT artifact_id FROM package_lock)`,
    [beginning, "no version that lost its content has a lock"],
  ],
  [
    "a screenshot of nothing",
    "INSERT INTO thumbnail (artifact_id, version_number, painter) SELECT artifact_id, 9, 0 FROM artifact LIMIT 1",
    ["no screenshot is of a version that does not exist"],
  ],
  [
    "a content lost",
    "DELETE FROM content WHERE sha256 = (SELECT sha256 FROM version WHERE version_number = 2)",
    ["every version that is kept has its content, of its size"],
  ],
  [
    "a restored version with another content",
    `UPDATE version SET (sha256, size_bytes) = (SELECT sha256, size_bytes FROM version WHERE version_number = 2)
     WHERE version_number = 3`,
    ["a restored version has the content of the one it was restored from"],
  ],
  [
    "a live artifact in a deleted project",
    "UPDATE project SET deleted_at = now()",
    ["every artifact is in its project's workspace, and a deleted project has none that is not deleted"],
  ],
  [
    "a creation not recorded",
    "DELETE FROM audit_event WHERE kind = 'artifact.created'",
    ["every artifact's creation was recorded"],
  ],
  [
    "a version not recorded",
    "DELETE FROM audit_event WHERE kind = 'artifact.restored'",
    ["every later version was recorded"],
  ],
  ["a state of access never recorded", "UPDATE artifact SET viewer_emails = '{eve@example.org}'", [accessRecorded]],
  ["a return to a former state not recorded", "UPDATE artifact SET public_view = true", [accessRecorded]],
  [
    "the event of the last change lost",
    "DELETE FROM audit_event WHERE event_id = (SELECT event_id FROM audit_event WHERE kind = 'access.updated' ORDER BY event_id DESC LIMIT 1)",
    [accessRecorded],
  ],
  [
    "a return not recorded, where the first events are past their days",
    `UPDATE artifact SET public_view = true, viewer_emails = '{}', created_at = now() - interval '2 years';
     DELETE FROM audit_event WHERE kind = 'artifact.created'`,
    [accessRecorded],
  ],

  ["a deletion not recorded", "UPDATE artifact SET deleted_at = now()", ["every deletion was recorded"]],
  [
    "a link's making not recorded",
    "DELETE FROM audit_event WHERE event_id = (SELECT event_id FROM audit_event WHERE kind = 'share_link.created' LIMIT 1)",
    ["every share link's making was recorded"],
  ],
  [
    "a link's making recorded of another link",
    `UPDATE audit_event SET target_id = (SELECT min(target_id) FROM audit_event WHERE kind = 'share_link.created')
     WHERE kind = 'share_link.created'`,
    ["every share link's making was recorded"],
  ],
  [
    "a link's revocation not recorded",
    "UPDATE share_link SET revoked_at = now()",
    ["every share link's revocation was recorded"],
  ],
  [
    "a link used less than never",
    "UPDATE share_link SET use_count = -1, last_used_at = now()",
    ["a share link's uses are never fewer than none, and have a time where there are some"],
  ],
  [
    "a link used at no time",
    "UPDATE share_link SET use_count = 1",
    ["a share link's uses are never fewer than none, and have a time where there are some"],
  ],
  [
    "a key revoked without its agent",
    "UPDATE credential SET revoked_at = now() WHERE kind = 'api_key'",
    ["no credential outlives the one it was made with"],
  ],
  [
    "a key revoked before its agent is",
    "UPDATE credential SET revoked_at = now() + CASE kind WHEN 'api_key' THEN interval '0' ELSE interval '1 hour' END",
    ["no credential outlives the one it was made with"],
  ],
  [
    "a team without an admin",
    "DELETE FROM membership WHERE workspace_id = (SELECT workspace_id FROM workspace WHERE kind = 'team')",
    [every.admin],
  ],
  [
    "an owner demoted",
    "UPDATE membership SET role = 'viewer' WHERE user_id = (SELECT personal_of FROM workspace LIMIT 1)",
    [every.admin, every.owner],
  ],
  ["an owner that is not the admin", `UPDATE workspace SET personal_of = NULL WHERE kind = 'personal'`, [every.owner]],
  [
    "seats of nobody's plan",
    "UPDATE workspace SET plan_holder_id = gen_random_uuid(), plan_granted = plan WHERE kind = 'team'",
    ["the seats of a team are of a personal workspace's plan, or of its own"],
  ],
  ["a plan that nothing gives", "UPDATE workspace SET plan_granted = 'pro' WHERE kind = 'team'", [inForce]],
  ["a team that did not follow its holder", "UPDATE workspace SET plan = 'free' WHERE kind = 'team'", [inForce]],
  [
    "what is bought and not given",
    "UPDATE workspace SET plan_granted = 'free', plan_bought = 'pro'",
    [inForce, "seats are bought with a team's plan alone, and a workspace with a plan has its own subscription"],
  ],
  [
    "seats bought without a plan",
    "UPDATE workspace SET seats_bought = 12 WHERE kind = 'personal'",
    ["seats are bought with a team's plan alone, and a workspace with a plan has its own subscription"],
  ],
  [
    "a notice without an end",
    "UPDATE workspace SET plan = 'free', plan_granted = 'free', plan_kept = 'pro' WHERE kind = 'team'",
    [noticed],
  ],
  ["a notice of nothing", "UPDATE workspace SET plan_kept_until = now()", [noticed]],
  [
    "a notice of a plan that keeps no more",
    "UPDATE workspace SET plan_kept = 'pro', plan_kept_until = now() + interval '7 days'",
    [noticed],
  ],
  ["a seat taken beyond those of the plan", taken(10), [seatsWithin]],
  ["a seat taken after the plan came down", `${taken(10)}; ${cameDown(3)}`, [seatsWithin]],
  [
    "an account at Stripe of nothing that there is",
    "INSERT INTO billing_account (workspace_id, customer_id, asked_at) VALUES (gen_random_uuid(), 'cus_1', now() - interval '25 hours')",
    ["no account at Stripe outlives its workspace by a day"],
  ],
  [
    "a name kept from whoever has it",
    "INSERT INTO former_name (slug, workspace_id) SELECT slug, workspace_id FROM workspace LIMIT 1",
    ["no name is kept for one account while another has it"],
  ],
  [
    "an address kept for one artifact while it is there",
    "INSERT INTO former_artifact_address (project_id, slug, artifact_id) SELECT project_id, slug, artifact_id FROM artifact WHERE deleted_at IS NULL LIMIT 1",
    ["no address is kept for one artifact while another has it"],
  ],
  [
    "a former address in a project that is not there",
    "INSERT INTO former_artifact_address (project_id, slug, artifact_id) SELECT gen_random_uuid(), slug, artifact_id FROM artifact LIMIT 1",
    ["a former address of an artifact is in a project"],
  ],
  [
    "an address kept for one project while it is there",
    "INSERT INTO former_address (workspace_id, slug, project_id) SELECT workspace_id, slug, project_id FROM project WHERE deleted_at IS NULL LIMIT 1",
    ["no address is kept for one project while another has it"],
  ],
  [
    "an invitation accepted by nobody",
    "UPDATE invitation SET accepted_at = now()",
    ["an invitation was accepted by someone, or revoked, or neither"],
  ],
  [
    "a search document from nowhere",
    "INSERT INTO search_document (artifact_id, version_number, name, words) SELECT artifact_id, 9, '', '' FROM artifact",
    ["what search looks at is of no version that does not exist"],
  ],
  [
    "a job forgotten",
    "INSERT INTO outbox (job_id, kind, payload, created_at) VALUES (gen_random_uuid(), 'head', '{}', now() - interval '1 hour')",
    ["no job waits in the outbox for long"],
  ],
  [
    "a content with other bytes",
    `UPDATE content SET data = decode('${Buffer.from(Bun.zstdCompressSync("other")).toString("hex")}', 'hex')`,
    ["every content matches its hash"],
  ],
  ["a content that is no zstd", "UPDATE content SET data = 'x'", ["every content matches its hash"]],
  ["a migration missing", "DELETE FROM drizzle.__drizzle_migrations", ["the migrations are those of this program"]],
];

test("access that changed before the events that are kept is nothing wrong", async () => {
  const seen = await inVain(setup.db, async (db) => {
    await db.run("UPDATE artifact SET created_at = now() - interval '2 years'");
    const oldest =
      "SELECT event_id FROM audit_event WHERE kind IN ('artifact.created', 'access.updated') ORDER BY event_id";
    const found: string[][] = [];
    for (let kept = 3; kept >= 0; kept--) {
      await db.run(`DELETE FROM audit_event WHERE event_id = (${oldest} LIMIT 1)`);
      found.push(await broken(db));
    }
    return found;
  });
  expect(seen).toEqual([[], [], [], []]);
});

/** Unusual states that violate no invariant. */
const healthy: [what: string, statement: string][] = [
  ["as many seats as there are", taken(8)],
  ["more seats than there are since the plan came down", `${taken(10)}; ${cameDown(0)}`],
  ["more seats than there are since the operator gave them", `${taken(10)}; ${byOperator(0)}`],
  [
    "more seats than there are since longer than anything is known",
    `${taken(10)}; UPDATE invitation SET created_at = now() - interval '8 days'; UPDATE membership SET joined_at = now() - interval '8 days'`,
  ],
  [
    "somebody invited anew to the seat that they had when the plan came down",
    `${taken(10)}; UPDATE invitation SET created_at = now() - interval '5 hours', revoked_at = now();
     UPDATE membership SET joined_at = now() - interval '5 hours'; ${cameDown(4)}; ${taken(10)}`,
  ],
  [
    "as many seats as were bought",
    `${taken(18)}; UPDATE workspace SET plan_bought = 'team', seats_bought = 20 WHERE kind = 'personal'`,
  ],
  [
    "an account at Stripe that is about to end",
    "INSERT INTO billing_account (workspace_id, customer_id) VALUES (gen_random_uuid(), 'cus_1')",
  ],
  ["a key revoked with its agent", "UPDATE credential SET revoked_at = now()"],
  [
    "a key revoked after its agent expired",
    `UPDATE credential SET revoked_at = now() WHERE kind = 'api_key';
     UPDATE credential SET expires_at = now() WHERE made_with IS NOT NULL`,
  ],
  [
    "a key that is yet to be revoked",
    "UPDATE credential SET revoked_at = now() + interval '1 hour' WHERE kind = 'api_key'",
  ],
];

test.each(healthy)("%s is nothing wrong", async (_what, statement) => {
  const seen = await inVain(setup.db, async (db) => {
    for (const one of statement.split(";")) await db.run(one);
    return broken(db);
  });
  expect(seen).toEqual([]);
});

test.each(violations)("%s is found", async (_violation, statement, found) => {
  const seen = await inVain(setup.db, async (db) => {
    await db.run(statement);
    return broken(db);
  });
  expect(seen).toEqual(found);
});

test("every invariant has a violation that breaks it", () => {
  const found = new Set(violations.flatMap(([, , names]) => names));
  expect(Object.keys(invariants).filter((name) => !found.has(name))).toEqual([]);
});

/** What `work` returns, and everything it did undone. */
async function inVain<Result>(db: Database, work: (tx: Database) => Promise<Result>): Promise<Result> {
  const done: Result[] = [];
  const undo = new Error("undone");
  await db
    .transaction(async (tx) => {
      done.push(await work(tx));
      throw undo;
    })
    .catch((error: unknown) => {
      if (error !== undo) throw error;
    });
  return done[0] as Result;
}
