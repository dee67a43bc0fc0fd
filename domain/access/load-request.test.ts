// The workspace of an operation on the caller's own workspace, and of one that names another.
import { afterAll, beforeAll, expect, test } from "bun:test";

import { registry } from "@plinth/contract/registry";
import { newId, uuidOf } from "@plinth/db/columns";
import { user } from "@plinth/db/schema/accounts";

import { createSetup, operatorToken, type Setup } from "../test/context.ts";
import { mintToken, tokenHash } from "../tokens/token.ts";
import { targetOf } from "./load-request.ts";

let setup: Setup;
beforeAll(async () => {
  setup = await createSetup();
});
afterAll(() => setup.close());

const operation = registry["billing.get"];

test("it is the one that is named, even by a malformed name, and else that of the credential", () => {
  const workspaceId = newId("wsp");
  const requestFor = (input: Record<string, unknown>) => targetOf(operation, input)?.request;
  expect(requestFor({ workspaceId })).toEqual({ workspace: uuidOf("wsp", workspaceId) });
  for (const malformed of ["", "wsp_nonsense", newId("art")])
    expect(requestFor({ workspaceId: malformed })).toEqual({ workspace: uuidOf("wsp", "wsp_nonsense") });
  // No slug has an underscore, and every identifier has one.
  expect(requestFor({ workspaceId: "acme" })).toEqual({ owner: "acme" });
  expect(requestFor({})).toEqual({});
});

test("a person gets their own, and another workspace of theirs by its identifier", async () => {
  const { userId, workspaceId } = await setup.person();
  const team = await setup.team({ [userId]: "billing_admin" });
  const as = await setup.session(userId);
  expect(await setup.call("billing.get", {}, { as })).toMatchObject({ workspaceId });
  expect(await setup.call("billing.get", { workspaceId: team.workspaceId }, { as })).toMatchObject({
    workspaceId: team.workspaceId,
  });
  expect((await setup.refusal("billing.get", { workspaceId: "" }, { as })).code).toBe("not_found");
});

test("a person without a workspace gets 404, and never another person's workspace", async () => {
  const userId = newId("usr");
  await setup.db.orm.insert(user).values({ userId, email: "new@example.org", emailVerified: true });
  const as = await setup.session(userId);
  for (const name of ["billing.get", "billing.invoices"] as const)
    expect((await setup.refusal(name, {}, { as })).code).toBe("not_found");
});

test("a key is 403 for any workspace, and a caller without a credential or with a share link is 401", async () => {
  const { userId, workspaceId, token } = await setup.person();
  const held = await setup.key(userId, ["artifacts:read"], workspaceId);
  for (const as of [token, held]) expect((await setup.refusal("billing.get", {}, { as })).code).toBe("forbidden");
  const share = { hash: tokenHash(mintToken("share")) };
  for (const manner of [{}, { share }])
    for (const input of [{}, { workspaceId }])
      expect((await setup.refusal("billing.get", input, manner)).code).toBe("unauthenticated");
  expect((await setup.refusal("billing.get", {}, { as: operatorToken })).code).toBe("unauthenticated");
});
