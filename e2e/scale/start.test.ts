// Starts of processes: with missing requirements, before their database runs, and simultaneously.
import { expect, setDefaultTimeout, test } from "bun:test";
import { reservePort } from "@plinth/support/reserved-port";

import { lineTo, ownDatabase, scaledOut } from "../harness/database.ts";
import { cleanEnvironment, hung, withinHung } from "../harness/process.ts";
import { answers, begin, endAll, orKill, untilReady } from "./shape.ts";

setDefaultTimeout(2 * hung);

const run = (kind: string, env: Readonly<Record<string, string>>) =>
  begin(kind, [process.execPath, "scripts/start.ts", kind], { ...cleanEnvironment(), ...env });

test("each refuses in one line to begin without what it needs", async () => {
  for (const [kind, line] of [
    ["api", "plinth: DATABASE_URL must be set for `bun run api`"],
    ["worker", "plinth: DATABASE_URL must be set for `bun run worker`"],
    ["web", "plinth: API_ORIGIN must be set for `bun run web`"],
  ] as const) {
    const { child } = run(kind, {});
    const status = await withinHung(child.process.exited, () => `${kind} began after all`);
    // Lines of a build can come before it.
    expect([status, child.stderr().trim().split("\n").at(-1)]).toEqual([1, line]);
  }
});

test("processes that begin before their database wait for it, say so once, and migrate it once", async () => {
  const database = await ownDatabase();
  const line = await lineTo(database.url);
  line.cut();
  const env = { ...scaledOut(line.url), PUBLIC_URL: "http://127.0.0.1:1" };
  const ports = [reservePort(), reservePort()];
  const apis = ports.map((port) => run("api", { ...env, PORT: String(port) }));
  const members = [...apis, run("worker", env)];
  const waits = ({ child }: (typeof members)[number]) => child.stderr().split("Waiting for PostgreSQL at ").length - 1;
  await orKill(() => members, Promise.all(members.map((member) => untilReady(member, () => waits(member) === 1))));
  line.mend();
  const ready = members.map((member, n) =>
    untilReady(member, () =>
      n < 2 ? answers(`http://127.0.0.1:${ports[n]}/api/health`) : member.child.stderr().includes("worker ready"),
    ),
  );
  await orKill(() => members, Promise.all(ready));
  expect(members.map(waits)).toEqual([1, 1, 1]);
  for (const { child } of members) expect(child.stderr()).toContain(" answers.");
  const [row] =
    await database.sql`SELECT count(*)::int AS n, count(DISTINCT hash)::int AS different FROM drizzle.__drizzle_migrations`;
  expect((row as { n: number }).n).toBe((row as { different: number }).different);
  const [owners] = await database.sql`SELECT count(*)::int AS n FROM "user"`;
  expect((owners as { n: number }).n).toBe(1);
  await endAll(members);
  line.close();
  await database.drop();
});

test("a forbidden address of this machine stays forbidden, in a container too", async () => {
  const { child } = run("api", {
    ...scaledOut("postgres://127.0.0.1:1/plinth"),
    PUBLIC_URL: "https://plinth.example.com",
    HOST: "0.0.0.0",
  });
  expect(await withinHung(child.process.exited, () => "it began after all")).toBe(1);
  expect(child.stderr().trim()).toMatch(/^plinth: HOST must be [^\n]*ALLOW_LOCAL_LOGIN=1[^\n]*$/);
});
