import { afterAll, beforeAll, expect, test } from "bun:test";

import { newId } from "./columns.ts";
import { sqlState, violatedConstraint } from "./connection.ts";
import { migrate, migrationState, NewerDatabase } from "./migrate.ts";
import { user, workspace } from "./schema/accounts.ts";
import { testDatabase, type TestDatabase } from "./test/database.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.drop());

test("identifiers, times and JSON come back as they went in", async () => {
  const userId = newId("usr");
  const [row] = await db.orm.insert(user).values({ userId, email: "a@b.c", emailVerified: true }).returning();
  expect(row?.userId).toBe(userId);
  expect(row?.createdAt).toBeInstanceOf(Date);
});

test("a statement is planned once for a connection, however unlike what is asked", async () => {
  const settings = await db.run<{ mode: string }>("SELECT current_setting('plan_cache_mode') AS mode");
  expect(settings).toEqual([{ mode: "force_generic_plan" }]);
});

test("a violated constraint is told by state and name", async () => {
  const values = () => ({
    workspaceId: newId("wsp"),
    slug: "same",
    name: "x",
    kind: "team" as const,
    plan: "free" as const,
  });
  await db.orm.insert(workspace).values(values());
  const error = await db.orm
    .insert(workspace)
    .values(values())
    .catch((failure: unknown) => failure);
  expect(sqlState(error)).toBe("23505");
  expect(violatedConstraint(error)).toBe("workspace_slug");
});

test("a transaction that throws leaves nothing, and a nested one joins it", async () => {
  const userId = newId("usr");
  const attempt = db.transaction((outer) =>
    outer.transaction(async (inner) => {
      await inner.orm.insert(user).values({ userId, email: "gone@b.c", emailVerified: true });
      throw new Error("no");
    }),
  );
  expect(attempt).rejects.toThrow("no");
  await attempt.catch(() => null);
  expect(await db.run('SELECT 1 FROM "user" WHERE email = $1', ["gone@b.c"])).toHaveLength(0);
});

test("a nested one that fails leaves the outer one usable", async () => {
  const person = (email: string) => ({ userId: newId("usr"), email, emailVerified: true });
  await db.transaction(async (outer) => {
    await outer.orm.insert(user).values(person("kept@b.c"));
    const failure = await outer
      .transaction((inner) => inner.orm.insert(user).values(person("kept@b.c")))
      .catch((error: unknown) => error);
    expect(violatedConstraint(failure)).toBe("user_email");
    expect(await outer.run('SELECT 1 FROM "user" WHERE email = $1', ["kept@b.c"])).toHaveLength(1);
  });
  expect(await db.run('SELECT 1 FROM "user" WHERE email = $1', ["kept@b.c"])).toHaveLength(1);
});

test("migrating again changes nothing; five at once neither", async () => {
  await Promise.all([1, 2, 3, 4, 5].map(() => migrate(db)));
  const state = await migrationState(db);
  expect(state.applied).toBe(state.known);
});

test("a newer database is refused", async () => {
  await db.pool`INSERT INTO drizzle.__drizzle_migrations (hash, created_at) VALUES ('future', ${Date.now() + 1e12})`;
  expect(migrate(db)).rejects.toBeInstanceOf(NewerDatabase);
  await db.pool`DELETE FROM drizzle.__drizzle_migrations WHERE hash = 'future'`;
});
