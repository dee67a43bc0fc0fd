// Leases between processes, on a real PostgreSQL: a change reaches the memory of the others before its write is answered.
import { afterAll, beforeAll, expect, test } from "bun:test";

import { Client } from "pg";
import { testDatabase, type TestDatabase } from "@plinth/db/test/database";

import { until } from "../events/test/listener.ts";
import { openLeases, type OpenLeases } from "./lease-connection.ts";
import { times } from "./protocol.ts";

let db: TestDatabase;
beforeAll(async () => void (db = await testDatabase()));
afterAll(() => db.drop());

const open = (errors: unknown[] = []): OpenLeases<string> =>
  openLeases({ databaseUrl: db.url, db, holds: true, onError: (error) => errors.push(error) });

const holders = (): Promise<{ holder: string; ended: boolean }[]> => db.run("SELECT holder, ended FROM lease_holder");

/** Reads a row as the loader does. */
function remember({ memory }: OpenLeases<string>, artifactId: string, row: string): boolean {
  const reading = memory.begin();
  reading?.keep(artifactId, { artifactId, row, versions: "1", weight: 100 });
  reading?.end();
  return reading !== null;
}

test("a change is forgotten by every process before its write is answered, and nothing else is", async () => {
  const [writer, other] = [open(), open()];
  // Again where the machine was so busy that a lease has ended.
  await until(async () => {
    for (const one of [writer, other])
      await until(() => remember(one, "art_changed", "old") && remember(one, "art_other", "same"));
    await writer.tell(["art_changed"]);
    for (const { memory } of [writer, other]) expect(memory.find("art_changed")).toBeNull();
    return [writer, other].every(({ memory }) => memory.find("art_other") === "same");
  });
  await other.tell(null);
  for (const { memory } of [writer, other]) expect(memory.size()).toBe(0);
  await Promise.all([writer.close(), other.close()]);
  expect(await holders()).toEqual([]);
});

test("a process answers nothing from memory once its connection is lost, and holds another lease afterwards", async () => {
  const errors: unknown[] = [];
  const one = open(errors);
  await until(() => remember(one, "art_a", "row"));
  const [before] = await holders();
  await db.run(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'plinth-leases' AND datname = current_database()",
  );
  await until(() => one.memory.find("art_a") === null);
  // No other process holds a lease, so the write waits for nothing.
  await one.tell(["art_a"]);
  await until(() => remember(one, "art_a", "row"));
  const after = await holders();
  expect(after).toHaveLength(1);
  expect(after[0]?.holder).not.toBe(before?.holder);
  expect(errors).toHaveLength(1);
  await one.close();
});

test("a holder that does not confirm is waited for, then removed", async () => {
  const silent = Bun.randomUUIDv7();
  await db.run("INSERT INTO lease_holder (holder, protocol, waits_ms) VALUES ($1, 1, $2)", [silent, times.waits]);
  const writer = open();
  await until(() => remember(writer, "art_a", "row"));
  const begunAt = performance.now();
  await writer.tell(["art_a"]);
  expect(performance.now() - begunAt).toBeGreaterThanOrEqual(times.waits - 1);
  await until(async () => (await holders()).every(({ holder }) => holder !== silent));
  await writer.close();
});

test("a holder of another version is waited for, and stays", async () => {
  const later = Bun.randomUUIDv7();
  await db.run("INSERT INTO lease_holder (holder, protocol, waits_ms) VALUES ($1, 2, $2)", [later, times.waits + 500]);
  const writer = open();
  await until(() => remember(writer, "art_a", "row"));
  const begunAt = performance.now();
  await writer.tell(["art_a"]);
  expect(performance.now() - begunAt).toBeGreaterThanOrEqual(times.waits + 499);
  expect(await holders()).toContainEqual({ holder: later, ended: false });
  await db.run("DELETE FROM lease_holder WHERE holder = $1", [later]);
  await writer.close();
});

test("three processes: a write notifies each of the others once, and each confirms once", async () => {
  const all = [open(), open(), open()];
  const channelOf = (holder: string) => `plinth_lease_${holder.replaceAll("-", "")}`;
  const held = async () =>
    (await holders())
      .map(({ holder }) => holder)
      .toSorted()
      .join();
  // Again where the machine was so busy that a lease has ended.
  await until(async () => {
    for (const one of all) await until(() => remember(one, "art_a", "row"));
    const before = await held();
    /** The messages that are about something, and all confirmations, as they are on the channels. */
    const messages: string[] = [];
    const confirmed: string[] = [];
    const listener = new Client({ connectionString: db.url });
    await listener.connect();
    let marked = Promise.withResolvers<void>();
    listener.on("notification", ({ channel, payload = "" }) => {
      if (channel === "marker") return marked.resolve();
      if (channel !== "plinth_lease") return void confirmed.push(`${channel} ${payload}`);
      const message = JSON.parse(payload) as { writer: string; number: number; artifactIds: string[] };
      if (message.artifactIds.length > 0) messages.push(`${channelOf(message.writer)} ${message.number} `);
    });
    for (const { holder } of await holders()) await listener.query(`LISTEN ${channelOf(holder)}`);
    await listener.query("LISTEN plinth_lease; LISTEN marker");
    /** Notifications arrive in the order of their commits. */
    const received = async () => {
      marked = Promise.withResolvers();
      await listener.query("NOTIFY marker");
      await marked.promise;
    };
    await all[0]?.tell(["art_a"]);
    await received();
    const ofOneWrite = messages.length;
    // Writes of the same moment share a message: there are as many as processes, and not as writes.
    await Promise.all(all.flatMap((one) => Array.from({ length: 30 }, (_, n) => one.tell([`art_${n}`]))));
    await received();
    await listener.end();
    const confirmationsOf = (message: string) => confirmed.filter((one) => one.startsWith(message));
    if ((await held()) !== before || messages.some((one) => confirmationsOf(one).length < 2)) return false;
    expect(ofOneWrite).toBe(1);
    expect(messages.length).toBeLessThanOrEqual(1 + 2 * all.length);
    for (const message of messages) {
      expect(confirmationsOf(message)).toHaveLength(2);
      expect(new Set(confirmationsOf(message)).size).toBe(2);
    }
    return true;
  });
  await Promise.all(all.map((one) => one.close()));
});

test("a process that only writes holds no lease", async () => {
  const tool = openLeases<string>({ databaseUrl: db.url, db, holds: false, onError: () => undefined });
  const other = open();
  await until(() => remember(other, "art_a", "row"));
  await tool.tell(["art_a"]);
  expect(other.memory.find("art_a")).toBeNull();
  expect(remember(tool, "art_a", "row")).toBe(false);
  expect(await holders()).toHaveLength(1);
  await Promise.all([tool.close(), other.close()]);
});

test("a process without its connection asks the pool, and waits only where another process holds a lease", async () => {
  let asked = 0;
  const counting: Pick<TestDatabase, "run"> = {
    run(statement, parameters) {
      asked++;
      return db.run(statement, parameters);
    },
  };
  const databaseUrl = "postgresql://nobody@127.0.0.1:1/none";
  const away = openLeases<string>({ databaseUrl, db: counting, holds: true, onError: () => undefined });
  expect(remember(away, "art_a", "row")).toBe(false);
  await away.tell(["art_a"]);
  expect(asked).toBe(1);
  const other = open();
  await until(() => remember(other, "art_a", "row"));
  const begunAt = performance.now();
  await away.tell(["art_a"]);
  expect(performance.now() - begunAt).toBeGreaterThanOrEqual(times.waits - 1);
  await Promise.all([away.close(), other.close()]);
});
