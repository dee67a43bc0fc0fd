// Health warns where jobs wait, and where placeholders stand in for screenshots.
import { SQL } from "bun";
import { afterAll, beforeAll, beforeEach, expect, spyOn, test } from "bun:test";

import { newId, uuidOf } from "@plinth/db/columns";
import type { Database } from "@plinth/db/connection";
import type { ObjectStore } from "@plinth/db/object-store";
import { testDatabase } from "@plinth/db/test/database";

import { openBilling } from "./billing/billing.ts";
import type { BillingConfig } from "./config.ts";
import type { Instance } from "./context.ts";
import { troubleText, type DatabaseTrouble } from "./database-trouble.ts";
import { watchDatabase } from "./database-watch.ts";
import { createInstance } from "./instance.ts";
import { invoke } from "./request/invoke.ts";
import { answerOf } from "./request/outcome.ts";
import type { JobQueue } from "./queue/queue.ts";
import { startPresence } from "./queue/worker-process.ts";
import type { Offer, Billing } from "./services.ts";
import { reachEveryMs, reachStore } from "./storage/reach-store.ts";
import { createSetup, emptyQueue, type Setup } from "./test/context.ts";
import { closeThreads, runInThread } from "./threads/pool.ts";
import { packed, work } from "./threads/test/work.ts";

let setup: Setup;
beforeAll(async () => {
  setup = await createSetup();
});
afterAll(() => setup.close());
beforeEach(async () => {
  await setup.db.run("DELETE FROM worker_process");
  await setup.db.run("DELETE FROM outbox");
});

const onError = (error: unknown): void => {
  throw error;
};

/** Health of an instance that has been up for so long. */
async function health(
  uptimeSeconds = 600,
  queue: JobQueue = emptyQueue,
  billing: Billing | null = null,
  more: Partial<Instance> = {},
) {
  const made = createInstance({ config: setup.instance.config, db: setup.db, queue, ...more });
  const instance = { ...made, billing, startedAt: Date.now() - uptimeSeconds * 1000 };
  const call = { credential: { kind: "none" }, surface: "api", requestId: "health", address: "" } as const;
  const { value } = answerOf(await invoke(instance, call, "health", { input: {}, errors: [] }));
  return value as {
    status: string;
    checks: Record<"database" | "queue" | "renderer" | "billing" | "contents", { status: string; detail?: string }>;
  };
}

async function seenAgo(seconds: number, browser: string | null, db: Database = setup.db): Promise<void> {
  await db.run(
    "INSERT INTO worker_process (worker_id, seen_at, browser) VALUES (gen_random_uuid(), now() - make_interval(secs => $1::int), $2)",
    [seconds, browser],
  );
}

test("with a worker that has a browser all is well", async () => {
  const presence = startPresence(setup.db, "Chromium 153", onError);
  await presence.stop();
  expect((await health()).checks.queue.detail).toBe("no worker has been seen for 60 s");
  await seenAgo(10, null);
  await seenAgo(10, "Chromium 153");
  expect(await health()).toMatchObject({ status: "pass" });
});

test("a worker says that it lives until it is stopped", async () => {
  const presence = startPresence(setup.db, "Chromium 153", onError);
  const rows = () => setup.db.run("SELECT browser FROM worker_process");
  while ((await rows()).length === 0) await Bun.sleep(5);
  expect(await rows()).toEqual([{ browser: "Chromium 153" }]);
  await presence.stop();
  expect(await rows()).toEqual([]);
});

test("a worker that has not been seen for a minute is as none; one may still be starting with the instance", async () => {
  await seenAgo(61, "Chromium 153");
  const late = await health();
  expect(late.status).toBe("warn");
  expect(late.checks.queue).toEqual({ status: "warn", detail: "no worker has been seen for 60 s" });
  expect(late.checks.renderer).toEqual({ status: "pass" });
  expect((await health(30)).status).toBe("pass");
});

test("no worker with a browser: health warns that thumbnails are placeholders", async () => {
  await seenAgo(1, null);
  expect((await health()).checks.renderer).toEqual({
    status: "warn",
    detail: "no Chromium: thumbnails are placeholders",
  });
});

