import type { CasesOf, Setting } from "../test/case.ts";
import { byViewer, newArtifact, onFreePlan } from "../test/refusals.ts";
import { onArtifact, onAudit, onShareToken, onWorkspace, readsAccess, shares, writesAccess } from "../test/rules.ts";
import type * as operations from "./access.ts";

const it = ({ artifact: { artifactId } }: Setting) => ({ artifactId });
/** Answers repeat it, so it is none of an account, which is a secret. */
const newReader = ({ unique }: Setting) => `${unique("reader")}@example.com`;

export const accessCases: CasesOf<typeof operations> = {
  "access.get": { who: onArtifact("access", readsAccess), input: it, refused: { forbidden: byViewer }, events: null },
  "access.audience": {
    who: onArtifact("access", readsAccess),
    input: it,
    refused: { forbidden: byViewer },
    events: null,
  },
  "access.update": {
    who: onArtifact("access", writesAccess),
    input: (setting) => ({ ...it(setting), publicView: true, publicEdit: false, viewerEmails: [newReader(setting)] }),
    invalid: { publicView: false, publicEdit: true },
    refused: {
      forbidden: byViewer,
      plan_required: onFreePlan(async (account, projectSlug, fixtures) => ({
        artifactId: (await newArtifact(fixtures, account, projectSlug)).artifactId,
        publicView: false,
      })),
    },
    events: "access.updated",
  },
  "access.explain": {
    who: onArtifact("access", readsAccess),
    input: (setting) => ({ ...it(setting), email: newReader(setting) }),
    invalid: { email: "nobody" },
    refused: { forbidden: byViewer },
    events: null,
  },
  "shareLink.create": {
    who: onArtifact("share", shares),
    input: (setting) => ({ ...it(setting), role: "viewer", label: setting.unique("Link") }),
    invalid: { expiresAt: "yesterday" },
    refused: { forbidden: byViewer },
    events: "share_link.created",
  },
  "shareLink.list": {
    who: onArtifact("share", shares),
    input: it,
    invalid: { cursor: "no cursor" },
    refused: { forbidden: byViewer },
    events: null,
  },
  "shareLink.revoke": {
    who: onArtifact("share", shares),
    input: async ({ shareLinkId }) => ({ shareLinkId: await shareLinkId() }),
    refused: { forbidden: byViewer },
    events: "share_link.revoked",
  },
  "shareLink.resolve": {
    who: onShareToken,
    input: () => ({}),
    headers: ({ shareToken }) => ({ "x-share-token": shareToken }),
    refused: { not_found: (_fixtures, right) => ({ by: right, headers: { "x-share-token": "pls_never" } }) },
    events: null,
  },
  "audit.list": {
    who: onAudit,
    input: (setting, state) => (state === "plain" ? {} : it(setting)),
    invalid: { kind: "nothing" },
    refused: { forbidden: byViewer },
    events: null,
  },
  "audit.listInWorkspace": {
    who: onWorkspace("administer", readsAccess),
    input: ({ workspaceId }) => ({ workspaceId }),
    refused: { forbidden: byViewer },
    events: null,
  },
};
