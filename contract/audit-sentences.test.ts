// Checks the sentence of every kind, and the sentences of events with unknown or malformed fields.
import { expect, test } from "bun:test";

import { auditKinds, type AuditKind } from "./audit-kinds.ts";
import { auditSentence, plainSentence } from "./audit-sentences.ts";
import type { Actor } from "./schemas/actor.ts";
import type { AuditEvent } from "./schemas/audit.ts";

const id = (prefix: string) => `${prefix}_${"0".repeat(26)}`;
const ada: Actor = { type: "user", id: id("usr"), label: "Ada" };
const key: Actor = { type: "api_key", id: id("key"), label: "ci", onBehalfOf: { userId: id("usr"), username: "ada" } };
const link: Actor = { type: "share_link", id: id("shr"), label: "for review" };
const operator: Actor = { type: "operator", id: "operator", label: "Operator" };
const plinth: Actor = { type: "system", id: "system", label: "Plinth" };

const event = (kind: AuditKind, more: Partial<AuditEvent> = {}): AuditEvent => ({
  eventId: id("evt"),
  occurredAt: "2026-11-21T12:00:00.000Z",
  kind,
  actor: ada,
  surface: "web",
  workspaceId: id("wsp"),
  artifactId: id("art"),
  target: { type: "artifact", id: id("art") },
  before: null,
  after: null,
  requestId: "request-1",
  ...more,
});

/** Marks the bold parts with asterisks. */
const read = (event: AuditEvent, artifactName?: string): string =>
  auditSentence(event, artifactName)
    .map(({ text, strong }) => (strong ? `*${text}*` : text))
    .join("");

const open = { publicView: true, publicEdit: false, viewerEmails: [] as string[] };
const closed = { ...open, publicView: false };
const access = (before: object, after: object) => ({ before, after });
const others = { target: { type: "user", id: `usr_${"1".repeat(26)}` } };
const oneself = { target: { type: "user", id: id("usr") } };

