import { afterEach, beforeEach, expect, test } from "bun:test";

import type { IdentityConfig } from "../config.ts";
import { createSetup, type Setup } from "../test/context.ts";
import { createOwnerLink, ownsInstance, settleOwner } from "./owner.ts";
import { redeemSignInLink } from "./sign-in-links.ts";

const github = { kind: "github", id: "github", name: "GitHub", clientId: "c", clientSecret: "s" } as const;

let setup: Setup;
beforeEach(async () => {
  setup = await createSetup();
});
afterEach(() => setup.close());

const settle = (more: Partial<IdentityConfig> = {}) => {
  const { config } = setup.instance;
  return settleOwner(setup.db, { ...config, identity: { ...config.identity, ...more } });
};
const users = async () => [...(await setup.db.run<object>('SELECT email, email_verified FROM "user"'))];

test("the first start makes one, however many processes start, and the next finds it", async () => {
  const owners = await Promise.all(Array.from({ length: 8 }, () => settle()));
  expect(new Set(owners.map((owner) => owner?.userId)).size).toBe(1);
  expect(await users()).toEqual([{ email: "owner@localhost", email_verified: true }]);
  const events = await setup.db.run("SELECT kind, actor, surface FROM audit_event");
  expect([...events]).toEqual([
    { kind: "user.created", actor: { type: "system", id: "system", label: "System" }, surface: "system" },
  ]);
  expect(await settle()).toEqual(owners[0] ?? null);
});

test("the oldest user, unless OWNER_EMAIL names one", async () => {
  const { userId, workspaceId } = await setup.person();
  await setup.person();
  expect(await settle()).toEqual({ userId, workspaceId });
  const named = await settle({ ownerEmail: "Named@Example.org", providers: [github] });
  expect(named?.userId).not.toBe(userId);
  expect(named?.workspaceId).toBeNull();
  expect(await settle({ ownerEmail: "named@example.org" })).toEqual(named);
  const { userId: third } = await setup.person({ email: "third@example.org" });
  expect((await settle({ ownerEmail: "THIRD@example.org" }))?.userId).toBe(third);
});

test("no owner where people sign up themselves and OWNER_EMAIL is not set", async () => {
  expect(await settle({ providers: [github] })).toBeNull();
  expect(await users()).toEqual([]);
});

test("only the named user, or else the oldest, owns the instance", async () => {
  const [first, second] = [await setup.person(), await setup.person({ email: "second@example.org" })];
  const owners = async (ownerEmail: string | null) => {
    const { config } = setup.instance;
    const named = { ...config, identity: { ...config.identity, ownerEmail } };
    return Promise.all([first, second].map(({ userId }) => ownsInstance(setup.db, named, userId)));
  };
  expect(await owners(null)).toEqual([true, false]);
  expect(await owners("Second@example.org")).toEqual([false, true]);
  expect(await owners("nobody@example.org")).toEqual([false, false]);
});

test("the owner's link is theirs", async () => {
  const owner = await settle();
  if (owner === null) throw new Error("there is no owner");
  const { url } = await createOwnerLink(setup.db, setup.instance.config, owner);
  expect(await redeemSignInLink(setup.db, new URL(url).hash.slice(1))).toBe(owner.userId);
});
