// The rows that the authorization server needs before its first request.
import { afterAll, beforeAll, expect, test } from "bun:test";

import { commandLineClient } from "@plinth/contract/oauth";

import { createSetup, type Setup } from "../../test/context.ts";
import { acceptedResources, prepareRows } from "./clients.ts";

let setup: Setup;
beforeAll(async () => {
  setup = await createSetup();
});
afterAll(() => setup.close());

test("prepareRows: the command line's client as this program knows it, and the resources of the current URL alone", async () => {
  for (const publicUrl of ["https://old.example", "https://new.example"]) {
    await prepareRows(setup.db, publicUrl);
    const rows = await setup.db.run<{ identifier: string }>("SELECT identifier FROM oauth_resource");
    expect(rows.map(({ identifier }) => identifier).toSorted()).toEqual(acceptedResources(publicUrl).toSorted());
    const clients = await setup.db.run<{ name: string; disabled: boolean | null }>(
      "SELECT name, disabled FROM oauth_client WHERE client_id = $1",
      [commandLineClient.clientId],
    );
    expect([...clients]).toEqual([{ name: commandLineClient.name, disabled: null }]);
    await setup.db.run("UPDATE oauth_client SET name = 'Changed', disabled = true");
  }
});