const cases: [kind: AuditKind, more: Partial<AuditEvent>, sentence: string][] = [
  [
    "artifact.created",
    { after: { latestVersion: 1, access: closed }, actor: key },
    "ada's key *ci* published it as private",
  ],
  ["artifact.created", { after: { access: open } }, "Ada published it as public"],
  [
    "artifact.updated",
    { after: { latestVersion: 4 }, actor: link },
    "Someone with the share link *for review* published version 4",
  ],
  [
    "artifact.updated",
    { after: { latestVersion: 4 }, actor: { ...link, onBehalfOf: { userId: id("usr"), username: "bob" } } },
    "bob (share link *for review*) published version 4",
  ],
  ["artifact.updated", { after: { title: "Other" } }, "Ada renamed it to *Other*"],
  [
    "artifact.updated",
    { after: { title: "Other", description: null, slug: "other", projectSlug: "notes" } },
    "Ada renamed it to *Other*, changed the description of it, moved it to the project *notes* and changed the address of it to *other*",
  ],
  ["artifact.restored", { after: { latestVersion: 4, restoredFrom: 1 } }, "Ada restored version 1 as version 4"],
  ["artifact.deleted", {}, "Ada deleted it"],
  ["artifact.undeleted", {}, "Ada restored it from Trash"],
  ["artifact.purged", { actor: plinth, before: { title: "Old" } }, "Plinth permanently deleted *Old*"],
  [
    "version.pruned",
    { actor: plinth, before: { versionNumber: 2 } },
    "Plinth removed the content of version 2, past the plan's retention",
  ],
  [
    "version.pruned",
    { actor: plinth, before: { versionNumber: 2, throughVersion: 41 } },
    "Plinth removed the content of versions 2 to 41, past the plan's retention",
  ],
  [
    "version.packages_retried",
    { after: { versionNumber: 2 }, actor: key },
    "ada's key *ci* retried the packages of version 2",
  ],
  ["version.renamed", { after: { versionNumber: 2, name: "Final" } }, "Ada named version 2 *Final*"],
  ["version.renamed", { after: { versionNumber: 2, name: null } }, "Ada removed the name of version 2"],
  ["access.updated", { ...access(open, closed), actor: key }, "ada's key *ci* made it private"],
  ["access.updated", access(closed, open), "Ada made it public"],
  ["access.updated", access({ ...open, publicEdit: true }, closed), "Ada made it private"],
  [
    "access.updated",
    access(closed, { ...open, publicEdit: true }),
    "Ada made it public and allowed anyone signed in to edit it",
  ],
  ["access.updated", access({ ...open, publicEdit: true }, open), "Ada turned off public editing of it"],
  [
    "access.updated",
    access(closed, { ...closed, viewerEmails: ["grace@example.org"] }),
    "Ada added *grace@example.org* to the allowlist",
  ],
  [
    "access.updated",
    access({ ...closed, viewerEmails: ["a@x.org"] }, { ...closed, viewerEmails: ["b", "c", "d", "e", "f"] }),
    "Ada added *b*, *c*, *d* and 2 more to the allowlist and removed *a@x.org* from the allowlist",
  ],
  [
    "access.updated",
    access({ ...closed, viewerEmails: ["a", "b"] }, { ...closed, viewerEmails: ["b", "a"] }),
    "Ada changed who can see it",
  ],
  [
    "share_link.created",
    { after: { role: "viewer", label: "for review", expiresAt: "2026-12-01T00:00:00.000Z" } },
    "Ada created the view link *for review* (expires 2026-12-01)",
  ],
  ["share_link.created", { after: { role: "editor", label: null, expiresAt: null } }, "Ada created an edit link"],
  ["share_link.revoked", { before: { role: "editor", label: "for review" } }, "Ada revoked the edit link *for review*"],
  ["share_link.used", { actor: { ...link, label: "Share link" } }, "Someone with a share link opened it"],
  ["share_link.used", { actor: link, after: { uses: 1 } }, "Someone with the share link *for review* opened it"],
  [
    "share_link.used",
    { actor: link, after: { uses: 3 } },
    "Someone with the share link *for review* opened it 3 times",
  ],
  ["project.created", { after: { slug: "notes", title: "Notes" } }, "Ada created the project *Notes*"],
  [
    "project.updated",
    { after: { title: "Other", icon: "x" } },
    "Ada renamed the project to *Other* and changed the icon of the project",
  ],
  ["project.deleted", { before: { title: "Notes" } }, "Ada deleted the project *Notes*"],
  ["workspace.created", { after: { slug: "acme", kind: "team" } }, "Ada created the team *acme*"],
  ["workspace.created", { after: { slug: "ada", kind: "personal" } }, "Ada created the workspace *ada*"],
  ["workspace.updated", { after: { slug: "lovelace" } }, "Ada changed the address of the workspace to *lovelace*"],
  ["member.added", { ...oneself, after: { role: "viewer", username: "ada" } }, "Ada joined as a viewer"],
  [
    "member.added",
    { ...others, actor: operator, after: { role: "admin", username: "bob" } },
    "The operator added *bob* as an admin",
  ],
  [
    "member.role_changed",
    { ...others, after: { role: "billing_admin", username: "bob" } },
    "Ada made *bob* a billing admin",
  ],
  ["member.role_changed", { ...oneself, after: { role: "member" } }, "Ada became a member"],
  ["member.removed", { ...others, before: { role: "member", username: "bob" } }, "Ada removed *bob*"],
  ["member.removed", { ...oneself, actor: key, before: {} }, "ada's key *ci* left"],
  [
    "invitation.created",
    { after: { email: "bob@example.org", role: "member" } },
    "Ada invited *bob@example.org* as a member",
  ],
  ["invitation.accepted", { after: { role: "viewer" } }, "Ada accepted the invitation as a viewer"],
  ["invitation.revoked", { before: { email: "bob@example.org" } }, "Ada withdrew the invitation of *bob@example.org*"],
  ["api_key.created", { after: { name: "ci", expiresAt: null } }, "Ada created the key *ci*"],
  ["api_key.revoked", { before: { name: "ci" }, after: { revoked: true } }, "Ada revoked the key *ci*"],
  ["api_key.revoked", { before: { name: "ci" }, after: { replacedBy: id("key") } }, "Ada replaced the key *ci*"],
  [
    "agent.created",
    { after: { name: "claude", kind: "agent" }, actor: key },
    "ada's key *ci* created the agent *claude*",
  ],
  [
    "agent.created",
    { after: { name: "ci", kind: "agent", issuer: "https://ci.example", subject: "repo:a/b:*" } },
    "Ada created the agent *ci*, which trusts *repo:a/b:** of https://ci.example",
  ],
  [
    "agent.exchanged",
    { after: { subject: "repo:a/b:ref:main" }, actor: { ...key, type: "agent" } },
    "ada's agent *ci* exchanged an ID token of *repo:a/b:ref:main*",
  ],
  ["agent.exchanged", { actor: { ...key, type: "agent" } }, "ada's agent *ci* exchanged an ID token"],
  ["agent.created", { after: { name: "Claude Code", kind: "oauth" } }, "Ada connected the app *Claude Code*"],
  [
    "agent.created",
    { before: { scopes: [] }, after: { scopes: ["artifacts:read"] } },
    "Ada gave a connected app more permissions",
  ],
  [
    "agent.reuse_detected",
    { actor: plinth, before: { name: "Claude", kind: "oauth" }, after: { reused: "refresh_token" } },
    "Plinth ended the access of the connected app *Claude* because an old refresh token was used again",
  ],
  [
    "agent.reuse_detected",
    { actor: plinth, before: { name: "Claude", kind: "oauth" }, after: { reused: "authorization_code" } },
    "Plinth ended the access of the connected app *Claude* because an authorization code was used again",
  ],
  [
    "agent.reuse_detected",
    {
      actor: plinth,
      before: { name: "ci", kind: "agent" },
      after: { reused: "id_token", subject: "repo:a/b:ref:main" },
    },
    "Plinth refused an ID token of *repo:a/b:ref:main* for the agent *ci* because it was used again",
  ],
  [
    "agent.revoked",
    { before: { name: "claude" }, actor: { ...key, type: "agent" } },
    "ada's agent *ci* revoked the agent *claude*",
  ],
  [
    "plan.changed",
    { actor: operator, before: { plan: "free" }, after: { plan: "team" } },
    "The operator changed the plan from *free* to *team*",
  ],
  [
    "plan.changed",
    { actor: plinth, before: { plan: "free", seats: 1 }, after: { plan: "pro", seats: 1 } },
    "Plinth changed the plan from *free* to *pro*",
  ],
  [
    "plan.changed",
    { actor: plinth, before: { plan: "team", seats: 10 }, after: { plan: "team", seats: 14 } },
    "Plinth changed the seats of the plan from 10 to 14",
  ],
  [
    "user.created",
    { ...others, actor: operator, after: { username: "bob" } },
    "The operator created the account *bob*",
  ],
  ["user.created", { ...oneself, after: { provider: "oidc" } }, "Ada signed up"],
  ["user.sign_in_link_created", { ...others, actor: operator }, "The operator created a sign-in link"],
  [
    "user.identity_bound",
    { ...oneself, after: { provider: "github" } },
    "Ada signed in for the first time with *github*",
  ],
  ["operator.job_run", { actor: operator, after: { kind: "purge" } }, "The operator ran the job *purge*"],
];

