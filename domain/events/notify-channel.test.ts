// The notify channel between processes, on a real PostgreSQL: which processes receive a change, and reconnects.
import { afterAll, beforeAll, expect, test } from "bun:test";

import { testDatabase, type TestDatabase } from "@plinth/db/test/database";

import { openNotifyChannel, type NotifyChannel } from "./notify-channel.ts";
import { until } from "./test/listener.ts";

let db: TestDatabase;
beforeAll(async () => void (db = await testDatabase()));
afterAll(() => db.drop());

/** The number of connections that listen; the channel does not report it. */
const listening = async (): Promise<number> => {
  const [row] = await db.run<{ count: number }>(
    `SELECT count(*)::int AS count FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'plinth-events' AND state = 'idle' AND query ~ '^(LISTEN|SELECT pg_notify)'`,
  );
  return row?.count ?? 0;
};

interface Opened {
  readonly channel: NotifyChannel;
  readonly received: string[];
  readonly errors: unknown[];
}

function open(databaseUrl = db.url): Opened {
  const received: string[] = [];
  const errors: unknown[] = [];
  return {
    received,
    errors,
    channel: openNotifyChannel({
      databaseUrl,
      onChange: (artifactId) => received.push(artifactId),
      onError: (error) => errors.push(error),
    }),
  };
}

test("a change reaches the other processes but not its own, and many changes are sent together", async () => {
  const [one, other] = [open(), open()];
  await until(async () => (await listening()) === 2);
  // PostgreSQL knows of the listener before the channel does, which sends nothing until then.
  await until(() => {
    one.channel.publishChange("art_probe");
    return other.received.includes("art_probe");
  });
  const received = () => other.received.filter((artifactId) => artifactId !== "art_probe");
  const all = Array.from({ length: 450 }, (_, n) => `art_${String(n).padStart(26, "0")}`);
  for (const artifactId of [...all, ...all]) one.channel.publishChange(artifactId);
  await until(() => received().length >= all.length);
  other.channel.publishChange("art_last");
  await until(() => one.received.length > 0);
  expect(one.received).toEqual(["art_last"]);
  expect(received()).toEqual(all);
  await Promise.all([one.channel.close(), other.channel.close()]);
  await until(async () => (await listening()) === 0);
  expect([...one.errors, ...other.errors]).toEqual([]);
});

test("a lost connection is reported once and opened again", async () => {
  const [one, other] = [open(), open()];
  await until(async () => (await listening()) === 2);
  await db.run(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'plinth-events'",
  );
  await until(() => one.errors.length > 0 && other.errors.length > 0);
  // Without a connection no process is told; there the sweep finds the change.
  one.channel.publishChange("art_meanwhile");
  await until(async () => (await listening()) === 2);
  await until(() => {
    one.channel.publishChange("art_after");
    return other.received.includes("art_after");
  });
  expect([one.errors.length, other.errors.length]).toEqual([1, 1]);
  await Promise.all([one.channel.close(), other.channel.close()]);
});

test("a database that can't be reached is tried again, and closing waits for nothing", async () => {
  const away = open("postgresql://nobody@127.0.0.1:1/none");
  await until(() => away.errors.length > 1);
  away.channel.publishChange("art_x");
  await away.channel.close();
});
