import { afterAll, beforeAll, expect, test } from "bun:test";

import { testDatabase, type TestDatabase } from "@plinth/db/test/database";
import { settleOwner } from "@plinth/domain/identity/owner";
import type { Config } from "@plinth/domain/config";

import { banner, signInNotes, transportNotes } from "./banner.ts";
import { readEnvironment } from "./environment.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.drop());

const configOf = (variables: Record<string, string>) => readEnvironment(variables) as unknown as Config;

test("a terminal is shown the owner's link, anything else the command for one", async () => {
  const config = configOf({});
  const owner = await settleOwner(db, config);
  const shown = await signInNotes(db, config, owner, true);
  expect(shown[0]).toBe("No identity provider configured. Sign in as the owner (one use, 30 minutes):");
  expect(shown[1]).toMatch(/^http:\/\/localhost:3000\/login#[\w-]{32}$/);
  const links = async () => (await db.run("SELECT 1 FROM sign_in_link")).length;
  expect(await links()).toBe(1);
  const elsewhere = await signInNotes(db, config, owner, false);
  expect(elsewhere[1]).toBe(`plinth operator user sign-in-link --user-id ${owner?.userId}`);
  expect(await links()).toBe(1);
  expect(
    banner({ environment: readEnvironment({}), version: "1.2.3", database: "d", startedAt: 0, notes: shown }),
  ).toEndWith(`\n  ${shown[0]}\n  ${shown[1]}\n`);
});

test("where there are providers, they are named", async () => {
  const config = configOf({ GITHUB_CLIENT_ID: "a", GITHUB_CLIENT_SECRET: "b" });
  expect(await signInNotes(db, config, null, true)).toEqual(["Sign in with GitHub"]);
});

test("plain http beyond this machine is warned of", () => {
  for (const publicUrl of ["http://localhost:3000", "http://127.0.0.1:1", "http://[::1]:1", "https://plinth.example"])
    expect(transportNotes({ publicUrl })).toEqual([]);
  expect(transportNotes({ publicUrl: "http://plinth.example" })[0]).toStartWith("Warning: PUBLIC_URL is plain http");
});
