import { afterAll, beforeAll, expect, test } from "bun:test";
import { newId } from "@plinth/db/columns";
import { sqlState } from "@plinth/db/connection";

import type { Person } from "../access/principal.ts";
import type { NewArtifact, NewArtifactRow } from "../services.ts";
import { pack } from "../storage/pack.ts";
import { createSetup, type TestPerson, type Setup } from "../test/context.ts";
import { createInsertArtifact } from "./create-statement.ts";

let setup: Setup;
let owner: TestPerson;
let project: { projectId: string; slug: string };
let principal: Person;
beforeAll(async () => {
  setup = await createSetup();
  owner = await setup.person();
  project = await setup.project(owner.token);
  principal = {
    type: "api_key",
    kind: "api_key",
    userId: owner.userId,
    username: owner.username,
    name: null,
    email: "ada@example.org",
    emailVerified: true,
    avatarUrl: null,
    credentialId: newId("key"),
    label: "test",
    scopes: [],
    heldTo: null,
    personalWorkspaceId: owner.workspaceId,
    roles: new Map(),
  };
});
afterAll(() => setup.close());

/** A publish as a handler asks for it, but for what is given. */
async function publish(changed: Partial<NewArtifactRow> = {}, text = `# ${setup.name("text")}`): Promise<NewArtifact> {
  const row: NewArtifactRow = {
    artifactId: newId("art"),
    projectId: project.projectId,
    workspaceId: owner.workspaceId,
    slug: setup.name("slug"),
    type: "md",
    title: 'Ada\'s "title" \\ \u2028 🙂',
    description: null,
    sourcePath: null,
    publicView: true,
    publicEdit: false,
    viewerEmails: ["ada@example.org"],
    creatorId: owner.userId,
    changelog: null,
    ...changed,
  };
  const by: NewArtifact["by"] = {
    principal,
    call: { credential: { kind: "none" }, surface: "api", requestId: "req-test", address: "192.0.2.1" },
  };
  return { row, source: { ...(await pack(text)), rendering: null }, files: null, by };
}

/** The artifact's rows in all tables that a publish writes. */
async function writtenOf({ row }: NewArtifact): Promise<Record<string, unknown> | undefined> {
  const [found] = await setup.db.run<Record<string, unknown>>(
    `SELECT a.title, a.viewer_emails, c.data, v.size_bytes, e.request_id, e.after->>'sha256' AS sha256,
       (SELECT count(*)::int FROM outbox WHERE payload->'artifactIds' ? e.target_id) AS jobs
     FROM artifact a
     JOIN version v USING (artifact_id)
     JOIN content c USING (sha256)
     JOIN audit_event e USING (artifact_id)
     WHERE e.target_id = $1`,
    [row.artifactId],
  );
  return found;
}

async function expectWritten(one: NewArtifact): Promise<void> {
  expect(await writtenOf(one)).toEqual({
    title: one.row.title,
    viewer_emails: ["ada@example.org"],
    data: Buffer.from(one.source.data),
    size_bytes: one.source.sizeBytes,
    request_id: "req-test",
    sha256: one.source.sha256,
    jobs: 1,
  });
}

/** Eight share one, however many wait. */
const statementsFor = (publishes: number): number => Math.ceil(publishes / 8);

test("publishes that come together share a statement, and each has written its own", async () => {
  const insert = createInsertArtifact(setup.db);
  const all = await Promise.all(Array.from({ length: 20 }, () => publish()));
  const before = setup.db.statements.total;
  const times = await Promise.all(all.map(insert));
  expect(setup.db.statements.total - before).toBe(statementsFor(all.length));
  expect(times.every((time) => time instanceof Date)).toBe(true);
  for (const one of all) await expectWritten(one);
});

test("of a batch in which some can't be, the others are", async () => {
  const insert = createInsertArtifact(setup.db);
  const { slug } = await setup.publish(owner.token, project.slug);
  const good = await Promise.all([publish(), publish(), publish()]);
  const twice = setup.name("twice");
  const results = await Promise.all(
    [
      good[0],
      await publish({ slug }),
      await publish({ projectId: newId("prj") }),
      await publish({ slug: twice }),
      good[1],
      await publish({ slug: twice }),
      await publish({ workspaceId: newId("wsp") }),
      good[2],
    ].map(insert),
  );
  const written = results.map((time) => time !== null);
  expect([...written.slice(0, 3), ...written.slice(6)]).toEqual([true, false, false, false, true]);
  expect(written[4]).toBe(true);
  expect(written[3]).toBe(!written[5]);
  for (const one of good) await expectWritten(one);
});

