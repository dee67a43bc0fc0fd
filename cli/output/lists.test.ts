// The length to which each table cuts a long value when its output is not a terminal.
import { expect, test } from "bun:test";

import { styleOf } from "../terminal/style.ts";
import { listText } from "./lists.ts";

const plain = styleOf({ isTerminal: false, columns: 80 }, {});
const long = "x".repeat(200);
const time = "2026-11-20T12:00:00.000Z";
const actor = { label: long, onBehalfOf: { username: long } };
const credential = { name: long, scopes: [long], createdBy: actor, lastUsedAt: null, expiresAt: null };

/** The columns that cut a long value, each with how many characters it shows. */
function cutsOf(collection: string, row: object): Record<string, number> {
  const [heading = "", cells = ""] = listText(collection, [row], plain).split("\n");
  const titles = heading.split(/\s+/);
  const shown = cells.split(/\s{2,}/);
  expect(shown).toHaveLength(titles.length);
  return Object.fromEntries(
    titles
      .map((title, place) => [title, shown[place] ?? ""] as const)
      .filter(([, text]) => text.endsWith("…"))
      .map(([title, text]) => [title, text.length]),
  );
}

test.each([
  {
    collection: "artifacts",
    row: {
      title: long,
      ownerUsername: long,
      projectSlug: "p",
      slug: "s",
      type: "md",
      latestVersion: 1,
      access: {},
      latestBy: actor,
      latestAt: time,
    },
    cuts: { TITLE: 36, BY: 24 },
  },
  { collection: "projects", row: { title: long, ownerUsername: long, slug: "s" }, cuts: { TITLE: 36 } },
  {
    collection: "versions",
    row: { versionNumber: 1, createdBy: actor, sizeBytes: 1, expiresAt: null, restoredFrom: null, changelog: long },
    cuts: { BY: 24, NOTE: 60 },
  },
  {
    collection: "workspaces",
    row: { name: long, slug: "s", kind: "team", role: "admin", plan: "free", seats: { used: 1, limit: 2 } },
    cuts: { NAME: 36 },
  },
  {
    collection: "members",
    row: { userId: "id", username: "u", name: long, email: long, role: "admin" },
    cuts: { NAME: 36, EMAIL: 48 },
  },
  { collection: "invitations", row: { email: long, role: "admin", invitedBy: actor }, cuts: { EMAIL: 48, BY: 24 } },
  {
    collection: "apiKeys",
    row: { ...credential, start: "plk_", lastFour: "abcd" },
    cuts: { NAME: 36, SCOPES: 48, BY: 24 },
  },
  { collection: "agents", row: { ...credential, client: null, kind: "agent" }, cuts: { NAME: 36, SCOPES: 48, BY: 24 } },
  {
    collection: "shareLinks",
    row: { label: long, role: "viewer", revokedAt: null, expiresAt: null, useCount: 0, createdBy: actor },
    cuts: { LABEL: 36, BY: 24 },
  },
  {
    collection: "jobs",
    row: { state: "failed", kind: "k", queue: "l", attempts: 1, error: long },
    cuts: { ERROR: 48 },
  },
])("$collection: a long value is cut at its column's bound", ({ collection, row, cuts }) => {
  const identified = { artifactCount: 1, createdAt: time, updatedAt: time, joinedAt: time, expiresAt: time, ...row };
  const id = `${collection.replace(/s$/, "")}Id`;
  expect(cutsOf(collection, { ...identified, [id]: "id" })).toEqual(cuts);
});
