// Event streams of whole instances: from one process to another, through the web app's proxy, and to the end.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";

import { ownDatabase, scaledOut, type OwnDatabase } from "./harness/database.ts";
import { openEvents, until } from "./harness/events.ts";
import { startInstance, type Instance } from "./harness/instance.ts";
import { createArtifact, createPerson, createProject, signIn, type Person } from "./harness/people.ts";
import { hung } from "./harness/process.ts";
import { startWeb } from "./harness/web.ts";

setDefaultTimeout(2 * hung);

let database: OwnDatabase;
let one: Instance;
let other: Instance;
let person: Person;
let projectSlug: string;

beforeAll(async () => {
  database = await ownDatabase();
  const env = scaledOut(database.url);
  [one, other] = await Promise.all([startInstance({ env }), startInstance({ env })]);
  person = await createPerson(one);
  projectSlug = (await createProject(person)).slug;
});
afterAll(async () => {
  await Promise.all([one.stop(), other.stop()]);
  await database.drop();
});

/** The number of processes that listen to the others' events. */
const listening = async (): Promise<number> => {
  const [row] = await database.sql`SELECT count(*)::int AS count FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'plinth-events'
      AND state = 'idle' AND query ~ '^(LISTEN|SELECT pg_notify)'`;
  return (row as { count: number }).count;
};

test("a version published by one process is received from another, with and without their channel", async () => {
  const { artifactId } = await createArtifact(person, projectSlug);
  const publish = () => person.client.call("version.create", { artifactId, content: "x", changelog: "A change" });
  await until(async () => (await listening()) === 2);
  const [here, there] = await Promise.all([openEvents(one.origin, artifactId), openEvents(other.origin, artifactId)]);
  const { createdAt } = await publish();
  const data = { artifactId, versionNumber: 2, changelog: "A change", createdAt };
  for (const stream of [here, there]) {
    await until(() => stream.events.length === 1);
    expect(stream.events).toEqual([{ event: "version", data, id: "2.1" }]);
  }

  await database.sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'plinth-events'`;
  await publish();
  await until(() => there.events.length === 2);
  await until(async () => (await listening()) === 2);
  await publish();
  await until(() => here.events.length === 3 && there.events.length === 3);
  expect(there.events.map(({ id }) => id)).toEqual(["2.1", "3.1", "4.1"]);

  // A reader whose connection was lost continues at another process from the same position.
  here.close();
  await publish();
  const again = await openEvents(other.origin, artifactId, { headers: { "last-event-id": here.lastEventId ?? "" } });
  await until(() => again.events.length === 1);
  expect(again.events.map(({ id }) => id)).toEqual(["5.1"]);

  await person.client.call("artifact.delete", { artifactId });
  await Promise.all([there.ended, again.ended]);
  expect([there, again].map(({ events }) => events.at(-1)?.event)).toEqual(["deleted", "deleted"]);
});

test("a stream holds no connection of the database", async () => {
  const { artifactId } = await createArtifact(person, projectSlug);
  const session = await signIn(one, person.userId);
  const streams = await Promise.all(
    Array.from({ length: 30 }, (_, n) => openEvents(one.origin, artifactId, n % 2 === 0 ? { token: session } : {})),
  );
  await person.client.call("version.create", { artifactId, content: "x" });
  await until(() => streams.every(({ events }) => events.length === 1));
  // Jobs of the new version have transactions for a moment; one of a stream would last as long as the stream.
  await until(async () => {
    const [row] = await database.sql`SELECT count(*)::int AS count FROM pg_stat_activity
      WHERE datname = current_database() AND state LIKE 'idle in transaction%'`;
    return (row as { count: number }).count === 0;
  });
  for (const stream of streams) stream.close();
});

test("through a web app in a separate process: the same stream, and its end", async () => {
  const web = await startWeb(one.origin);
  try {
    const { artifactId } = await createArtifact(person, projectSlug);
    const stream = await openEvents(web.origin, artifactId);
    expect([stream.status, stream.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
    await person.client.call("version.create", { artifactId, content: "x" });
    await until(() => stream.events.length === 1);
    await person.client.call("artifact.delete", { artifactId });
    await stream.ended;
    expect(stream.events.map(({ event }) => event)).toEqual(["version", "deleted"]);
  } finally {
    await web.stop();
  }
});

test("an instance that is told to end ends its streams and does not wait for them", async () => {
  const ending = await startInstance({ env: scaledOut(database.url) });
  const { artifactId } = await createArtifact(person, projectSlug);
  const streams = await Promise.all(Array.from({ length: 10 }, () => openEvents(ending.origin, artifactId)));
  const started = performance.now();
  expect(await ending.stop()).toBe(0);
  await Promise.all(streams.map(({ ended }) => ended));
  // It would wait eight seconds for a request in progress.
  console.info(`ended within ${Math.round(performance.now() - started)} ms`);
  expect(streams.flatMap(({ events }) => events)).toEqual([]);
});
