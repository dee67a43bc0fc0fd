// Whose an identity is, under everything at once.
import { afterAll, beforeAll, expect, test } from "bun:test";

import { createSetup, type Setup } from "../test/context.ts";
import type { Identity } from "./identity.ts";
import { resolveIdentity } from "./resolve.ts";

let setup: Setup;
beforeAll(async () => {
  setup = await createSetup();
});
afterAll(() => setup.close());

let made = 0;
const identity = (more: Partial<Identity> = {}): Identity => ({
  providerId: "oidc",
  accountId: `https://login.example.org subject-${++made}`,
  email: `somebody-${made}@example.org`,
  emailVerified: true,
  name: null,
  avatarUrl: null,
  ...more,
});
const resolve = (wanted: Identity) => resolveIdentity(setup.db, wanted, "request-test");
const count = async (table: "account" | '"user"', where: string) =>
  (await setup.db.run<{ rows: number }>(`SELECT count(*)::int AS rows FROM ${table} WHERE ${where}`))[0]?.rows;
const eventsOf = async (kind: string) =>
  (await setup.db.run("SELECT 1 FROM audit_event WHERE kind = $1 AND actor->>'type' = 'user'", [kind])).length;

test("one identity that comes many times at once is one user", async () => {
  const wanted = identity();
  const before = await eventsOf("user.created");
  const all = await Promise.all(Array.from({ length: 50 }, () => resolve(wanted)));
  expect(new Set(all.map((one) => JSON.stringify(one)))).toEqual(
    new Set([JSON.stringify({ email: wanted.email, name: null })]),
  );
  expect(await count("account", `account_id = '${wanted.accountId}'`)).toBe(1);
  expect(await eventsOf("user.created")).toBe(before + 1);
});

test("of many identities with one address, one has it", async () => {
  const email = "shared@example.org";
  const all = await Promise.all(Array.from({ length: 30 }, () => resolve(identity({ email }))));
  expect(all.filter((one) => one !== "email_taken")).toHaveLength(1);
  expect(await count('"user"', `email = '${email}'`)).toBe(1);
});

test("of many identities for a user without one, one is bound, and the user stays who they are", async () => {
  const { userId, username } = await setup.person({ email: "Bound@example.org" });
  const wanted = Array.from({ length: 30 }, () => identity({ email: "bound@example.org", name: "Another" }));
  const all = await Promise.all(wanted.map(resolve));
  expect(all.filter((one) => one !== "email_taken")).toEqual([{ email: "bound@example.org", name: null }]);
  expect(await eventsOf("user.identity_bound")).toBe(1);
  const events = await setup.db.run(
    "SELECT actor, target_id, workspace_id IS NOT NULL AS shown FROM audit_event WHERE kind = $1",
    ["user.identity_bound"],
  );
  const actor = { type: "user", id: userId, label: username };
  expect([...events]).toEqual([{ actor, target_id: userId, shown: true }]);
  const bound = wanted.find((_, place) => all[place] !== "email_taken");
  if (bound === undefined) throw new Error("none was bound");
  expect(await resolve({ ...bound, email: null, emailVerified: false })).toEqual({
    email: "bound@example.org",
    name: null,
  });
});

test("no user without a verified address that can be stored", async () => {
  expect(await resolve(identity({ emailVerified: false }))).toBe("email_unverified");
  expect(await resolve(identity({ email: null }))).toBe("email_invalid");
});

test("a fault is not taken for a race", async () => {
  const broken = { ...identity(), email: "x".repeat(10), accountId: "with\0nul" };
  expect(resolve(broken)).rejects.toThrow();
});
