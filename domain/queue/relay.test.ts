import { afterAll, beforeAll, expect, test } from "bun:test";

import { newId } from "@plinth/db/columns";
import { outbox } from "@plinth/db/schema/records";

import { createSetup, type Setup } from "../test/context.ts";
import type { OpenQueue } from "./open-queue.ts";
import { openedQueue } from "../test/opened-queue.ts";
import { openWorker } from "./open-worker.ts";
import type { OutboxRow } from "./outbox.ts";
import { gather, startRelay } from "./relay.ts";

let setup: Setup;
let queue: OpenQueue;
/** BullMQ mends a lost connection by itself; what it says of one is for the log. */
const ignoreError = () => undefined;
beforeAll(async () => {
  setup = await createSetup();
  queue = await openedQueue({ databaseUrl: setup.db.url }, ignoreError);
});
afterAll(async () => {
  await queue.close();
  await setup.close();
});

/** Every artifact that the outbox has spoken of. */
const written = new Set<string>();

const write = async (count: number): Promise<OutboxRow[]> => {
  const rows = Array.from({ length: count }, () => {
    const payload = { artifactIds: [newId("art")] };
    return { jobId: newId("job"), kind: "head" as const, payload };
  });
  await setup.db.orm.insert(outbox).values(rows);
  for (const { payload } of rows) written.add(payload.artifactIds[0] ?? "");
  return rows;
};

async function relayed(): Promise<void> {
  const relay = startRelay(setup.db, queue, ignoreError);
  relay.wake();
  while ((await setup.count("outbox")) > 0) await Bun.sleep(20);
  await relay.stop();
}

test("what was handed over before a crash is one job when it is handed over again", async () => {
  const rows = await write(3);
  // The queue has them, and the transaction that would have removed them never ended.
  await queue.add(gather(rows));
  await relayed();
  expect(await setup.count("outbox")).toBe(0);
  expect((await queue.counts()).waiting).toBe(1);
});

test("two relays share the rows", async () => {
  const before = (await queue.counts()).waiting;
  await write(400);
  await Promise.all([relayed(), relayed()]);
  expect(await setup.count("outbox")).toBe(0);
  expect((await queue.counts()).waiting).toBeGreaterThan(before);
});

test("a full queue holds back only its own jobs", async () => {
  const pictures = Array.from({ length: 3 }, () => ({ jobId: newId("job"), kind: "thumbnail", payload: {} }));
  await setup.db.orm.insert(outbox).values(pictures);
  await write(3);
  const full: OpenQueue = {
    ...queue,
    countsByQueue: async () => ({
      ...(await queue.countsByQueue()),
      thumbnail: { waiting: 200, active: 0, failed: 0 },
    }),
  };
  const relay = startRelay(setup.db, full, ignoreError);
  relay.wake();
  while ((await setup.count("outbox")) > pictures.length) await Bun.sleep(20);
  await relay.stop();
  const left = await setup.db.run<{ kind: string }>("DELETE FROM outbox RETURNING kind");
  expect(left.map(({ kind }) => kind)).toEqual(["thumbnail", "thumbnail", "thumbnail"]);
});

test("in a flood of writes a few heads go and all else does; the rest follows when it ebbs", async () => {
  const flood = async () => {
    await write(60);
    await setup.db.orm.insert(outbox).values([{ jobId: newId("job"), kind: "purge", payload: {} }]);
  };
  await flood();
  const looks: { heads: number; others: number }[] = [];
  const first = Promise.withResolvers<void>();
  const flooded = Promise.withResolvers<void>();
  const noting: OpenQueue = {
    ...queue,
    async add(rows) {
      const heads = rows.filter(({ kind }) => kind === "head");
      const others = rows.length - heads.length;
      looks.push({ heads: heads.flatMap(({ payload }) => payload["artifactIds"] as string[]).length, others });
      first.resolve();
      await flooded.promise;
      await queue.add(heads);
    },
  };
  const relay = startRelay(setup.db, noting, ignoreError);
  // The initial rows go with the first look, and a flood of rows arrives during it.
  await first.promise;
  await flood();
  for (let n = 0; n < 40_000; n++) relay.wake();
  flooded.resolve();
  while ((await setup.count("outbox")) > 0) await Bun.sleep(20);
  await relay.stop();
  expect(looks).toEqual([
    { heads: 60, others: 1 },
    { heads: 10, others: 1 },
    { heads: 50, others: 0 },
  ]);
});

