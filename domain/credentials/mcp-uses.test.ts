// Which program last spoke MCP with which credential.
import { afterAll, beforeAll, expect, test } from "bun:test";

import { uuidOf } from "@plinth/db/columns";

import { createWorld, type World } from "../test/context.ts";
import { createMcpUses } from "./mcp-uses.ts";

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

test("one flush writes each credential's own program, and nothing of a credential that was not used", async () => {
  const owner = await world.person();
  const as = await world.session(owner.userId);
  const keys: string[] = [];
  for (let n = 0; n < 3; n++)
    keys.push((await world.call("apiKey.create", { name: `key ${n}`, scopes: ["artifacts:read"] }, { as })).apiKeyId);
  const [first = "", second = "", unused = ""] = keys;
  const uses = createMcpUses(world.db);
  uses.note(first, "editor");
  uses.note(second, "terminal");
  await uses.flush();
  const programOf = async (apiKeyId: string) => {
    const [row] = await world.db.run<{ program: string | null; used: boolean }>(
      "SELECT mcp_program AS program, mcp_at IS NOT NULL AS used FROM credential WHERE credential_id = $1",
      [uuidOf("key", apiKeyId)],
    );
    return row;
  };
  expect(await programOf(first)).toEqual({ program: "editor", used: true });
  expect(await programOf(second)).toEqual({ program: "terminal", used: true });
  expect(await programOf(unused)).toEqual({ program: null, used: false });
});
