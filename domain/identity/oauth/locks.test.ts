// Clients that are connected while another transaction connects or disconnects them.
import { afterAll, beforeAll, expect, test } from "bun:test";

import type { Scope } from "@plinth/contract/scopes";
import { uuidOf } from "@plinth/db/columns";
import { holdTransaction, type HeldTransaction } from "@plinth/db/test/locks";

import { connectClient } from "../../credentials/test/clients.ts";
import { createSetup, type TestPerson, type Setup } from "../../test/context.ts";
import { findClient } from "./clients.ts";
import { connect } from "./connection.ts";

let setup: Setup;
let owner: TestPerson;
beforeAll(async () => {
  setup = await createSetup();
  owner = await setup.person();
});
afterAll(() => setup.close());

/** What `connect` for `artifacts:create` leaves after it waited for a transaction: the scopes of each live credential. */
async function afterWaiting(clientId: string, other: (held: HeldTransaction) => Promise<() => Promise<unknown>>) {
  const { userId, workspaceId } = owner;
  const client = await findClient(setup.db, clientId);
  if (client === null) throw new Error("there is no client");
  const scopes: Scope[] = ["artifacts:create"];
  const actor = { type: "user", id: userId, label: "someone" } as const;
  await holdTransaction(setup.db.url, async (held) => {
    const goOn = await other(held);
    const connecting = setup.db
      .transaction((db) =>
        connect(
          db,
          { actor, surface: "api", requestId: "req-test-locks" },
          { userId, personalWorkspaceId: workspaceId, client, scopes },
        ),
      )
      .then(
        () => "done",
        (error: Error) => error.message,
      );
    await held.untilWaitedFor(connecting);
    await goOn();
    await held.commit();
    expect(await connecting).toBe("done");
  });
  const live = await setup.db.run<{ scopes: string[] }>(
    "SELECT scopes FROM credential WHERE client_id = $1 AND user_id = $2 AND revoked_at IS NULL",
    [clientId, uuidOf("usr", userId)],
  );
  return live.map(({ scopes: held }) => held.toSorted());
}

test("two connections of one client at once: the second one waits and widens the first one", async () => {
  const { clientId } = await connectClient(setup, owner.userId, { scopes: ["artifacts:read"] });
  await setup.db.run("UPDATE credential SET revoked_at = now() WHERE client_id = $1", [clientId]);
  const live = await afterWaiting(clientId, async (held) => {
    await held.run(
      `INSERT INTO credential (credential_id, kind, name, client_id, scopes, user_id, created_by)
       SELECT $2, kind, name, client_id, scopes, user_id, created_by FROM credential WHERE client_id = $1`,
      [clientId, Bun.randomUUIDv7()],
    );
    return async () => undefined;
  });
  expect(live).toEqual([["artifacts:create", "artifacts:read"]]);
});

test("a client that is disconnected while it is connected again gets a new connection", async () => {
  const { clientId } = await connectClient(setup, owner.userId, { scopes: ["artifacts:read"] });
  const live = await afterWaiting(clientId, async (held) => {
    // As revoking does: the lock first.
    await held.run("SELECT FROM credential WHERE client_id = $1 FOR UPDATE", [clientId]);
    return () => held.run("UPDATE credential SET revoked_at = now() WHERE client_id = $1", [clientId]);
  });
  expect(live).toEqual([["artifacts:create"]]);
});
