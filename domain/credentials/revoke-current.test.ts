// A token that ends itself: which may, that it holds at once, and that it takes with it what was made with it.
import { afterAll, expect, test } from "bun:test";

import { type Caller } from "../test/context.ts";
import { connectClient, connectCommandLine } from "./test/clients.ts";
import { createOwner } from "./test/owner.ts";

const { setup, owner, session } = await createOwner();
afterAll(() => setup.close());

/** Why the caller is not authenticated; null where it is. */
const refusal = (as: Caller) =>
  setup.call("profile.get", {}, { as }).then(
    () => null,
    (error: { code: string }) => error.code,
  );

test("a login without agents:manage ends itself, and its connection stays", async () => {
  const { caller, agentId } = await connectCommandLine(setup, owner.userId, { scopes: ["artifacts:read"] });
  const login = await setup.call("agent.exchangeLogin", { name: "laptop" }, { as: caller });
  const other = await setup.session(owner.userId);
  expect(await refusal(login.token ?? "")).toBeNull();
  expect(await setup.call("agent.revokeCurrent", {}, { as: login.token ?? "" })).toEqual({});
  expect(await refusal(login.token ?? "")).toBe("unauthenticated");
  expect(await setup.refusal("agent.revokeCurrent", {}, { as: login.token ?? "" })).toMatchObject({
    code: "unauthenticated",
  });
  const { agents } = await setup.call("agent.list", { limit: 100 }, { as: other });
  const left = agents.map((agent) => agent.agentId);
  expect(left).toContain(agentId);
  expect(left).not.toContain(login.agentId);
});

test("an agent takes with it what it made", async () => {
  const wanted = { name: "first", scopes: ["artifacts:read" as const, "agents:manage" as const] };
  const { token: first = "" } = await setup.call("agent.create", wanted, { as: session });
  const { token: second = "" } = await setup.call("agent.create", { ...wanted, name: "second" }, { as: first });
  await setup.call("agent.revokeCurrent", {}, { as: first });
  expect([await refusal(first), await refusal(second)]).toEqual(["unauthenticated", "unauthenticated"]);
});

test("a connected client disconnects itself", async () => {
  const { caller } = await connectClient(setup, owner.userId);
  await setup.call("agent.revokeCurrent", {}, { as: caller });
  expect(await refusal(caller)).toBe("unauthenticated");
});

test("refuses a key and a session, which have other operations, and both keep working", async () => {
  const key = await setup.key(owner.userId, ["artifacts:read", "agents:manage"]);
  for (const as of [key, session]) {
    expect(await setup.refusal("agent.revokeCurrent", {}, { as })).toMatchObject({ code: "forbidden" });
    expect(await refusal(as)).toBeNull();
  }
});
