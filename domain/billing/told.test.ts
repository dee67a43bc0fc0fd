// What others than the billing page are told of a plan: whether one may open billing, and for how long is kept now.
import { afterAll, beforeAll, expect, test } from "bun:test";

import { workspaceRoles } from "@plinth/contract/roles";

import { tokenHash } from "../credentials/token.ts";
import { createWorld, operatorToken, type Manner, type World } from "../testing.ts";

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

test("an artifact says that one may open its workspace's billing to whom that opens, and to nobody else", async () => {
  const owner = await world.person();
  const { slug } = await world.project(owner.token);
  const { artifactId } = await world.publish(owner.token, slug);
  const { token } = await world.call("shareLink.create", { artifactId, role: "editor" }, { as: owner.token });
  const says = async (manner: Manner) =>
    (await world.call("artifact.get", { artifactId }, manner)).permissions.billing ?? false;
  const opens = (manner: Manner) =>
    world.answer("billing.get", { workspaceId: owner.workspaceId }, manner).then(
      () => true,
      () => false,
    );
  const callers: Manner[] = [{}, { as: owner.token }, { as: await world.session(owner.userId) }];
  for (const role of workspaceRoles) {
    const { userId } = await world.person();
    await world.call("operator.setMember", { workspaceId: owner.workspaceId, userId, role }, { as: operatorToken });
    callers.push({ as: await world.session(userId) });
  }
  const stranger = await world.person();
  callers.push({ as: await world.session(stranger.userId), share: { hash: tokenHash(token ?? "") } });
  const said = await Promise.all(callers.map(says));
  expect(said).toEqual(await Promise.all(callers.map(opens)));
  // Its owner in a browser, an admin and whoever looks after billing.
  expect(said.filter(Boolean)).toHaveLength(3);
});

test("a workspace says for how long is kept now, during a notice by the plan before and until when", async () => {
  const { workspaceId, token } = await world.person({ plan: "team" });
  const retention = async () => (await world.call("workspace.list", {}, { as: token })).workspaces[0]?.retention;
  const grant = (plan: "free" | "pro") => world.call("operator.setPlan", { workspaceId, plan }, { as: operatorToken });
  expect(await retention()).toEqual({ versionDays: 365, auditDays: 365, until: null });
  await grant("free");
  const noticed = await retention();
  expect(noticed).toMatchObject({ versionDays: 365, auditDays: 365 });
  expect(Date.parse(noticed?.until ?? "")).toBeGreaterThan(Date.now() + 6 * 86_400_000);
  await world.db.run(
    "UPDATE workspace SET plan_kept_until = now() - interval '1 second' WHERE plan_kept_until IS NOT NULL",
  );
  expect(await retention()).toEqual({ versionDays: 30, auditDays: 7, until: null });
});