test.each(cases)("%s", (kind, more, sentence) => {
  expect(read(event(kind, more))).toBe(sentence);
});

test("every kind has its sentence", () => {
  const described = new Set(cases.map(([kind]) => kind));
  const missing = auditKinds.filter((kind) => !described.has(kind));
  expect(missing, "each needs a row in `cases`").toEqual([]);
});

test("where artifacts stand together, each by its name", () => {
  const said = (kind: AuditKind, more: Partial<AuditEvent>) => read(event(kind, more), "Report");
  expect(said("artifact.created", { after: { access: open } })).toBe("Ada published *Report* as public");
  expect(said("artifact.updated", { after: { latestVersion: 2 } })).toBe("Ada published version 2 of *Report*");
  expect(said("artifact.restored", { after: { latestVersion: 3, restoredFrom: 1 } })).toBe(
    "Ada restored version 1 of *Report* as version 3",
  );
  expect(said("access.updated", access(open, closed))).toBe("Ada made *Report* private");
  expect(said("share_link.created", { after: { role: "viewer" } })).toBe("Ada created a view link to *Report*");
  expect(said("share_link.revoked", { before: { role: "viewer" } })).toBe("Ada revoked a view link of *Report*");
});

test("neighbours that look alike are one part, and none is empty", () => {
  const parts = auditSentence(event("access.updated", { ...access(open, closed), actor: key }));
  expect(parts).toEqual([{ text: "ada's key " }, { text: "ci", strong: true }, { text: " made it private" }]);
  expect(plainSentence(parts)).toBe("ada's key ci made it private");
});

test("every event gets a sentence", () => {
  const inner = [null, 7, "", " ", "constructor", [], [null, 7, {}], {}, { publicView: "yes" }, true];
  const names = [
    "title",
    "slug",
    "role",
    "email",
    "access",
    "viewerEmails",
    "publicView",
    "latestVersion",
    "expiresAt",
  ];
  const shapes = [
    ...inner,
    undefined,
    ...inner.map((value) => Object.fromEntries(names.map((name) => [name, value]))),
    Object.create(null),
  ];
  for (const kind of [...auditKinds, "thing.happened" as AuditKind, "constructor" as AuditKind, "" as AuditKind]) {
    for (const before of shapes) {
      for (const after of shapes) {
        const parts = auditSentence(event(kind, { before, after }));
        if (
          parts.some(({ text }) => typeof text !== "string" || text === "" || /function|undefined|null|\[/.test(text))
        )
          throw new Error(`${kind} was written as ${JSON.stringify(parts)}`);
        expect(plainSentence(parts)).toStartWith("Ada ");
      }
    }
  }
});
