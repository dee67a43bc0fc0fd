// The program that last used MCP with each credential.
import { afterAll, beforeAll, expect, test } from "bun:test";

import { uuidOf } from "@plinth/db/columns";

import { createSetup, type Setup } from "../test/context.ts";
import { createMcpUses } from "./mcp-uses.ts";

let setup: Setup;
beforeAll(async () => {
  setup = await createSetup();
});
afterAll(() => setup.close());

test("one flush writes each credential's own program, and nothing of a credential that was not used", async () => {
  const owner = await setup.person();
  const as = await setup.session(owner.userId);
  const keys: string[] = [];
  for (let n = 0; n < 3; n++)
    keys.push((await setup.call("apiKey.create", { name: `key ${n}`, scopes: ["artifacts:read"] }, { as })).apiKeyId);
  const [first = "", second = "", unused = ""] = keys;
  const uses = createMcpUses(setup.db);
  uses.record(first, "editor");
  uses.record(second, "terminal");
  await uses.flush();
  const programOf = async (apiKeyId: string) => {
    const [row] = await setup.db.run<{ program: string | null; used: boolean }>(
      "SELECT mcp_program AS program, mcp_at IS NOT NULL AS used FROM credential WHERE credential_id = $1",
      [uuidOf("key", apiKeyId)],
    );
    return row;
  };
  expect(await programOf(first)).toEqual({ program: "editor", used: true });
  expect(await programOf(second)).toEqual({ program: "terminal", used: true });
  expect(await programOf(unused)).toEqual({ program: null, used: false });
});
