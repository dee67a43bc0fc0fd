// The text output of one artifact, of the caller and of the instance.
import { expect, test } from "bun:test";

import { json, line } from "../testing/line.ts";

const hour = new Date(Date.now() - 3_600_000 - 5000).toISOString();
const ada = { type: "user", id: "usr_1", label: "ada" };
const artifact = {
  artifactId: "art_1",
  ownerUsername: "ada",
  projectSlug: "notes",
  slug: "week-47",
  title: "Week\u001B[2J 47",
  description: "What happened",
  type: "md",
  latestVersion: 4,
  sourcePath: "weeks/47.md",
  access: { publicView: true, publicEdit: false },
  url: "http://localhost:3000/ada/notes/week-47",
  createdAt: hour,
  createdBy: ada,
  latestAt: hour,
  latestBy: ada,
  permissions: { edit: true, share: false, manageAccess: true, delete: false },
};
const text = async (words: readonly string[], value: object) =>
  (await line([...words, "--format", "text"], { answer: () => json(value) })).stdout;

test("an artifact: title, address and state, then who changed it and what you can do", async () => {
  expect(await text(["get", "art_1"], artifact)).toBe(
    `Week[2J 47
ada/notes/week-47 · md · v4 · public
http://localhost:3000/ada/notes/week-47

What happened

Updated  1 hour ago by ada
Created  1 hour ago by ada
Source   weeks/47.md
You can  edit, manage access
ID       art_1
`,
  );
  const undeleted = { ...artifact, workingShareLinks: 2, access: { publicView: false, publicEdit: false } };
  const shown = await text(["artifact", "undelete", "art_1"], undeleted);
  expect(shown).toContain("Links    2 work again\n");
  expect(shown).toContain("v4 · private\n");
  expect(
    await text(["artifact", "patch", "art_1", "--title", "A", "--check"], { ...artifact, dryRun: true }),
  ).toStartWith("Nothing is written. It would be so:\n");
});

test("the caller: who, by what, and with which scopes", async () => {
  const profile = {
    userId: "usr_1",
    username: "ada",
    name: "Ada L.",
    email: "ada@example.com",
    emailVerified: false,
    plan: "free",
    entitlements: { seats: 1, storageBytes: 1024 * 1024 },
    credential: { type: "api_key", label: "ci", scopes: ["artifacts:read", "artifacts:create"] },
  };
  expect(await text(["whoami"], profile)).toBe(
    `ada (Ada L.)
ada@example.com, not verified

Signed in by  API key ci
It can        artifacts:read, artifacts:create
Plan          free: 1 seat, 1.0 MiB for files
ID            usr_1
`,
  );
});

test("the instance: the whole, then each check", async () => {
  const health = {
    status: "warn",
    version: "1.2.3",
    uptimeSeconds: 7205,
    checks: { database: { status: "pass" }, renderer: { status: "warn", detail: "no browser" } },
  };
  expect(await text(["health"], health)).toBe(
    "warn  Plinth 1.2.3, started 2 hours ago\npass  database\nwarn  renderer: no browser\n",
  );
});
