// Contents are deleted once no version has them, and never while a version that is being published, restored or
// rendered needs them. A transaction that is held open forces each interleaving.
import { afterAll, beforeAll, expect, test } from "bun:test";

import { uuidOf } from "@plinth/db/columns";
import type { Database } from "@plinth/db/connection";

import { keep } from "../content/renderings.ts";
import { createSetup, type TestPerson, type Setup } from "../test/context.ts";
import { pruneVersions } from "./prune-versions.ts";
import { violations, isStored, prunedOf, publishOld, waitsOr } from "./test/old-artifacts.ts";
import { noDeadline } from "./deadline.ts";

let setup: Setup;
let owner: TestPerson;
let project: string;
beforeAll(async () => {
  setup = await createSetup();
  owner = await setup.person({ plan: "free" });
  project = (await setup.project(owner.token)).slug;
});
afterAll(() => setup.close());

const run = (db: Database = setup.db) => pruneVersions(db, new Date(), "retention", noDeadline);
const ages = [100, 90];
/** An artifact whose first version, with that text, is due. */
const due = (text: string) => publishOld(setup, owner, project, ages, (n) => (n === 1 ? text : `after ${text}`));

/** Does something in a transaction that is still open while `meanwhile` goes on, until that is done or waits. */
async function amid(work: (db: Database) => Promise<unknown>, meanwhile: () => Promise<unknown>): Promise<void> {
  let going = Promise.resolve<unknown>(undefined);
  await setup.db.transaction(async (db) => {
    await work(db);
    going = meanwhile();
    await waitsOr(setup, going);
  });
  await going;
}

const asOwner = () => ({ as: owner.token });
const publishing = (content: string) => (db: Database) =>
  setup.answerOf(
    { ...setup.instance, db },
    "artifact.create",
    {
      projectSlug: project,
      slug: setup.name("new"),
      type: "md",
      title: "T",
      content,
      access: { publicView: true, publicEdit: false },
    },
    asOwner(),
  );

async function appending(content: string) {
  const { artifactId } = await setup.publish(owner.token, project);
  return {
    artifactId,
    append: (db: Database) =>
      setup.answerOf({ ...setup.instance, db }, "version.create", { artifactId, content }, asOwner()),
  };
}

test("what the last version had goes, with what was rendered of it; what another has stays", async () => {
  const [gone, shared] = [await due("only of the first"), await due("of another too")];
  await setup.publish(owner.token, project, { content: "of another too" });
  const sha256 = (text: string) => new Bun.CryptoHasher("sha256").update(text).digest("hex");
  for (const text of ["only of the first", "of another too"])
    await keep(setup.db, { sha256: sha256(text), type: "md", name: "md" }, "<p>rendered</p>");
  expect(await setup.count("rendering")).toBe(2);
  await run();
  expect([await prunedOf(setup, gone), await prunedOf(setup, shared)]).toEqual([[1], [1]]);
  expect([await isStored(setup, "only of the first"), await isStored(setup, "of another too")]).toEqual([false, true]);
  expect(await setup.count("rendering")).toBe(1);
  expect(await violations(setup)).toEqual([]);
});

test("a text of many versions of one artifact goes with the last of them", async () => {
  const artifactId = await publishOld(setup, owner, project, [100, 90, 80, 40, 10], (n) => (n < 5 ? "again" : "head"));
  await run();
  expect(await prunedOf(setup, artifactId)).toEqual([1, 2, 3]);
  expect(await isStored(setup, "again")).toBe(true);
  await setup.db.run(
    "UPDATE version SET created_at = created_at - interval '50 days' WHERE artifact_id = $1 AND version_number = 5",
    [uuidOf("art", artifactId)],
  );
  await setup.db.run(
    "UPDATE artifact SET oldest_superseded_at = oldest_superseded_at - interval '50 days' WHERE artifact_id = $1",
    [uuidOf("art", artifactId)],
  );
  await run();
  expect(await prunedOf(setup, artifactId)).toEqual([1, 2, 3, 4]);
  expect(await isStored(setup, "again")).toBe(false);
});

test("a text published while it is collected is there afterwards: the publish was first", async () => {
  for (const kind of ["create", "append"] as const) {
    const text = `first, by ${kind}`;
    const old = await due(text);
    const { append } = await appending(text);
    await amid(kind === "create" ? publishing(text) : append, () => run());
    expect(await prunedOf(setup, old)).toEqual([1]);
    expect(await isStored(setup, text)).toBe(true);
  }
  expect(await violations(setup)).toEqual([]);
});

test("a text published while it is collected is there afterwards: the collection was first", async () => {
  for (const kind of ["create", "append"] as const) {
    const text = `second, by ${kind}`;
    const old = await due(text);
    const { append } = await appending(text);
    await amid(run, () => (kind === "create" ? publishing(text)(setup.db) : append(setup.db)));
    expect(await prunedOf(setup, old)).toEqual([1]);
    expect(await isStored(setup, text)).toBe(true);
  }
  expect(await violations(setup)).toEqual([]);
});

