// An instance on an operator's PostgreSQL: shared by several, migrated once, and refused if it cannot be right.
import { expect, setDefaultTimeout, test } from "bun:test";
import { rm } from "node:fs/promises";

import { ownDatabase, scaledOut } from "./harness/database.ts";
import { jsonOf, send } from "./harness/http.ts";
import { startInstance } from "./harness/instance.ts";
import { createArtifact, createPerson, createProject } from "./harness/people.ts";
import { hung, refusal, temporaryFolder } from "./harness/process.ts";

setDefaultTimeout(2 * hung);

test("with DATABASE_URL two instances share one PostgreSQL, and migrating twice changes nothing", async () => {
  const database = await ownDatabase();
  const env = scaledOut(database.url);
  // Started together: the lock on migrations decides who migrates.
  const [first, second] = await Promise.all([startInstance({ env }), startInstance({ env })]);
  try {
    const person = await createPerson(first);
    const project = await createProject(person);
    const artifact = await createArtifact(person, project.slug);
    const seen = jsonOf<{ artifactId: string }>(
      await send(`${second.origin}/api/by-path/${person.username}/${project.slug}/${artifact.slug}`),
    );
    expect(seen.artifactId).toBe(artifact.artifactId);
  } finally {
    await Promise.all([first.stop(), second.stop()]);
  }
  await database.drop();
});

test("a database that a newer program migrated is refused in one line", async () => {
  const database = await ownDatabase();
  const env = scaledOut(database.url);
  await (await startInstance({ env })).stop();
  await database.sql`INSERT INTO drizzle.__drizzle_migrations (hash, created_at) VALUES ('from the future', ${Date.now() + 1e12})`;
  const folder = await temporaryFolder("newer");
  const { status, lines } = await refusal(folder, env);
  expect(status).not.toBe(0);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/newer/i);
  await rm(folder, { recursive: true });
  await database.drop();
});

test("without SECRET and OPERATOR_TOKEN a shared database is refused in one line", async () => {
  const database = await ownDatabase();
  const folder = await temporaryFolder("no-secret");
  const { status, lines } = await refusal(folder, { DATABASE_URL: database.url });
  expect(status).not.toBe(0);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/SECRET|OPERATOR_TOKEN/);
  await rm(folder, { recursive: true });
  await database.drop();
});
