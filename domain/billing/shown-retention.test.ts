// The retention that workspaces show outside of the billing page.
import { afterAll, beforeAll, expect, test } from "bun:test";

import { createSetup, operatorToken, type Setup } from "../test/context.ts";

let setup: Setup;
beforeAll(async () => {
  setup = await createSetup();
});
afterAll(() => setup.close());

test("a workspace shows its current retention: during a notice that of the earlier plan and its end", async () => {
  const { workspaceId, token } = await setup.person({ plan: "team" });
  const retention = async () => (await setup.call("workspace.list", {}, { as: token })).workspaces[0]?.retention;
  const grant = (plan: "free" | "pro") => setup.call("operator.setPlan", { workspaceId, plan }, { as: operatorToken });
  expect(await retention()).toEqual({ versionDays: 365, auditDays: 365, until: null });
  await grant("free");
  const noticed = await retention();
  expect(noticed).toMatchObject({ versionDays: 365, auditDays: 365 });
  expect(Date.parse(noticed?.until ?? "")).toBeGreaterThan(Date.now() + 6 * 86_400_000);
  await setup.db.run(
    "UPDATE workspace SET plan_kept_until = now() - interval '1 second' WHERE plan_kept_until IS NOT NULL",
  );
  expect(await retention()).toEqual({ versionDays: 30, auditDays: 7, until: null });
});
