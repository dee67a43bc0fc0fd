// A few people and artifacts, and for every operation an input that succeeds with them. A new operation does not
// compile here until it has one.
import type { Client } from "@plinth/contract/client";
import type { Input, OperationName, Output } from "@plinth/contract/registry";
import type { WorkspaceRole } from "@plinth/contract/roles";
import { scopes, type Scope } from "@plinth/contract/scopes";

import type { Instance } from "./instance.ts";
import {
  clientOf,
  createArtifact,
  createKey,
  createPerson,
  createProject,
  fresh,
  operatorOf,
  signIn,
  type Person,
} from "./people.ts";
import { askConsent, userCode } from "./oauth.ts";
import { trackSecret } from "./tracked-secrets.ts";

export interface Fixtures {
  readonly instance: Instance;
  readonly operator: Client;
  readonly anyone: Client;
  readonly owner: Person;
  /** Can see the owner's workspace, and change nothing in it. */
  readonly viewer: Person;
  readonly stranger: Person;
  /** The session cookie of the owner; likewise of the viewer and the stranger. */
  readonly session: string;
  readonly viewerSession: string;
  readonly strangerSession: string;
  readonly project: Output<"project.create">;
  /** Public markdown with two versions. */
  readonly artifact: Output<"artifact.create">;
  /** With a file beside it. */
  readonly filed: Output<"artifact.create">;
  readonly jsx: Output<"artifact.create">;
  /** The token of a viewer link of the artifact. */
  readonly shareToken: string;
}

/** A team of another founder who pays for it, in which the owner has the role. */
export async function teamOf(fixtures: Fixtures, role?: WorkspaceRole) {
  const founder = await createPerson(fixtures.instance);
  const client = clientOf(fixtures.instance.origin, await signIn(fixtures.instance, founder.userId));
  const { workspaceId } = await client.call("workspace.create", { slug: fresh("team"), name: "A team" });
  if (role) await fixtures.operator.call("operator.setMember", { workspaceId, userId: fixtures.owner.userId, role });
  return { workspaceId, founder, client };
}

/** The token of a new invitation for a person. */
export async function invite(client: Client, workspaceId: string, { username }: Pick<Person, "username">) {
  const wanted = { workspaceId, email: `${username}@example.com`, role: "member" as const };
  const { url } = await client.call("invitation.create", wanted);
  return trackSecret(new URL(url ?? "").hash.slice(1));
}

const guest = () => ({ email: trackSecret(`${fresh("guest")}@example.com`), role: "viewer" as const });

const administered = async (fixtures: Fixtures) => ({ workspaceId: (await teamOf(fixtures, "admin")).workspaceId });

/** A file beside the artifact `filed`, without a byte. */
export const fileOfFixtures = "img/logo.png";
export const emptyFile = new Bun.CryptoHasher("sha256").digest("hex");

export async function createFixtures(instance: Instance): Promise<Fixtures> {
  const operator = operatorOf(instance);
  const owner = await createPerson(instance);
  const viewer = await createPerson(instance);
  const stranger = await createPerson(instance);
  await operator.call("operator.setMember", { workspaceId: owner.workspaceId, userId: viewer.userId, role: "viewer" });
  const project = await createProject(owner);
  const artifact = await createArtifact(owner, project.slug);
  await owner.client.call("file.upload", { sha256: emptyFile });
  const files = [{ path: fileOfFixtures, sha256: emptyFile }];
  const filed = await createArtifact(owner, project.slug, { files });
  await owner.client.call("version.create", { artifactId: artifact.artifactId, content: "# Second\n" });
  const jsx = await createArtifact(owner, project.slug, {
    type: "jsx",
    content: "export default () => <p>Hello</p>;\n",
  });
  const shareToken = (await shareLinkOf(owner, artifact)).token;
  const session = await signIn(instance, owner.userId);
  const viewerSession = await signIn(instance, viewer.userId);
  const strangerSession = await signIn(instance, stranger.userId);
  const anyone = clientOf(instance.origin);
  const sessions = { session, viewerSession, strangerSession };
  return {
    instance,
    operator,
    anyone,
    owner,
    viewer,
    stranger,
    ...sessions,
    project,
    artifact,
    filed,
    jsx,
    shareToken,
  };
}

/** A new viewer link of a person's artifact. */
export async function shareLinkOf({ client }: Person, { artifactId }: { readonly artifactId: string }) {
  const { shareLinkId, token } = await client.call("shareLink.create", { artifactId, role: "viewer", label: "A link" });
  return { shareLinkId, token: trackSecret(token ?? "") };
}

type Inputs = { readonly [Name in OperationName]: (fixtures: Fixtures) => Promise<Input<Name>> | Input<Name> };

