// The API's responses for the German pages: lists with entries, by path. Names that people chose are German, so that
// every English word on a page is the app's.
import { auditKinds } from "@plinth/contract/audit-kinds";
import { planNames } from "@plinth/contract/plans";
import type { Output } from "@plinth/contract/registry";
import { scopes } from "@plinth/contract/scopes";
import { artifact, profile, project, workspace } from "./stand-in-api.ts";

const time = "2026-11-01T09:00:00.000Z";
const later = "2036-11-01T09:00:00.000Z";
const ada = { type: "user", id: "usr_1", label: "ada" } as const;
const permissions = { edit: true, share: true, manageAccess: true, delete: true };

export const report = artifact({ slug: "report", title: "Bericht", latestVersion: 3, permissions });
const other = artifact({
  slug: "plan",
  title: "Entwurf",
  type: "html",
  access: { publicView: false, publicEdit: false },
});
const team = workspace({ workspaceId: "wsp_2", slug: "nord", name: "Nordwind", kind: "team", role: "admin" });

export const known = {
  project: project({ title: "Notizen" }),
  artifacts: [report, other],
  profile: profile({ workspaces: [workspace(), team] }),
};

const version = (versionNumber: number): Output<"version.list">["versions"][number] => ({
  artifactId: report.artifactId,
  versionNumber,
  name: versionNumber === 2 ? "Fassung" : null,
  changelog: null,
  sizeBytes: 1200,
  sha256: "0".repeat(64),
  createdAt: time,
  createdBy: ada,
  restoredFrom: versionNumber === 3 ? 1 : null,
  files: { count: 0, sizeBytes: 0, sha256: null },
  isLatest: versionNumber === 3,
  expiresAt: versionNumber === 1 ? later : null,
  url: report.url,
});

/** One event of each kind. */
const events = auditKinds.map((kind, n) => ({
  eventId: `evt_${n}`,
  occurredAt: time,
  kind,
  actor: ada,
  surface: "web" as const,
  client: "Programm 1.0",
  workspaceId: "wsp_1",
  artifactId: report.artifactId,
  target: { type: "artifact" as const, id: report.artifactId },
  before: null,
  after: null,
  requestId: "0123",
})) satisfies Output<"audit.list">["auditEvents"];

const link = (role: "viewer" | "editor", more: object = {}): Output<"shareLink.list">["shareLinks"][number] => ({
  shareLinkId: `shr_${role}`,
  artifactId: report.artifactId,
  role,
  label: null,
  expiresAt: later,
  createdAt: time,
  createdBy: ada,
  revokedAt: null,
  lastUsedAt: time,
  useCount: 2,
  ...more,
});

const reach = { anyone: false, people: 3, morePeople: false, links: 1, moreLinks: false };
const entitlements = known.profile.entitlements;
const agent = { workspaceId: null, createdAt: time, createdBy: ada, expiresAt: later, lastUsedAt: time } as const;
const list = <T>(items: T) => ({ ...items, nextCursor: null });
const of = (end: string) => `/api/artifacts/ada/notes/report/${end}`;

