// Former names of workspaces are removed when the time that they lead on is over.
import { afterAll, beforeAll, expect, test } from "bun:test";

import { uuidOf } from "@plinth/db/columns";

import { createWorld, type World } from "../test/context.ts";
import { purge } from "./purge.ts";

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

test("purging removes the former names that have expired and keeps the others", async () => {
  const { workspaceId } = await world.person();
  await world.db.run(
    `INSERT INTO former_name (slug, workspace_id, until) VALUES
       ('expired-name', $1, now() - interval '1 second'), ('valid-name', $1, now() + interval '1 hour')`,
    [uuidOf("wsp", workspaceId)],
  );
  await purge(world.db, "former-names");
  const [kept, ...others] = await world.db.run<{ slug: string }>("SELECT slug FROM former_name");
  expect([kept?.slug, others.length]).toEqual(["valid-name", 0]);
});
