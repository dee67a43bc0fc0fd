// Waits for a database that has not started yet, but not for one that will never accept the login.
import { expect, test } from "bun:test";
import { createConnection, createServer } from "node:net";

import { connect } from "@plinth/db/connection";
import { reservePort } from "@plinth/support/reserved-port";

import { awaitDatabase } from "./await-database.ts";

/** An error as the drivers throw it, with the SQLSTATE in `errno`. */
const failure = (message: string, errno?: string) => Object.assign(new Error(message), { errno });
const soon = { everyMs: 1, atMostMs: 60_000 };

/** Fails with each given error in order, then returns a row. */
function answering(...failures: Error[]) {
  return {
    run: async () => {
      const next = failures.shift();
      if (next !== undefined) throw next;
      return [];
    },
  };
}

test("a database that comes up is waited for, and that is said once", async () => {
  const said: string[] = [];
  const starting = [failure("Connection\nclosed"), failure("the database system is starting up", "57P03")];
  await awaitDatabase(
    answering(...starting, failure("too many", "53300")),
    "PostgreSQL at db",
    (line) => said.push(line),
    soon,
  );
  expect(said).toEqual(["Waiting for PostgreSQL at db: Connection closed", "PostgreSQL at db answers."]);
});

test("one that answers at once is no news", async () => {
  await awaitDatabase(answering(), "PostgreSQL at db", () => expect.unreachable(), soon);
});

test("what waiting does not mend is said at once", async () => {
  for (const [message, state] of [
    ["password authentication failed", "28P01"],
    ['database "plinth" does not exist', "3D000"],
  ] as const) {
    const reached = awaitDatabase(
      answering(failure(message, state)),
      "PostgreSQL at db",
      () => expect.unreachable(),
      soon,
    );
    await expect(reached).rejects.toThrow(`PostgreSQL at db refuses: ${message}`);
  }
});

test("the wait ends at its timeout, with the reason", async () => {
  const never = { run: () => Promise.reject(failure("Connection closed")) };
  const reached = awaitDatabase(never, "PostgreSQL at db", () => undefined, { everyMs: 1, atMostMs: 5 });
  await expect(reached).rejects.toThrow(/^PostgreSQL at db did not answer within .* s: Connection closed$/);
});

test("a pool whose first connections failed connects once the server is up", async () => {
  const port = reservePort();
  const server = new URL(process.env["TEST_DATABASE_URL"] ?? "");
  const { username, password, pathname } = server;
  const socket = `${server.searchParams.get("host")}/.s.PGSQL.${server.port}`;
  const connection = connect({ url: `postgres://${username}:${password}@127.0.0.1:${port}${pathname}` });
  const waiting = Promise.withResolvers<string>();
  const reached = awaitDatabase(connection, "PostgreSQL", waiting.resolve, { everyMs: 50, atMostMs: 60_000 });
  expect(await waiting.promise).toStartWith("Waiting for PostgreSQL: ");
  const line = createServer((client) => {
    const database = createConnection(socket);
    client.pipe(database).pipe(client);
    client.on("error", () => database.destroy());
    database.on("error", () => client.destroy());
  });
  await new Promise<void>((resolve) => void line.listen(port, "127.0.0.1", resolve));
  await reached;
  await connection.close();
  line.close();
});
