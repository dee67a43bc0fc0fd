// Answers from the memory of a process: rows of public artifacts alone, until they change, within bounded memory.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { heapStats } from "bun:jsc";

import type { Input, OperationName } from "@plinth/contract/registry";
import { uuidOf } from "@plinth/db/columns";

import { createInstance } from "../instance.ts";
import type { Instance } from "../context.ts";
import { createLoneLeases } from "../leases/leases.ts";
import { createMemory } from "../leases/memory.ts";
import { processClock, times, type Clock } from "../leases/protocol.ts";
import { createContentCache } from "../storage/cache.ts";
import { createSetup, operatorToken, type Caller, type Setup, type TestPerson } from "../test/context.ts";
import type { Loaded, PublicRows } from "./load.ts";
import { createPublicRows, type PublicRow } from "./public-rows.ts";

let setup: Setup;
let owner: TestPerson;
let project: { slug: string; projectId: string };
let instance: Instance;
let now = 0;
const clock: Clock = { ...processClock, now: () => now };

beforeAll(async () => {
  setup = await createSetup();
  owner = await setup.person();
  project = await setup.project(owner.token);
  instance = createInstance({ ...setup.instance, leases: createLoneLeases(clock) });
});
afterAll(() => setup.close());

const call = async <Name extends OperationName>(name: Name, input: Input<Name>, as: Caller = owner.token) =>
  (await setup.answerOf(instance, name, input, { as })).value;

const publish = (title: string, publicView = true) =>
  setup.publish(owner.token, project.slug, { title, access: { publicView, publicEdit: false } });

/** The title, as anyone reads it by an instance that has a lease; null where it is hidden. */
const titleOf = (artifactId: string): Promise<string | null> =>
  setup.answerOf(instance, "artifact.get", { artifactId }).then(
    ({ value }) => (value as { title: string }).title,
    () => null,
  );

const statementsOfReading = (artifactId: string): Promise<number> => setup.statementsOf(() => titleOf(artifactId));

const changesOfOne: Readonly<Record<string, (artifactId: string) => Promise<unknown>>> = {
  "artifact.patch": (artifactId) => call("artifact.patch", { artifactId, title: "New" }),
  "access.update": (artifactId) =>
    call("access.update", { artifactId, publicView: false, publicEdit: false, viewerEmails: [] }),
  "artifact.delete": (artifactId) => call("artifact.delete", { artifactId }),
  "version.create": (artifactId) => call("version.create", { artifactId, content: "# New" }),
  "project.update": () => call("project.update", { projectId: project.projectId, title: setup.name() }),
  "profile.update": async () => call("profile.update", { name: setup.name() }, await setup.session(owner.userId)),
  "operator.setPlan": () =>
    call("operator.setPlan", { workspaceId: owner.workspaceId, plan: "team" } as never, operatorToken),
};

test.each(Object.entries(changesOfOne))("%s: the next read asks the database", async (_name, change) => {
  const { artifactId } = await publish("Old");
  expect(await titleOf(artifactId)).toBe("Old");
  expect(await statementsOfReading(artifactId)).toBe(0);
  await change(artifactId);
  expect(await statementsOfReading(artifactId)).toBe(1);
});

test("a change of one artifact leaves the others in memory", async () => {
  const [one, other] = [await publish("One"), await publish("Other")];
  await Promise.all([titleOf(one.artifactId), titleOf(other.artifactId)]);
  await call("artifact.patch", { artifactId: one.artifactId, title: "New" });
  expect(await statementsOfReading(other.artifactId)).toBe(0);
});

test("a dry run leaves the row in memory", async () => {
  const { artifactId } = await publish("Old");
  await titleOf(artifactId);
  await setup.answerOf(instance, "version.create", { artifactId, content: "# Dry" }, { as: owner.token, dryRun: true });
  expect(await statementsOfReading(artifactId)).toBe(0);
});

test("hidden, deleted, and former addresses are asked of the database each time, and so are callers with a credential", async () => {
  const hidden = await publish("Hidden", false);
  const moved = await publish("Moved");
  await setup.call("artifact.patch", { artifactId: moved.artifactId, slug: "moved-away" }, { as: owner.token });
  const former = { owner: owner.username, projectSlug: project.slug, slug: moved.slug };
  const reads: (() => Promise<unknown>)[] = [
    () => titleOf(hidden.artifactId),
    () => setup.answerOf(instance, "artifact.getByPath", former),
    () => setup.answerOf(instance, "artifact.get", { artifactId: moved.artifactId }, { as: owner.token }),
  ];
  for (const read of reads) {
    await read();
    expect(await setup.statementsOf(read)).toBe(1);
  }
});

test("a row in use is renewed off the path of every request, and one that is not in use ends with its time", async () => {
  const { artifactId } = await publish("Timed");
  await titleOf(artifactId);
  const before = setup.db.statements.total;
  now += times.renewsRow;
  while (setup.db.statements.total === before) await Bun.sleep(1);
  now += times.inUse + times.answers;
  expect(await statementsOfReading(artifactId)).toBe(1);
});

/** Stored as often as there are artifacts, each with different texts. */
function fill(rows: PublicRows, loaded: Loaded, count: number): void {
  for (let n = 0; n < count; n++) {
    const artifactId = `art_${String(n).padStart(26, "0")}`;
    const copy = structuredClone(loaded);
    const artifact = { ...copy.artifact, artifactId, title: `Title ${n}`.repeat(3) };
    const row = copy.row !== null && "artifact" in copy.row ? { ...copy.row, artifact } : artifact;
    const reading = rows.begin(loaded.kind);
    reading?.keep(
      { artifact: uuidOf("art", artifactId).replace(/.{8}$/, String(n).padStart(8, "0")) },
      {
        ...copy,
        artifact,
        row,
      } as unknown as Loaded,
      "1.2.3.4.5",
    );
    reading?.end();
  }
}

const filled = async (kind: Loaded["kind"], artifactId: string, rows: PublicRows, count: number) =>
  fill(rows, await setup.instance.load(kind, { artifact: uuidOf("art", artifactId) }), count);

test.each([
  ["version", 100_000],
  ["artifact", 20_000],
  ["source", 20_000],
  ["files", 20_000],
] as const)("rows of the kind %s of %i artifacts take at most 10 MB", async (kind, count) => {
  const { artifactId } = await publish("Large");
  const memory = createMemory<PublicRow>(clock, () => true);
  const rows = createPublicRows(memory, createContentCache());
  await filled(kind, artifactId, rows, 1);
  Bun.gc(true);
  const before = heapStats().heapSize;
  await filled(kind, artifactId, rows, count);
  Bun.gc(true);
  const taken = heapStats().heapSize - before;
  console.error(`${kind}: ${memory.size()} rows, ${Math.round(taken / memory.size())} bytes each`);
  expect(taken).toBeLessThan(10 * 1024 * 1024);
  expect(memory.size()).toBeGreaterThan(2500);
});

test("the rows of a thousand artifacts, their contents and versions are in memory together", async () => {
  const { artifactId } = await publish("Large");
  const memory = createMemory<PublicRow>(clock, () => true);
  const rows = createPublicRows(memory, createContentCache());
  for (const kind of ["source", "artifact", "version"] as const) await filled(kind, artifactId, rows, 1000);
  expect(memory.size()).toBe(3000);
});