test("a job that waits long in the outbox is a warning", async () => {
  await seenAgo(1, "Chromium 153");
  await setup.db.run(
    "INSERT INTO outbox (job_id, kind, payload, created_at) VALUES (gen_random_uuid(), 'purge', '{}', now() - interval '90 s')",
  );
  expect((await health()).checks.queue).toMatchObject({
    status: "warn",
    detail: expect.stringContaining("has waited 9"),
  });
});

test("a queue that can't be reached is a warning, and one that does not answer is waited for no longer than 2 s", async () => {
  await seenAgo(1, "Chromium 153");
  const away = { ...emptyQueue, counts: () => Promise.reject(new Error("away")) };
  expect((await health(600, away)).checks.queue).toEqual({ status: "warn", detail: "can't be reached" });
  const silent = { ...emptyQueue, counts: () => new Promise<never>(() => undefined) };
  const answer = await health(600, silent);
  expect([answer.status, answer.checks.queue.detail]).toEqual(["warn", "no answer in time"]);
});

/** Health of an instance whose object storage answers requests for an object as given. */
async function withObjects(get: ObjectStore["get"]) {
  const away = () => Promise.reject(new Error("health reads one object"));
  const objects: ObjectStore = { takesNew: true, get, put: away, remove: away, list: away };
  const db = { ...setup.db, objects };
  return () => health(600, emptyQueue, null, { db });
}

test("object storage is checked where contents are in it, and warns where it can't be reached or does not answer", async () => {
  await seenAgo(1, "Chromium 153");
  expect((await health()).checks).not.toHaveProperty("contents");
  const there = await withObjects(() => Promise.resolve(null));
  expect(await there()).toMatchObject({ status: "pass", checks: { contents: { status: "pass" } } });
  const away = await withObjects(() => Promise.reject(new Error("AccessDenied")));
  const warning = { status: "warn", detail: "can't be reached" };
  expect(await away()).toMatchObject({ status: "warn", checks: { database: { status: "pass" }, contents: warning } });
  const silent = await withObjects(() => new Promise<never>(() => undefined));
  expect((await silent()).checks.contents).toEqual({ status: "warn", detail: "no answer in time" });
});

test("object storage is asked once in ten seconds, however often health is", async () => {
  let asked = 0;
  let isThere = false;
  const objects = {
    get: () => (asked++, isThere ? Promise.resolve(null) : Promise.reject(new Error("away"))),
  } as Partial<ObjectStore> as ObjectStore;
  const reached = (now: number) =>
    reachStore(objects, now).then(
      () => true,
      () => false,
    );
  expect(await Promise.all([reached(0), reached(1), reached(reachEveryMs - 1)])).toEqual([false, false, false]);
  expect(asked).toBe(1);
  isThere = true;
  expect([await reached(reachEveryMs), asked]).toEqual([true, 2]);
});

test("a screenshot that waits long in the outbox is no warning", async () => {
  await seenAgo(1, "Chromium 153");
  await setup.db.run(
    "INSERT INTO outbox (job_id, kind, payload, created_at) VALUES (gen_random_uuid(), 'thumbnail', '{}', now() - interval '900 s')",
  );
  expect((await health()).checks.queue).toEqual({ status: "pass" });
});

test("a database that can be read and not written to is a warning that says why", async () => {
  // Its own: a session that began while only reading was possible may stay in the pool.
  const db = await testDatabase();
  const serverUrl = new URL(db.url);
  serverUrl.pathname = "/postgres";
  await seenAgo(1, "Chromium 153", db);
  const name = new URL(db.url).pathname.slice(1);
  const server = new SQL(serverUrl, { max: 1 });
  const watch = watchDatabase({ db, onError: () => undefined, everyMs: 20, retryMs: 20 });
  /** As a failover leaves it: sessions that begin from now on may only read, or write again. */
  async function switchTo(setting: string, expected: DatabaseTrouble | null) {
    await server.unsafe(`ALTER DATABASE ${name} ${setting}`);
    const [now] = await server`SELECT clock_timestamp()::text AS at`;
    do {
      // Again and again: one that was beginning has the old setting and was not listed yet.
      await server`
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = ${name} AND backend_start <= ${now.at}::timestamptz`;
      await Bun.sleep(5);
    } while (watch.trouble() !== expected);
  }
  try {
    while (watch.trouble() !== null) await Bun.sleep(5);
    while ((await db.run("SELECT FROM health_check")).length === 0) await Bun.sleep(5);
    const well = await health(600, emptyQueue, null, { db, databaseTrouble: watch.trouble });
    expect(well.checks.database).toEqual({ status: "pass" });
    await switchTo("SET default_transaction_read_only = on", "read-only");
    const answer = await health(600, emptyQueue, null, { db, databaseTrouble: watch.trouble });
    expect([answer.status, answer.checks.database]).toEqual([
      "warn",
      { status: "warn", detail: "The database is read-only: nothing can be written for now" },
    ]);
    await switchTo("RESET default_transaction_read_only", null);
  } finally {
    await watch.stop();
    await server.close();
    await db.drop();
  }
});