test("what the database refuses is refused to the one alone", async () => {
  const insert = createInsertArtifact(setup.db);
  const good = await Promise.all([publish(), publish()]);
  const bad = await publish({ creatorId: newId("usr") });
  const outcomes = await Promise.allSettled([good[0], bad, good[1]].map(insert));
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(sqlState(outcomes[1]?.status === "rejected" ? outcomes[1].reason : null)).toBe("23503");
  for (const one of good) await expectWritten(one);
  expect(await writtenOf(bad)).toBeUndefined();
});

test("two statements that want the same slugs and texts, each in another order, don't wait for each other", async () => {
  const rounds = 10;
  for (let round = 0; round < rounds; round++) {
    const slugs = Array.from({ length: 30 }, () => setup.name("same"));
    const some = await Promise.all(slugs.map((slug) => publish({ slug }, `# ${slug}`)));
    const same = await Promise.all(slugs.toReversed().map((slug) => publish({ slug }, `# ${slug}`)));
    const [one, other] = [createInsertArtifact(setup.db), createInsertArtifact(setup.db)];
    const before = setup.db.statements.total;
    const times = await Promise.all([...some.map(one), ...same.map(other)]);
    expect(times.filter((time) => time !== null)).toHaveLength(slugs.length);
    // A deadlock would have sent each by itself.
    expect(setup.db.statements.total - before).toBe(2 * statementsFor(slugs.length));
  }
});

test("a large text goes by itself", async () => {
  const insert = createInsertArtifact(setup.db);
  const small = await Promise.all([publish(), publish()]);
  const one = await publish();
  const data = Buffer.concat(Array.from({ length: 8 }, () => crypto.getRandomValues(new Uint8Array(60_000))));
  const large = { ...one, source: { ...one.source, data } };
  const before = setup.db.statements.total;
  await Promise.all([insert(small[0]), insert(large), insert(small[1])]);
  expect(setup.db.statements.total - before).toBe(2);
  for (const each of [...small, large]) await expectWritten(each);
});

test.each([
  { description: null, sourcePath: null, changelog: null, viewerEmails: [] },
  { description: "", changelog: "null", viewerEmails: ["a@example.org", 'b,{}"@example.org'] },
  { description: '"\\ {} \u2028 🙂', changelog: "{}", viewerEmails: [], publicView: false, publicEdit: true },
])("a publish alone writes what one among others does: %p", async (changed) => {
  const insert = createInsertArtifact(setup.db);
  const sourcePath = changed.sourcePath === null ? null : `docs/${setup.name("path")} "1".md`;
  const [alone, first, second] = await Promise.all(
    [sourcePath, sourcePath === null ? null : `${sourcePath}x`, null].map((path) =>
      publish({ ...changed, sourcePath: path }),
    ),
  );
  if (alone === undefined || first === undefined || second === undefined) throw new Error("three publishes");
  await insert(alone);
  await Promise.all([insert(first), insert(second)]);
  const rowsOf = async ({ row, source }: NewArtifact) => {
    const [found] = await setup.db.run<{ artifact: object; version: object; audit: object; payload: unknown }>(
      `SELECT to_jsonb(a) AS artifact, to_jsonb(v) AS version, to_jsonb(e) AS audit, o.payload
       FROM artifact a JOIN version v USING (artifact_id) JOIN audit_event e USING (artifact_id)
       LEFT JOIN outbox o ON o.payload->'artifactIds' ? e.target_id
       WHERE e.target_id = $1`,
      [row.artifactId],
    );
    // What differs between any two publishes.
    const own = [row.artifactId, row.slug, source.sha256, row.sourcePath].filter((text) => text !== null);
    return own.reduce(
      (text, value, n) => text.replaceAll(JSON.stringify(value).slice(1, -1), `own ${n}`),
      JSON.stringify(found).replaceAll(/"[\da-f]{8}-[\da-f-]{27}"|"\d{4}-\d\d-\d\dT[^"]*"/g, "…"),
    );
  };
  expect(await rowsOf(alone)).toBe(await rowsOf(first));
  expect(
    await setup.db.run(
      "SELECT description, changelog, source_path, viewer_emails FROM artifact JOIN version USING (artifact_id) WHERE slug = $1",
      [alone.row.slug],
    ),
  ).toEqual([
    {
      description: alone.row.description,
      changelog: alone.row.changelog,
      source_path: sourcePath,
      viewer_emails: alone.row.viewerEmails,
    },
  ]);
});