/** By the decoded path. */
export const answers: Readonly<Record<string, unknown>> = {
  [of("versions")]: list({ versions: [3, 2, 1].map(version), artifact: report }),
  [of("diff")]: {
    artifactId: report.artifactId,
    from: 1,
    to: 3,
    stats: { additions: 1, deletions: 1 },
    hunks: [
      {
        oldStart: 1,
        oldLines: 2,
        newStart: 1,
        newLines: 2,
        lines: [
          { kind: "context", text: "Umsatz" },
          { kind: "delete", text: "12" },
          { kind: "add", text: "14" },
        ],
      },
    ],
    files: { added: [], removed: [], changed: [] },
    coarse: false,
  } satisfies Output<"version.diff">,
  [of("audit-events")]: list({ auditEvents: events }),
  [of("share-links")]: list({
    shareLinks: [link("viewer"), link("editor", { label: "Prüfer", revokedAt: time, lastUsedAt: null })],
  }),
  [of("access/audience")]: {
    access: { publicView: false, publicEdit: false, viewerEmails: ["bob@example.org"] },
    see: "3 people and anyone with the link can see this",
    edit: "3 people can edit this",
    reach: { see: reach, edit: { ...reach, links: 0 } },
    shareLinks: [link("viewer")],
    moreLinks: false,
  } satisfies Output<"access.audience">,
  [of("views")]: { total: 5, days: [{ day: "2026-11-01", views: 5 }] } satisfies Output<"artifact.listViews">,
  [of("versions/3/files")]: { files: [{ path: "bild.png", sizeBytes: 1200, sha256: "0".repeat(64) }] },
  [of("versions/3/packages")]: {
    artifactId: report.artifactId,
    versionNumber: 3,
    packages: [
      { name: "d3", version: "7.9.0", urls: [], state: "kept", reason: null, remedy: null },
      { name: "x", version: null, urls: ["https://esm.sh/x"], state: "fetching", reason: null, remedy: null },
    ],
  } satisfies Output<"version.packages">,
  "/api/audit-events": list({ auditEvents: events }),
  "/api/workspaces/ada/audit-events": list({ auditEvents: events }),
  "/api/workspaces/ada/artifacts": list({ artifacts: [report, other] }),
  "/api/profile/favorites": list({ artifacts: [report] }),
  "/api/profile/recents": list({ artifacts: [report] }),
  "/api/profile/shared": list({ artifacts: [other] }),
  "/api/search": list({ artifacts: [report] }),
  "/api/api-keys": list({
    apiKeys: [
      {
        apiKeyId: "key_1",
        name: "ci",
        scopes: [...scopes],
        workspaceId: null,
        start: "plk_0",
        lastFour: "0000",
        createdAt: time,
        createdBy: ada,
        expiresAt: null,
        lastUsedAt: null,
      },
    ],
  }) satisfies Output<"apiKey.list">,
  "/api/agents": list({
    agents: (["agent", "login", "oauth"] as const).map((kind) => ({
      ...agent,
      agentId: `agt_${kind}`,
      name: kind === "agent" ? "Helfer" : "Rechner",
      kind,
      client: null,
      scopes: ["artifacts:read" as const],
      issuer: kind === "agent" ? "https://ci.example" : null,
      subject: kind === "agent" ? "repo:a/b" : null,
    })),
  }) satisfies Output<"agent.list">,
  "/api/profile/mcp-connections": { connections: [] },
  "/api/profile/sessions": list({
    sessions: [true, false].map((current) => ({
      sessionId: `ses_${String(current)}`,
      current,
      userAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
      address: "192.0.2.1",
      createdAt: time,
      lastUsedAt: current ? time : null,
      expiresAt: later,
    })),
  }) satisfies Output<"session.list">,
  "/api/billing/me": {
    workspaceId: "wsp_1",
    plan: "team",
    boughtPlan: "team",
    status: "active",
    interval: "month",
    currentPeriodEnd: later,
    cancelAtPeriodEnd: false,
    graceUntil: null,
    retentionShortensAt: null,
    seats: { used: 1, limit: 10 },
    usage: { privateArtifacts: 1, artifacts: 2, storageBytes: 2400, fileBytes: 1200 },
    entitlements,
    holder: { workspaceId: "wsp_1", slug: "ada" },
    available: true,
    offer: {
      plans: (["free", "pro", "team"] as const).map((id) => ({
        id,
        name: planNames[id],
        prices: id === "free" ? [] : [{ interval: "month" as const, amount: 900, currency: "eur" }],
        entitlements,
      })),
      pricesKnown: true,
      nextCursor: null,
    },
  } satisfies Output<"billing.get">,
  "/api/billing/invoices": list({
    invoices: ["draft", "open", "paid", "void"].map((status) => ({
      number: "R-1",
      status,
      amount: 900,
      currency: "eur",
      createdAt: time,
      url: null,
    })),
  }) satisfies Output<"billing.invoices">,
  "/api/workspaces/nord/members": list({
    members: (["admin", "viewer", "billing_admin"] as const).map((role, n) => ({
      userId: `usr_${n + 1}`,
      username: ["ada", "bob", "eva"][n] ?? null,
      name: null,
      email: "ada@example.org",
      role,
      joinedAt: time,
    })),
  }) satisfies Output<"member.list">,
  "/api/workspaces/nord/invitations": list({
    invitations: [
      {
        invitationId: "inv_1",
        email: "eva@example.org",
        role: "member",
        status: "pending",
        expiresAt: later,
        createdAt: time,
        invitedBy: ada,
      },
    ],
  }) satisfies Output<"invitation.list">,
  "/api/auth/oauth2/consent/describe": {
    client: { name: "Programm", uri: null, logoUri: null },
    redirect: { kind: "website", host: "app.example" },
    scopes: ["artifacts:read"],
    granted: [],
    lasting: true,
  },
};
