// The German sentences: one for every kind, with any fields of an event.
import { expect, test } from "bun:test";

import { auditKinds, type AuditKind } from "./audit-kinds.ts";
import { auditSentence, namedKinds } from "./audit-sentences.ts";
import type { AuditEvent } from "./schemas/audit.ts";

const user = { type: "user", id: "usr_1", label: "Ada" } as const;
const key = { type: "api_key", id: "key_1", label: "ci", onBehalfOf: { userId: "usr_1", username: "ada" } } as const;

const event = (kind: AuditKind, more: Partial<AuditEvent> = {}): AuditEvent => ({
  eventId: "evt_1",
  occurredAt: "2026-11-21T12:00:00.000Z",
  kind,
  actor: user,
  surface: "web",
  workspaceId: "wsp_1",
  artifactId: "art_1",
  target: { type: "artifact", id: "art_1" },
  before: null,
  after: null,
  requestId: "request-1",
  ...more,
});

const read = (one: AuditEvent, name?: string) =>
  auditSentence(one, name, "de")
    .map(({ text, strong }) => (strong ? `*${text}*` : text))
    .join("");

test.each([
  [
    event("artifact.updated", { actor: key, after: { latestVersion: 4 } }),
    "Der Schlüssel *ci* von ada hat Version 4 veröffentlicht",
  ],
  [event("artifact.created", { after: { access: { publicView: false } } }), "Ada hat es privat veröffentlicht"],
  [
    event("artifact.updated", { after: { title: "Bericht", description: null, slug: "bericht" } }),
    "Ada hat es in *Bericht* umbenannt, die Beschreibung geändert und die Adresse in *bericht* geändert",
  ],
  [
    event("access.updated", {
      before: { publicView: true, publicEdit: false, viewerEmails: [] },
      after: { publicView: false, publicEdit: false, viewerEmails: ["bob@example.org"] },
    }),
    "Ada hat es privat gemacht und *bob@example.org* zur Zugriffsliste hinzugefügt",
  ],
  [
    event("share_link.created", { after: { role: "viewer", label: "Prüfer", expiresAt: "2026-12-01T00:00:00.000Z" } }),
    "Ada hat den Ansichtslink *Prüfer* (läuft am 1. Dez. 2026 ab) erstellt",
  ],
  [
    event("member.added", { target: { type: "user", id: "usr_1" }, after: { role: "admin" } }),
    "Ada ist als Admin beigetreten",
  ],
  [event("project.updated", { after: { icon: "x" } }), "Ada hat das Symbol des Projekts geändert"],
])("%#: a German sentence", (one, sentence) => expect(read(one)).toBe(sentence));

test("in a list of several artifacts' events the artifact is named", () => {
  expect(read(event("artifact.updated", { after: { latestVersion: 2 } }), "Bericht")).toBe(
    "Ada hat Version 2 von *Bericht* veröffentlicht",
  );
  expect(read(event("artifact.updated", { after: { description: "x" } }), "Bericht")).toBe(
    "Ada hat die Beschreibung von *Bericht* geändert",
  );
});

const contents: readonly object[] = [
  {},
  { role: "editor", label: "L", expiresAt: "not a day", username: "bob", email: "b@x.org", kind: "oauth", name: "N" },
  { title: "T", slug: "s", projectSlug: "p", ownerUsername: "o", icon: "i", description: "d", publicView: true },
  { versionNumber: 1, throughVersion: 3, latestVersion: 4, restoredFrom: 2, uses: 3, plan: "pro", seats: 3 },
  { kind: "agent", issuer: "i", subject: "s", provider: "github", replacedBy: "key_2", scopes: [] },
  { kind: "agent", name: "N", reused: "id_token", subject: "s" },
];

test("every kind has a German sentence, and none of it is English", () => {
  for (const kind of auditKinds)
    for (const before of contents)
      for (const after of contents)
        for (const name of [undefined, "Bericht"]) {
          const said = read(event(kind, { before, after }), name);
          expect(said).toMatch(/^Ada (?:hat|ist) \S/);
          expect(said).not.toMatch(/\b(?:the|of|to|it|and|as|from|made|created|version)\b|undefined|null|NaN|Invalid/);
        }
});

test("a kind has a name in each language, and no two kinds have the same one", () => {
  for (const language of ["en", "de"] as const) {
    const named = namedKinds(auditKinds, language);
    expect(named.map(({ kind }) => kind)).toEqual([...auditKinds]);
    expect(new Set(named.map(({ name }) => name)).size).toBe(auditKinds.length);
  }
  expect(namedKinds(["plan.changed"], "de")).toEqual([{ kind: "plan.changed", name: "Plan geändert" }]);
});
