import { expect, test } from "bun:test";

import type { Access } from "./schemas/artifact.ts";
import { reachOf, whoCanEdit, whoCanSee, type Audience } from "./who-can-see.ts";

const now = new Date("2026-11-21T12:00:00.000Z");
const closed: Access = { publicView: false, publicEdit: false, viewerEmails: [] };
const member = (name: string, role: Audience["members"][number]["role"] = "member") => ({
  email: `${name}@example.org`,
  role,
});
const link = (role: "viewer" | "editor", more: Partial<Audience["shareLinks"][number]> = {}) => ({
  role,
  expiresAt: null,
  revokedAt: null,
  ...more,
});
const audience = (more: Partial<Audience>): Audience => ({
  access: closed,
  members: [member("ada", "admin")],
  shareLinks: [],
  ...more,
});

const cases: [what: string, audience: Partial<Audience>, see: string, edit: string][] = [
  ["one's own alone", {}, "1 person can see this", "1 person can edit this"],
  [
    "a team, of which some only look on",
    { members: [member("ada", "admin"), member("bob", "viewer"), member("cy", "billing_admin"), member("di")] },
    "4 people can see this",
    "2 people can edit this",
  ],
  [
    "an allowlist, a member among it",
    { access: { ...closed, viewerEmails: ["ada@example.org", "eve@example.org"] }, members: [member("ADA")] },
    "2 people can see this",
    "1 person can edit this",
  ],
  [
    "more members than one knows",
    { members: [member("ada"), member("bob")], moreMembers: true },
    "More than 2 people can see this",
    "More than 2 people can edit this",
  ],
  [
    "a viewer link",
    { access: { ...closed, viewerEmails: ["a@x.org", "b@x.org"] }, shareLinks: [link("viewer")] },
    "3 people and anyone with the link can see this",
    "1 person can edit this",
  ],
  [
    "links of both kinds",
    { shareLinks: [link("viewer"), link("editor"), link("editor", { expiresAt: "2026-11-21T12:00:00.001Z" })] },
    "1 person and anyone with one of 3 links can see this",
    "1 person and anyone with one of 2 edit links can edit this",
  ],
  [
    "more links than one knows, whatever became of those one does",
    { shareLinks: [link("viewer", { revokedAt: "2026-11-20T12:00:00.000Z" })], moreLinks: true },
    "1 person and anyone with one of its many active links can see this",
    "1 person and anyone with one of its many active edit links can edit this",
  ],
  [
    "links that open nothing any more",
    {
      shareLinks: [
        link("editor", { revokedAt: "2026-11-21T11:00:00.000Z" }),
        link("editor", { expiresAt: "2026-11-21T12:00:00.000Z" }),
      ],
    },
    "1 person can see this",
    "1 person can edit this",
  ],
  [
    "what is public",
    { access: { ...closed, publicView: true }, shareLinks: [link("viewer")] },
    "Anyone with the URL can see this",
    "1 person can edit this",
  ],
  [
    "what is public for edits too",
    { access: { ...closed, publicView: true, publicEdit: true }, shareLinks: [link("editor")] },
    "Anyone with the URL can see this",
    "Anyone who is signed in and anyone with the edit link can edit this",
  ],
  ["nobody at all", { members: [] }, "0 people can see this", "0 people can edit this"],
];

test.each(cases)("%s", (_what, more, see, edit) => {
  const reach = reachOf(audience(more), now);
  expect([whoCanSee(reach.see), whoCanEdit(reach.edit)]).toEqual([see, edit]);
});