test("a collection that is undone takes nothing from the publish that waited for it", async () => {
  const text = "undone";
  await due(text);
  const { append } = await appending(text);
  let going = Promise.resolve<unknown>(undefined);
  const undone = setup.db.transaction(async (db) => {
    await run(db);
    going = append(setup.db);
    await waitsOr(setup, going);
    throw new Error("undone");
  });
  await expect(undone).rejects.toThrow("undone");
  await going;
  await run();
  expect(await isStored(setup, text)).toBe(true);
  expect(await violations(setup)).toEqual([]);
});

test("two who store a new text at once: the second has it whether or not the first comes about", async () => {
  for (const isKept of [true, false]) {
    const text = `new to both, ${isKept}`;
    const [first, second] = [await appending(text), await appending(text)];
    let going = Promise.resolve<unknown>(undefined);
    await setup.db
      .transaction(async (db) => {
        await first.append(db);
        going = second.append(setup.db);
        await waitsOr(setup, going);
        if (!isKept) throw new Error("undone");
      })
      .catch((error: Error) => expect(error.message).toBe("undone"));
    await going;
    const { bytes } = (await setup.answer("version.content", { artifactId: second.artifactId })).value as {
      bytes: Uint8Array;
    };
    expect(new TextDecoder().decode(bytes)).toBe(text);
  }
  expect(await violations(setup)).toEqual([]);
});

test("many who publish one text at once all have it, in one batch and in many statements", async () => {
  const text = "popular";
  const made = await Promise.all(Array.from({ length: 100 }, () => publishing(text)(setup.db)));
  const appended = await Promise.all(Array.from({ length: 30 }, () => appending(text)));
  await Promise.all([...appended.map(({ append }) => append(setup.db)), publishing(text)(setup.db), run()]);
  expect(made).toHaveLength(100);
  const [versions] = await setup.db.run<{ n: number }>(
    "SELECT count(*)::int AS n FROM version WHERE sha256 = sha256(convert_to($1, 'UTF8'))",
    [text],
  );
  expect(versions?.n).toBe(131);
  expect(await violations(setup)).toEqual([]);
});

test("of two runs that each take one of the last two versions with a text, the second collects it", async () => {
  const text = "of the last two";
  const other = await setup.person({ plan: "free" });
  const theirs = (await setup.project(other.token)).slug;
  await due(text);
  // Beyond the other run's reach until that holds the first.
  const second = await publishOld(setup, other, theirs, ages, (n) => (n === 1 ? text : `also after ${text}`));
  const hold = "SELECT 1 FROM artifact WHERE artifact_id = $1 FOR UPDATE";
  let going = Promise.resolve<unknown>(undefined);
  await setup.db.transaction(async (first) => {
    await setup.db.transaction(async (holder) => {
      await holder.run(hold, [uuidOf("art", second)]);
      await run(first);
    });
    expect(await prunedOf(setup, second)).toEqual([]);
    going = run();
    await waitsOr(setup, going);
  });
  await going;
  expect(await prunedOf(setup, second)).toEqual([1]);
  expect(await isStored(setup, text)).toBe(false);
  expect(await violations(setup)).toEqual([]);
});

test("no rendering is stored for a text that is collected at the same time", async () => {
  const rendering = (text: string) => ({
    sha256: new Bun.CryptoHasher("sha256").update(text).digest("hex"),
    type: "md" as const,
    name: "md" as const,
  });
  await due("rendered first");
  await amid(
    (db) => keep(db, rendering("rendered first"), "<p></p>"),
    () => run(),
  );
  await due("rendered second");
  await amid(run, () => keep(setup.db, rendering("rendered second"), "<p></p>"));
  expect([await isStored(setup, "rendered first"), await isStored(setup, "rendered second")]).toEqual([false, false]);
  expect(await violations(setup)).toEqual([]);
});

test("publishing, restoring and deleting the same few texts at once: nothing is lost, nothing is left over, no deadlock", async () => {
  const texts = Array.from({ length: 4 }, (_, n) => `one of four: ${n}`);
  const some = (n: number) => texts[n % texts.length] ?? "";
  const lanes = Array.from({ length: 6 }, async (_, lane) => {
    for (let round = 0; round < 5; round++) {
      const n = lane + round;
      const artifactId = await publishOld(setup, owner, project, [90, 80, 70, 60], (v) => some(n + v));
      await Promise.all([
        setup
          .answer("version.restore", { artifactId, versionNumber: 1 + (n % 3) }, asOwner())
          .catch((error: unknown) => expect(error).toMatchObject({ code: "version_expired" })),
        run(),
        publishing(some(n))(setup.db),
        setup.call("version.create", { artifactId, content: some(n + 1) }, asOwner()),
      ]);
    }
  });
  await Promise.all(lanes);
  await run();
  expect(await violations(setup)).toEqual([]);
});