const newArtifact = (fixtures: Fixtures) => ({
  projectSlug: fixtures.project.slug,
  slug: fresh("artifact"),
  type: "md" as const,
  title: "A title",
  content: "# Text\n",
  access: { publicView: true, publicEdit: false },
});

/** A new artifact, for operations that change or delete it. */
export const anotherArtifact = (fixtures: Fixtures): Promise<Output<"artifact.create">> =>
  createArtifact(fixtures.owner, fixtures.project.slug);

const byId = (fixtures: Fixtures) => ({ artifactId: fixtures.artifact.artifactId });
const ownWorkspace = (fixtures: Fixtures) => ({ workspaceId: fixtures.owner.workspaceId });
const byPath = (fixtures: Fixtures) => ({
  owner: fixtures.owner.username,
  projectSlug: fixtures.project.slug,
  slug: fixtures.artifact.slug,
});

const ownKey = async (fixtures: Fixtures) => {
  const client = clientOf(fixtures.instance.origin, fixtures.session);
  const { apiKeyId, key } = await client.call("apiKey.create", { name: "A key", scopes: ["artifacts:read"] });
  trackSecret(key ?? "");
  return { apiKeyId };
};

export const validInputs: Inputs = {
  "artifact.create": newArtifact,
  "artifact.createInWorkspace": (fixtures) => ({ ...newArtifact(fixtures), workspaceId: fixtures.owner.workspaceId }),
  "artifact.list": () => ({ limit: 5 }),
  "artifact.listMine": () => ({ limit: 5 }),
  "artifact.get": byId,
  "artifact.getByPath": byPath,
  "artifact.put": (fixtures) => ({
    ...byPath(fixtures),
    type: "md",
    title: fixtures.artifact.title,
    content: `# ${fresh("put")}\n`,
  }),
  "artifact.getBySourcePath": (fixtures) => {
    const { owner, projectSlug, slug } = byPath(fixtures);
    return { owner, projectSlug, path: `${slug}.md` };
  },
  "artifact.patch": (fixtures) => ({ ...byId(fixtures), title: "Another title", description: "Said anew" }),
  "artifact.delete": async (fixtures) => ({ artifactId: (await anotherArtifact(fixtures)).artifactId }),
  "artifact.undelete": async (fixtures) => {
    const { artifactId } = await anotherArtifact(fixtures);
    await fixtures.owner.client.call("artifact.delete", { artifactId });
    return { artifactId };
  },
  "artifact.slugAvailability": (fixtures) => ({ ...byPath(fixtures), slug: fresh("free") }),
  "artifact.urlPreview": (fixtures) => ({ ...byPath(fixtures), slug: fresh("free") }),
  "artifact.ticket": byId,
  "artifact.draftTicket": byId,
  "artifact.publicDraftTicket": () => ({}),
  "artifact.preview": byId,
  "artifact.thumbnail": (fixtures) => ({ ...byId(fixtures), size: 600 }),
  "artifact.oembed": (fixtures) => ({ url: fixtures.artifact.url }),
  "artifact.watch": byId,
  "artifact.listShared": () => ({ limit: 5 }),
  "favorite.add": byId,
  "favorite.remove": byId,
  "favorite.list": () => ({ limit: 5 }),
  "recent.list": () => ({ limit: 5 }),
  "recent.clear": () => ({}),
  "access.get": byId,
  "artifact.listViews": byId,
  "artifact.listFormerAddresses": byId,
  "artifact.releaseFormerAddress": async (fixtures) => {
    const { artifactId, ownerUsername, projectSlug, slug } = await anotherArtifact(fixtures);
    await fixtures.owner.client.call("artifact.patch", { artifactId, slug: fresh("renamed") });
    return { artifactId, address: `${ownerUsername}/${projectSlug}/${slug}` };
  },
  "access.audience": byId,
  "access.update": (fixtures) => ({ ...byId(fixtures), publicView: true, publicEdit: false, viewerEmails: [] }),
  // The answer repeats it, so no account may have it: those are secrets.
  "access.explain": (fixtures) => ({ ...byId(fixtures), email: `${fresh("reader")}@example.com` }),
  "shareLink.create": (fixtures) => ({ ...byId(fixtures), role: "viewer", label: "A link" }),
  "shareLink.list": byId,
  "shareLink.revoke": async (fixtures) => {
    const { shareLinkId } = await shareLinkOf(fixtures.owner, fixtures.artifact);
    return { shareLinkId };
  },
  "shareLink.resolve": () => ({}),
  "audit.list": byId,
  "audit.listInWorkspace": ownWorkspace,
  "version.create": (fixtures) => ({ ...byId(fixtures), content: `# ${fresh("text")}\n`, changelog: "A change" }),
  "version.edit": async (fixtures) => ({
    artifactId: (await anotherArtifact(fixtures)).artifactId,
    edits: [{ oldText: "First", newText: "Edited" }],
  }),
  "version.list": byId,
  "version.content": (fixtures) => ({ ...byId(fixtures), version: 1 }),
  "version.diff": (fixtures) => ({ ...byId(fixtures), from: 1, to: 2 }),
  "version.restore": (fixtures) => ({ ...byId(fixtures), versionNumber: 1 }),
  "version.patch": (fixtures) => ({ ...byId(fixtures), versionNumber: 1, name: fresh("Name") }),
  "version.packages": (fixtures) => ({ ...byId(fixtures), versionNumber: 1 }),
  "version.retryPackages": (fixtures) => ({ ...byId(fixtures), versionNumber: 1 }),
  "version.files": ({ filed: { artifactId } }) => ({ artifactId, versionNumber: 1 }),
  "version.file": ({ filed: { artifactId } }) => ({ artifactId, path: fileOfFixtures }),
  "version.archive": ({ filed: { artifactId } }) => ({ artifactId, version: 1 }),
  "file.missing": (fixtures) => ({ ...ownWorkspace(fixtures), sha256: [emptyFile] }),
  "file.upload": (fixtures) => ({ ...ownWorkspace(fixtures), sha256: emptyFile }),
  "file.missingOfArtifact": (fixtures) => ({ ...byId(fixtures), sha256: [emptyFile] }),
  "file.uploadToArtifact": (fixtures) => ({ ...byId(fixtures), sha256: emptyFile }),
  "upload.create": (fixtures) => ({ ...ownWorkspace(fixtures), sizeBytes: 100 }),
  "upload.createForArtifact": (fixtures) => ({ ...byId(fixtures), sizeBytes: 100 }),
  "project.create": () => ({ slug: fresh("project"), title: "A project", icon: "P" }),
  "project.listMine": () => ({ limit: 5 }),
  "project.getByPath": (fixtures) => ({ owner: fixtures.owner.username, projectSlug: fixtures.project.slug }),
  "project.documents": (fixtures) => ({ owner: fixtures.owner.username, projectSlug: fixtures.project.slug }),
  "project.listFormerAddresses": (fixtures) => ({ projectId: fixtures.project.projectId }),
  "project.releaseFormerAddress": async ({ owner }) => {
    const { projectId, ownerUsername, slug } = await createProject(owner);
    await owner.client.call("project.update", { projectId, slug: fresh("renamed") });
    return { projectId, address: `${ownerUsername}/${slug}` };
  },
  "project.update": (fixtures) => ({ projectId: fixtures.project.projectId, title: "Another title" }),
  "project.move": async (fixtures) => {
    const { workspaceId } = await teamOf(fixtures, "member");
    const { workspaces } = await clientOf(fixtures.instance.origin, fixtures.session).call("workspace.list", {
      limit: 100,
    });
    const ownerUsername = workspaces.find((each) => each.workspaceId === workspaceId)?.slug ?? "";
    return { projectId: (await createProject(fixtures.owner)).projectId, ownerUsername };
  },
  "project.delete": async (fixtures) => ({ projectId: (await createProject(fixtures.owner)).projectId }),
  "project.slugAvailability": (fixtures) => ({ owner: fixtures.owner.username, slug: fresh("free") }),
  health: () => ({}),
  "profile.get": () => ({}),
  "profile.update": () => ({ name: "Another name" }),
  "workspace.list": () => ({ limit: 5 }),
  "workspace.create": () => ({ slug: fresh("team"), name: "A team" }),
  "workspace.projects": ownWorkspace,
  "workspace.artifacts": ownWorkspace,
  "workspace.draftTicket": ownWorkspace,
  "member.list": ownWorkspace,
  "member.leave": administered,
  "member.setRole": (fixtures) => ({ ...ownWorkspace(fixtures), userId: fixtures.viewer.userId, role: "viewer" }),
  "member.remove": async (fixtures) => {
    const { workspaceId, founder } = await teamOf(fixtures, "admin");
    return { workspaceId, userId: founder.userId };
  },
  "invitation.create": async (fixtures) => ({ ...(await administered(fixtures)), ...guest() }),
  "invitation.list": ownWorkspace,
  "invitation.revoke": async (fixtures) => {
    const { workspaceId, client } = await teamOf(fixtures, "admin");
    const { invitationId } = await client.call("invitation.create", { workspaceId, ...guest() });
    return { invitationId };
  },
  "invitation.accept": async (fixtures) => {
    const { workspaceId, client } = await teamOf(fixtures);
    return { token: await invite(client, workspaceId, fixtures.owner) };
  },
  "invitation.describe": async (fixtures) => {
    const { workspaceId, client } = await teamOf(fixtures);
    return { token: await invite(client, workspaceId, fixtures.owner) };
  },
  "billing.plans": () => ({}),
  "billing.get": ownWorkspace,
  "billing.refresh": ownWorkspace,
  "billing.invoices": ownWorkspace,
  "billing.checkout": (fixtures) => ({ ...ownWorkspace(fixtures), plan: "pro", interval: "month" }),
  "billing.portal": ownWorkspace,
  "apiKey.list": () => ({ limit: 5 }),
  "apiKey.create": () => ({ name: "A key", scopes: ["artifacts:read"] }),
  "apiKey.revoke": ownKey,
  "apiKey.rotate": ownKey,
  "agent.list": async ({ owner }) => {
    // A list that is empty says nothing in NDJSON.
    await owner.client.call("agent.create", { name: "An agent", scopes: ["artifacts:read"] });
    return { limit: 5 };
  },
  "agent.create": () => ({ name: "An agent", scopes: ["artifacts:read"] }),
  "agent.exchangeLogin": () => ({ name: "A host" }),
  "agent.revokeCurrent": () => ({}),
  "agent.revoke": async (fixtures) => {
    const { agentId } = await fixtures.owner.client.call("agent.create", {
      name: "An agent",
      scopes: ["artifacts:read"],
    });
    return { agentId };
  },
  "mcp.listConnections": () => ({ limit: 5 }),
  "session.list": () => ({ limit: 5 }),
  "session.end": async (fixtures) => {
    await signIn(fixtures.instance, fixtures.owner.userId);
    const { sessions } = await clientOf(fixtures.instance.origin, fixtures.session).call("session.list", {});
    return { sessionId: sessions.find((session) => !session.current)?.sessionId ?? "" };
  },
  "identity.providers": () => ({}),
  "identity.describeSignInLink": async (fixtures) => {
    const { url } = await fixtures.operator.call("operator.createSignInLink", { userId: fixtures.stranger.userId });
    return { token: trackSecret(new URL(url).hash.slice(1)) };
  },
  "oauth.describeConsent": async (fixtures) => ({
    query: await askConsent(fixtures.instance, fixtures.session, ["artifacts:read"]),
  }),
  "oauth.decideConsent": async (fixtures) => ({
    query: await askConsent(fixtures.instance, fixtures.session, ["artifacts:read"]),
    accept: true,
  }),
  "oauth.describeDevice": async (fixtures) => ({ userCode: await userCode(fixtures.instance, ["artifacts:read"]) }),
  "oauth.decideDevice": async (fixtures) => ({
    userCode: await userCode(fixtures.instance, ["artifacts:read"]),
    approve: true,
  }),
  "operator.createUser": () => {
    const username = fresh("made");
    return { email: `${username}@example.com`, username };
  },
  "operator.createApiKey": (fixtures) => ({
    userId: fixtures.stranger.userId,
    name: "A key",
    scopes: ["artifacts:read"],
  }),
  "operator.createSignInLink": (fixtures) => ({ userId: fixtures.stranger.userId }),
  "operator.setPlan": (fixtures) => ({ workspaceId: fixtures.stranger.workspaceId, plan: "pro" }),
  "operator.setMember": (fixtures) => ({
    workspaceId: fixtures.owner.workspaceId,
    userId: fixtures.viewer.userId,
    role: "viewer",
  }),
  "operator.listJobs": () => ({ limit: 5 }),
  "operator.retryJob": () => ({ jobId: `job_${"0".repeat(26)}` }),
  "operator.runJob": () => ({ kind: "purge" }),
  "operator.stats": () => ({}),
};

/** An input with which the operation succeeds for the owner (or the operator). */
export async function validInput(name: OperationName, fixtures: Fixtures): Promise<Record<string, unknown>> {
  return { ...(await Promise.resolve(validInputs[name](fixtures))) };
}

/** The request headers that the operation needs with that input. */
export const validHeaders = (name: OperationName, fixtures: Fixtures): Readonly<Record<string, string>> =>
  name === "shareLink.resolve" ? { "x-share-token": fixtures.shareToken } : {};

/** A key of the owner with every scope except the given one. */
export function keyWithout(fixtures: Fixtures, scope: Scope): Promise<string> {
  return createKey(
    fixtures.instance,
    fixtures.owner.userId,
    scopes.filter((name) => name !== scope),
  );
}