test("a compiler that cannot be started is a warning until one is", async () => {
  await seenAgo(10, "Chromium 153");
  await closeThreads();
  const render = () => runInThread("markdown", packed("x"), { work: work(), cpuMs: 2_000 });
  const spawn = spyOn(Bun, "spawn").mockImplementation(() => {
    throw new Error("out of processes");
  });
  try {
    await expect(render()).rejects.toMatchObject({ code: "busy" });
  } finally {
    spawn.mockRestore();
  }
  expect((await health()).checks.renderer).toEqual({
    status: "warn",
    detail: "no thread can be started: jsx can't be published, markdown is shown as plain text",
  });
  await render();
  expect((await health()).checks.renderer).toEqual({ status: "pass" });
  await closeThreads();
});

test("a disk without room is a warning", async () => {
  await seenAgo(1, "Chromium 153");
  const { status, checks } = await health(600, emptyQueue, null, { hasRoom: () => false });
  expect([status, checks.database.status, checks.database.detail]).toEqual(["warn", "warn", troubleText.full]);
});

const price = { id: "price_1", interval: "month", amount: 900, currency: "eur", product: "prod_1" } as const;
const sold: Offer = { prices: { pro: [price], team: [] }, problems: [], isWrong: false };

/** What health says of selling, by what was read of the prices; Stripe is nowhere. */
async function selling(known: Offer | null, changed: Partial<BillingConfig> = {}) {
  const nowhere = { secretKey: "sk_test_a", webhookSecrets: ["whsec_a"], prices: { pro: {}, team: {} } };
  const billing = openBilling({ ...nowhere, apiBase: "http://127.0.0.1:9", ...changed });
  if (billing === null) throw new Error("it was configured");
  const offer = () => Promise.reject(new Error("health asked Stripe"));
  return (await health(600, emptyQueue, { ...billing, prices: { offer, known: () => known } })).checks.billing;
}

test("of selling plans nothing is said where none are sold, and where they are Stripe is not asked", async () => {
  expect((await health()).checks).not.toHaveProperty("billing");
  for (const known of [sold, null]) expect(await selling(known)).toEqual({ status: "pass" });
});

test("events that are refused and prices that can't be sold are warnings", async () => {
  for (const [known, changed, detail] of [
    [sold, { webhookSecrets: [] }, "STRIPE_WEBHOOK_SECRET is not set: Stripe's events are refused"],
    [{ ...sold, isWrong: true }, {}, "a price that is configured can't be sold; the start's lines say which"],
    [{ ...sold, prices: { pro: [], team: [] } }, {}, "no price is configured: there is nothing to buy"],
  ] as const)
    expect(await selling(known, changed)).toEqual({ status: "warn", detail });
});

test("a customer who was not asked about for hours is a warning, and one whom Stripe deleted is not", async () => {
  const customer = (name: string | null, hours: number) =>
    setup.db.run(
      "INSERT INTO billing_account (workspace_id, customer_id, asked_at) VALUES ($1, $2, now() - make_interval(hours => $3::int))",
      [uuidOf("wsp", newId("wsp")), name, hours],
    );
  await customer("cus_1", 1);
  await customer(null, 100);
  expect(await selling(sold)).toEqual({ status: "pass" });
  await customer("cus_2", 5);
  expect(await selling(sold)).toEqual({
    status: "warn",
    detail: "a customer was not asked about at Stripe for 5 hours",
  });
  await setup.db.run("DELETE FROM billing_account");
});