test("a relay without rows rests between its looks", async () => {
  const before = setup.db.statements.total;
  const relay = startRelay(setup.db, queue, ignoreError);
  // As much work for the database as a thousand looks are.
  for (let n = 0; n < 1000; n++) await setup.db.run("SELECT FROM outbox");
  await relay.stop();
  const looks = setup.db.statements.total - before - 1000;
  expect(looks).toBeGreaterThan(0);
  expect(looks).toBeLessThan(20);
});

test("a relay that has been told of nothing for long looks soon after a request or a job", async () => {
  const before = setup.db.statements.total;
  const relay = startRelay(setup.db, queue, ignoreError, { isSole: true });
  while (setup.db.statements.total === before) await Bun.sleep(1);
  await write(1);
  relay.stir();
  // The next look without it comes after this test's time.
  while ((await setup.count("outbox")) > 0) await Bun.sleep(20);
  await relay.stop();
});

test("a row stays where the queue does not take it, and goes when it does", async () => {
  await write(1);
  const errors: unknown[] = [];
  const ran = Promise.withResolvers<void>();
  const deaf: OpenQueue = { ...queue, add: () => Promise.reject(new Error("away")) };
  const relay = startRelay(setup.db, deaf, (error) => {
    errors.push(error);
    ran.resolve();
  });
  await ran.promise;
  expect(await setup.count("outbox")).toBe(1);
  await relay.stop();
  expect(errors).not.toHaveLength(0);
  await relayed();
});

test("rows of a kind that only a newer program knows stay for its relay, and all others go", async () => {
  const kind = "of-a-newer-program";
  const workspaceId = newId("wsp");
  await setup.db.orm.insert(outbox).values([
    { jobId: newId("job"), kind, payload: {} },
    { jobId: newId("job"), kind, payload: {}, workspaceId, dedupeKey: kind },
    { jobId: newId("job"), kind: "purge", payload: {} },
    { jobId: newId("job"), kind: "thumbnail", payload: {}, workspaceId, dedupeKey: "thumbnail" },
  ]);
  await write(3);
  const errors: unknown[] = [];
  const handed: string[] = [];
  const noting: OpenQueue = {
    ...queue,
    add: async (rows) => {
      handed.push(...rows.map((row) => row.kind));
      await queue.add(rows.filter((row) => row.kind === "head"));
    },
  };
  const relay = startRelay(setup.db, noting, (error) => errors.push(error));
  while (new Set(handed).size < 3 && errors.length === 0) await Bun.sleep(20);
  await relay.stop();
  expect(errors).toEqual([]);
  expect(new Set(handed)).toEqual(new Set(["head", "purge", "thumbnail"]));
  const left = await setup.db.run("DELETE FROM outbox RETURNING kind, handed_over_at IS NULL AS waits");
  expect([...left].filter((row) => (row as { kind: string }).kind === kind)).toEqual([
    { kind, waits: true },
    { kind, waits: true },
  ]);
  expect(left).toHaveLength(3);
});

test("a worker gets each artifact exactly once", async () => {
  const done: string[] = [];
  const worker = openWorker(
    { databaseUrl: setup.db.url },
    ({ data }: { data: { artifactIds: string[] } }) => {
      done.push(...data.artifactIds);
      return Promise.resolve();
    },
    ignoreError,
  );
  for (let counts = await queue.counts(); counts.waiting + counts.active > 0; counts = await queue.counts())
    await Bun.sleep(20);
  await worker.close();
  expect(done.toSorted()).toEqual([...written].toSorted());
});
