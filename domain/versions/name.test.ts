// Names of versions: who gives them, what they can be, and that two people who name one version are recorded in turn.
import { afterAll, beforeAll, expect, test } from "bun:test";

import { uuidOf } from "@plinth/db/columns";
import { holdTransaction } from "@plinth/db/test/locks";

import { createSetup, outcome, type Setup, type TestPerson } from "../test/context.ts";

let setup: Setup;
let owner: TestPerson;
let project: string;
beforeAll(async () => {
  setup = await createSetup();
  owner = await setup.person();
  project = (await setup.project(owner.token)).slug;
});
afterAll(() => setup.close());

const manner = () => ({ as: owner.token });
const called = (artifactId: string, versionNumber: number, name: string | null) =>
  setup.call("version.patch", { artifactId, versionNumber, name }, manner());

async function published(versions: number): Promise<string> {
  const { artifactId } = await setup.publish(owner.token, project);
  for (let n = 2; n <= versions; n++)
    await setup.call("version.create", { artifactId, content: `Version ${n}` }, manner());
  return artifactId;
}

test("a named version differs from before in nothing else, and the name can be removed", async () => {
  const artifactId = await published(3);
  const { versions: before } = await setup.call("version.list", { artifactId });
  for (const name of ["Sent", null]) {
    const named = await called(artifactId, 2, name);
    const { versions } = await setup.call("version.list", { artifactId });
    expect(versions).toEqual(before.map((one) => (one.versionNumber === 2 ? { ...one, name } : one)));
    expect(named).toEqual(versions[1] ?? named);
  }
  expect(await called(artifactId, 3, "Newest")).toMatchObject({ isLatest: true, expiresAt: null });
});

test("only named versions are listed on request, page by page, and two can have one name", async () => {
  const artifactId = await published(6);
  for (const versionNumber of [1, 3, 6]) await called(artifactId, versionNumber, "Final");
  const all = await setup.call("version.list", { artifactId });
  const seen = [];
  for (let cursor: string | undefined, ends = false; !ends;) {
    const asked = { artifactId, named: true, limit: 2, ...(cursor !== undefined && { cursor }) };
    const { versions, nextCursor } = await setup.call("version.list", asked);
    seen.push(...versions);
    cursor = nextCursor ?? undefined;
    ends = nextCursor === null;
  }
  expect(seen).toEqual(all.versions.filter(({ name }) => name !== null));
  expect(seen.map(({ versionNumber }) => versionNumber)).toEqual([6, 3, 1]);
});

test("a name is one line of 1 to 100 characters that are not all spaces", async () => {
  const artifactId = await published(1);
  for (const name of ["", "   ", "a\nb", "a\u0000b", "a\u001b[2Jb", "a\u0085b", "a\u2028b", "a".repeat(101), "\ud800"])
    expect(await outcome(called(artifactId, 1, name)), JSON.stringify(name)).toBe("invalid_request");
  for (const name of ["x", "é".repeat(100), "🎉".repeat(100), "<b>&amp;", "‮Right to left"])
    expect((await called(artifactId, 1, name)).name).toBe(name);
  expect((await called(artifactId, 1, "  Final  ")).name).toBe("Final");
});

test("a dry run names nothing", async () => {
  const artifactId = await published(1);
  const input = { artifactId, versionNumber: 1, name: "Tried" };
  await setup.answer("version.patch", input, { ...manner(), dryRun: true });
  expect((await setup.call("version.list", { artifactId, named: true })).versions).toEqual([]);
});

test("a version that does not exist, or whose artifact is deleted at the same time, gets not_found", async () => {
  const artifactId = await published(1);
  expect(await outcome(called(artifactId, 2, "None"))).toBe("not_found");
  const deleted = await holdTransaction(setup.db.url, async (held) => {
    await held.run("UPDATE artifact SET deleted_at = now() WHERE artifact_id = $1", [uuidOf("art", artifactId)]);
    const calling = outcome(called(artifactId, 1, "Late"));
    await held.untilWaitedFor(calling);
    await held.commit();
    return calling;
  });
  expect(deleted).toBe("not_found");
});

test("two people who name one version at the same time: each event says which name it replaced", async () => {
  const artifactId = await published(1);
  await Promise.all(["One", "Two", "Three", "Four"].map((name) => called(artifactId, 1, name)));
  const events = await setup.db.run<{ before: { name: string | null }; after: { name: string } }>(
    "SELECT before, after FROM audit_event WHERE kind = 'version.renamed' AND target_id = $1 ORDER BY event_id",
    [artifactId],
  );
  const { versions } = await setup.call("version.list", { artifactId });
  let name: string | null = null;
  for (let left = [...events]; left.length > 0;) {
    const next = left.findIndex(({ before }) => before.name === name);
    expect(next).not.toBe(-1);
    name = left[next]?.after.name ?? null;
    left = left.toSpliced(next, 1);
  }
  expect(events).toHaveLength(4);
  expect(versions[0]?.name).toBe(name);
});
