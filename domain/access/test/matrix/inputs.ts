// For every operation the states it is asked in, each with an input that is right but for who sends it. An operation that
// is not here does not compile.
import type { Input, OperationName } from "@plinth/contract/registry";
import { scopes } from "@plinth/contract/scopes";
import { newId } from "@plinth/db/columns";

import type { Caller } from "../../../test/context.ts";
import { artifactStates, type ArtifactState, type State } from "./expected.ts";
import type { Principal } from "./principals.ts";
import { emptyFile, fileOfPlaces, formerSlug, invitationToken, type Place, type Scene } from "./scene.ts";

type Make<Name extends OperationName> = (who: Principal) => Input<Name> | Promise<Input<Name>>;

export type Inputs = { readonly [Name in OperationName]: Partial<Readonly<Record<State, Make<Name>>>> };

export function createInputs({ setup, people, places, home, another, waiting }: Scene): Inputs {
  const each = <Made>(make: (place: Place, state: ArtifactState) => Made) =>
    Object.fromEntries(artifactStates.map((state) => [state, () => make(places[state], state)])) as Record<
      ArtifactState,
      () => Made
    >;
  const plain = <Made extends object>(made: Made) => ({ plain: () => made });
  const byId = each(({ artifactId }) => ({ artifactId }));
  const address = ({ projectSlug, slug }: Place) => ({ owner: home.username, projectSlug, slug });
  const nowhere = { workspaceId: newId("wsp") };
  const inWorkspaces = <More extends object>(more: More) => ({
    home: () => ({ workspaceId: home.workspaceId, ...more }),
    "another's": () => ({ workspaceId: another.workspaceId, ...more }),
    missing: () => ({ ...nowhere, ...more }),
  });
  const newArtifact = ({ projectSlug }: Place) => ({
    projectSlug,
    slug: "new",
    type: "md" as const,
    title: "New",
    content: "# New\n",
    access: { publicView: true, publicEdit: false },
  });
  const newProject = { slug: "new", title: "New", icon: "n" };
  const own = {
    apiKey: (who: Principal) => ({ apiKeyId: who.player.own.apiKeyId }),
    agent: (who: Principal) => ({ agentId: who.player.own.agentId }),
    session: (who: Principal) => ({ sessionId: who.player.own.sessionId }),
  };
  /** Whose things are theirs and not the principal's. */
  const other = (who: Principal) => (who.player === people.stranger ? people.viewer : people.stranger);
  /** The browser that opens a page of the authorization server: in the principal's session, else in another person's. */
  const browser = ({ as }: Principal): Caller =>
    typeof as !== "string" && as.kind === "session" ? as : people.viewer.session;

  return {
    "artifact.create": each((place) => ({ ownerUsername: home.username, ...newArtifact(place) })),
    "artifact.createInWorkspace": each((place) => ({ workspaceId: home.workspaceId, ...newArtifact(place) })),
    "artifact.list": each(() => ({ limit: 100 })),
    "artifact.listMine": each(() => ({ limit: 100 })),
    "artifact.get": byId,
    "artifact.getByPath": each(address),
    "artifact.put": each((place) => ({
      ...address(place),
      type: "md" as const,
      title: "Put",
      content: "# Put\n",
    })),
    "artifact.getBySourcePath": each((place) => ({
      owner: home.username,
      projectSlug: place.projectSlug,
      path: `guide/${place.slug}.md`,
    })),
    "artifact.patch": {
      ...Object.fromEntries(
        artifactStates.flatMap((state) => {
          const { artifactId } = places[state];
          return [
            [`${state}, title`, () => ({ artifactId, title: "Anew", description: "Said anew" })],
            [`${state}, address`, () => ({ artifactId, slug: "elsewhere" })],
          ];
        }),
      ),
    },
    "artifact.delete": byId,
    "artifact.undelete": byId,
    "artifact.slugAvailability": each((place) => ({ ...address(place), slug: "free" })),
    "artifact.urlPreview": each((place) => ({ ...address(place), slug: "free" })),
    "artifact.ticket": each(({ artifactId }) => ({ artifactId, version: 1 })),
    "artifact.draftTicket": byId,
    "artifact.publicDraftTicket": plain({}),
    "artifact.preview": each(({ artifactId }) => ({ artifactId, version: 1 })),
    "artifact.thumbnail": byId,
    "artifact.oembed": each((place) => {
      const { owner, projectSlug, slug } = address(place);
      return { url: `${setup.instance.config.publicUrl}/${owner}/${projectSlug}/${slug}` };
    }),
    "artifact.watch": byId,
    "artifact.listShared": each(() => ({ limit: 100 })),
    "favorite.add": byId,
    "favorite.remove": byId,
    "favorite.list": each(() => ({ limit: 100 })),
    "recent.list": each(() => ({ limit: 100 })),
    "recent.clear": each(() => ({})),
    "access.get": byId,
    "artifact.listViews": byId,
    "artifact.listFormerAddresses": byId,
    "artifact.releaseFormerAddress": each(({ artifactId, projectSlug }) => ({
      artifactId,
      address: `${home.username}/${projectSlug}/${formerSlug}`,
    })),
    "access.audience": byId,
    "access.update": each(({ artifactId }) => ({ artifactId, publicView: true, publicEdit: false, viewerEmails: [] })),
    "access.explain": each(({ artifactId }) => ({ artifactId, email: people.listed.email })),
    "shareLink.create": each(({ artifactId }) => ({ artifactId, role: "viewer" as const })),
    "shareLink.list": byId,
    "shareLink.revoke": each(({ links }) => ({ shareLinkId: links.viewer.shareLinkId })),
    "shareLink.resolve": each(() => ({})),
    "audit.list": { ...byId, ...plain({}) },
    "audit.listInWorkspace": inWorkspaces({}),
    "version.create": each(({ artifactId }) => ({ artifactId, content: "# Third\n", expectedLatestVersion: 2 })),
    "version.edit": each(({ artifactId }) => ({ artifactId, edits: [{ oldText: "Second", newText: "Third" }] })),
    "version.list": byId,
    "version.content": each(({ artifactId }) => ({ artifactId, version: 1 })),
    "version.diff": each(({ artifactId }) => ({ artifactId, from: 1, to: 2 })),
    "version.restore": each(({ artifactId }) => ({ artifactId, versionNumber: 1 })),
    "version.patch": each(({ artifactId }) => ({ artifactId, versionNumber: 1, name: "Final" })),
    "version.packages": each(({ artifactId }) => ({ artifactId, versionNumber: 1 })),
    "version.retryPackages": each(({ artifactId }) => ({ artifactId, versionNumber: 1 })),
    "version.files": each(({ artifactId }) => ({ artifactId, versionNumber: 1 })),
    "version.file": each(({ artifactId }) => ({ artifactId, path: fileOfPlaces, version: 1 })),
    "version.archive": each(({ artifactId }) => ({ artifactId, version: 1 })),
    "file.missing": inWorkspaces({ sha256: [emptyFile] }),
    "file.upload": inWorkspaces({ sha256: emptyFile }),
    "file.missingOfArtifact": each(({ artifactId }) => ({ artifactId, sha256: [emptyFile] })),
    "file.uploadToArtifact": each(({ artifactId }) => ({ artifactId, sha256: emptyFile })),
    "upload.create": inWorkspaces({ sizeBytes: 1 }),
    "upload.createForArtifact": each(({ artifactId }) => ({ artifactId, sizeBytes: 1 })),
    "project.create": {
      home: () => ({ ownerUsername: home.username, ...newProject }),
      "another's": () => ({ ownerUsername: another.slug, ...newProject }),
      own: () => newProject,
      missing: () => ({ ownerUsername: "nobody-of-this-name", ...newProject }),
    },
    "project.listMine": each(() => ({ limit: 100 })),
    "project.getByPath": each(({ projectSlug }) => ({ owner: home.username, projectSlug })),
    "project.documents": each(({ projectSlug }) => ({ owner: home.username, projectSlug })),
    "project.listFormerAddresses": each(({ projectId }) => ({ projectId })),
    "project.releaseFormerAddress": each(({ projectId, projectSlug }) => ({
      projectId,
      address: `${home.username}/${projectSlug}-${formerSlug}`,
    })),
    "project.update": each(({ projectId }) => ({ projectId, title: "Anew" })),
    "project.move": Object.fromEntries(
      artifactStates.flatMap((state) => {
        const { projectId } = places[state];
        return [
          [state, () => ({ projectId, ownerUsername: home.username })],
          [`${state}, to own`, (who: Principal) => ({ projectId, ownerUsername: who.player.username })],
          [`${state}, to another's`, () => ({ projectId, ownerUsername: another.slug })],
        ];
      }),
    ),
    "project.delete": each(({ projectId }) => ({ projectId })),
    "project.slugAvailability": {
      home: () => ({ owner: home.username, slug: "free" }),
      "another's": () => ({ owner: another.slug, slug: "free" }),
      missing: () => ({ owner: "nobody-of-this-name", slug: "free" }),
    },
    health: plain({}),
    "profile.get": plain({}),
    "profile.update": plain({ name: "Another name" }),
    "workspace.list": plain({}),
    "workspace.create": plain({ slug: "a-new-team", name: "A team" }),
    "workspace.projects": each(() => ({ workspaceId: home.workspaceId, limit: 100 })),
    "workspace.artifacts": each(() => ({ workspaceId: home.workspaceId, limit: 100 })),
    "workspace.draftTicket": inWorkspaces({}),
    "member.list": inWorkspaces({}),
    "member.leave": inWorkspaces({}),
    "member.setRole": inWorkspaces({ userId: people.billing.userId, role: "viewer" as const }),
    "member.remove": inWorkspaces({ userId: people.billing.userId }),
    "invitation.create": inWorkspaces({ email: "someone@example.org", role: "viewer" as const }),
    "invitation.list": inWorkspaces({}),
    "invitation.revoke": {
      home: () => ({ invitationId: home.invitationId }),
      "another's": () => ({ invitationId: another.invitationId }),
      missing: () => ({ invitationId: newId("inv") }),
    },
    "invitation.describe": {
      home: () => ({ token: invitationToken(setup, home.invitationId) }),
      missing: () => ({ token: invitationToken(setup, newId("inv")) }),
    },
    "invitation.accept": {
      own: (who) => ({ token: who.player.own.invitation }),
      "another's": (who) => ({ token: other(who).own.invitation }),
      missing: () => ({ token: invitationToken(setup, newId("inv")) }),
    },
    "billing.plans": plain({}),
    "billing.get": { ...inWorkspaces({}), own: () => ({}) },
    "billing.refresh": inWorkspaces({}),
    "billing.invoices": { ...inWorkspaces({}), own: () => ({}) },
    "billing.checkout": inWorkspaces({ plan: "team" as const, interval: "month" as const }),
    "billing.portal": inWorkspaces({}),
    "apiKey.list": plain({}),
    "apiKey.create": {
      within: () => ({ name: "k", scopes: ["artifacts:read"] }),
      wider: () => ({ name: "k", scopes: [...scopes] }),
      home: () => ({ name: "k", scopes: ["artifacts:read"], workspaceId: home.workspaceId }),
      missing: () => ({ name: "k", scopes: ["artifacts:read"], ...nowhere }),
    },
    "apiKey.revoke": {
      own: own.apiKey,
      home: () => ({ apiKeyId: home.apiKeyId }),
      "another's": (who) => ({ apiKeyId: other(who).own.apiKeyId }),
      missing: () => ({ apiKeyId: newId("key") }),
    },
    "apiKey.rotate": {
      own: own.apiKey,
      home: () => ({ apiKeyId: home.apiKeyId }),
      "another's": (who) => ({ apiKeyId: other(who).own.apiKeyId }),
      missing: () => ({ apiKeyId: newId("key") }),
    },
    "agent.list": plain({}),
    "agent.create": {
      within: () => ({ name: "a", scopes: ["agents:manage"] }),
      wider: () => ({ name: "a", scopes: [...scopes] }),
      home: () => ({ name: "a", scopes: ["agents:manage"], workspaceId: home.workspaceId }),
      missing: () => ({ name: "a", scopes: ["agents:manage"], ...nowhere }),
    },
    "agent.exchangeLogin": plain({ name: "host" }),
    "agent.revokeCurrent": plain({}),
    "agent.revoke": {
      own: own.agent,
      home: () => ({ agentId: home.agentId }),
      "another's": (who) => ({ agentId: other(who).own.agentId }),
      missing: () => ({ agentId: newId("agt") }),
    },
    "mcp.listConnections": plain({}),
    "session.list": plain({}),
    "session.end": {
      own: own.session,
      "another's": (who) => ({ sessionId: other(who).own.sessionId }),
      missing: () => ({ sessionId: newId("ses") }),
    },
    "identity.providers": plain({}),
    "identity.describeSignInLink": {
      home: () => ({ token: waiting.signInLink }),
      missing: () => ({ token: "never-handed-out" }),
    },
    "oauth.describeConsent": { plain: async (who) => ({ query: await waiting.consent(browser(who)) }) },
    "oauth.decideConsent": { plain: async (who) => ({ query: await waiting.consent(browser(who)), accept: true }) },
    "oauth.describeDevice": {
      home: () => ({ userCode: waiting.userCode }),
      missing: () => ({ userCode: "BBBB-BBBB" }),
    },
    "oauth.decideDevice": {
      home: () => ({ userCode: waiting.userCode, approve: true }),
      missing: () => ({ userCode: "BBBB-BBBB", approve: true }),
    },
    "operator.createUser": plain({ email: "made@example.org", username: "made-anew" }),
    "operator.createApiKey": {
      home: () => ({ userId: people.stranger.userId, name: "k", scopes: ["artifacts:read"] }),
      missing: () => ({ userId: newId("usr"), name: "k", scopes: ["artifacts:read"] }),
    },
    "operator.createSignInLink": {
      home: () => ({ userId: people.stranger.userId }),
      missing: () => ({ userId: newId("usr") }),
    },
    "operator.setPlan": {
      home: () => ({ workspaceId: home.workspaceId, plan: "team" }),
      missing: () => ({ ...nowhere, plan: "team" }),
    },
    "operator.setMember": {
      home: () => ({ workspaceId: home.workspaceId, userId: people.stranger.userId, role: "viewer" }),
      missing: () => ({ ...nowhere, userId: people.stranger.userId, role: "viewer" }),
    },
    "operator.listJobs": plain({}),
    "operator.retryJob": { home: () => ({ jobId: "waiting" }), missing: () => ({ jobId: "unknown" }) },
    "operator.runJob": plain({ kind: "purge" as const }),
    "operator.stats": plain({}),
  };
}
