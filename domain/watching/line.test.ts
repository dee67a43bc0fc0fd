// The line between processes, on a real PostgreSQL: who hears what, and that it mends itself.
import { afterAll, beforeAll, expect, test } from "bun:test";

import { testDatabase, type TestDatabase } from "@plinth/db/test/database";

import { openLine, type Line } from "./line.ts";
import { until } from "./testing.ts";

let db: TestDatabase;
beforeAll(async () => void (db = await testDatabase()));
afterAll(() => db.drop());

/** How many connections listen: a line says nothing of it to whoever holds it. */
const listening = async (): Promise<number> => {
  const [row] = await db.run<{ count: number }>(
    `SELECT count(*)::int AS count FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'plinth-events' AND state = 'idle' AND query ~ '^(LISTEN|SELECT pg_notify)'`,
  );
  return row?.count ?? 0;
};

interface Held {
  readonly line: Line;
  readonly heard: string[];
  readonly errors: unknown[];
}

function hold(databaseUrl = db.url): Held {
  const heard: string[] = [];
  const errors: unknown[] = [];
  return {
    heard,
    errors,
    line: openLine({
      databaseUrl,
      hear: (artifactId) => heard.push(artifactId),
      onError: (error) => errors.push(error),
    }),
  };
}

test("what one announces the others hear, itself not, and many things at once are said together", async () => {
  const [one, other] = [hold(), hold()];
  await until(async () => (await listening()) === 2);
  // That it listens is known to PostgreSQL a moment before the line knows, and until then it announces nothing.
  await until(() => {
    one.line.announce("art_probe");
    return other.heard.includes("art_probe");
  });
  const heard = () => other.heard.filter((artifactId) => artifactId !== "art_probe");
  const all = Array.from({ length: 450 }, (_, n) => `art_${String(n).padStart(26, "0")}`);
  for (const artifactId of [...all, ...all]) one.line.announce(artifactId);
  await until(() => heard().length >= all.length);
  other.line.announce("art_last");
  await until(() => one.heard.length > 0);
  expect(one.heard).toEqual(["art_last"]);
  expect(heard()).toEqual(all);
  await Promise.all([one.line.close(), other.line.close()]);
  await until(async () => (await listening()) === 0);
  expect([...one.errors, ...other.errors]).toEqual([]);
});

test("a connection that is lost is said once and made anew", async () => {
  const [one, other] = [hold(), hold()];
  await until(async () => (await listening()) === 2);
  await db.run(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'plinth-events'",
  );
  await until(() => one.errors.length > 0 && other.errors.length > 0);
  // Said to nobody while there is no connection: the sweep is what finds it.
  one.line.announce("art_meanwhile");
  await until(async () => (await listening()) === 2);
  await until(() => {
    one.line.announce("art_after");
    return other.heard.includes("art_after");
  });
  expect([one.errors.length, other.errors.length]).toEqual([1, 1]);
  await Promise.all([one.line.close(), other.line.close()]);
});

test("a database that can't be reached is tried again, and closing waits for nothing", async () => {
  const away = hold("postgresql://nobody@127.0.0.1:1/none");
  await until(() => away.errors.length > 1);
  away.line.announce("art_x");
  await away.line.close();
});
