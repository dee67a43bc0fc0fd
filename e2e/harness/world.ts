// One small world of people and artifacts, and for every operation an input that succeeds in it. An operation
// added to the registry does not compile here until it has one.
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
import { plant } from "./planted.ts";

export interface World {
  readonly instance: Instance;
  readonly operator: Client;
  readonly anyone: Client;
  readonly owner: Person;
  /** Sees the owner's workspace and may change nothing in it. */
  readonly viewer: Person;
  readonly stranger: Person;
  /** The owner's browser session, as a cookie; the viewer's and the stranger's likewise. */
  readonly session: string;
  readonly viewerSession: string;
  readonly strangerSession: string;
  readonly project: Output<"project.create">;
  /** Public markdown with two versions. */
  readonly artifact: Output<"artifact.create">;
  readonly jsx: Output<"artifact.create">;
  /** Of a viewer link of the artifact. */
  readonly shareToken: string;
}

/** A team that somebody else pays for and founded, in which the owner has the role. */
export async function teamOf(world: World, role?: WorkspaceRole) {
  const founder = await createPerson(world.instance);
  const client = clientOf(world.instance.origin, await signIn(world.instance, founder.userId));
  const { workspaceId } = await client.call("workspace.create", { slug: fresh("team"), name: "A team" });
  if (role) await world.operator.call("operator.setMember", { workspaceId, userId: world.owner.userId, role });
  return { workspaceId, founder, client };
}

/** The token of a new invitation for a person. */
export async function invite(client: Client, workspaceId: string, { username }: Pick<Person, "username">) {
  const wanted = { workspaceId, email: `${username}@example.com`, role: "member" as const };
  const { url } = await client.call("invitation.create", wanted);
  return plant(new URL(url ?? "").hash.slice(1));
}

const guest = () => ({ email: plant(`${fresh("guest")}@example.com`), role: "viewer" as const });

const administered = async (world: World) => ({ workspaceId: (await teamOf(world, "admin")).workspaceId });

export async function createWorld(instance: Instance): Promise<World> {
  const operator = operatorOf(instance);
  const owner = await createPerson(instance);
  const viewer = await createPerson(instance);
  const stranger = await createPerson(instance);
  await operator.call("operator.setMember", { workspaceId: owner.workspaceId, userId: viewer.userId, role: "viewer" });
  const project = await createProject(owner);
  const artifact = await createArtifact(owner, project.slug);
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
  return { instance, operator, anyone, owner, viewer, stranger, ...sessions, project, artifact, jsx, shareToken };
}

/** A new viewer link of an artifact of the person's. */
export async function shareLinkOf({ client }: Person, { artifactId }: { readonly artifactId: string }) {
  const { shareLinkId, token } = await client.call("shareLink.create", { artifactId, role: "viewer", label: "A link" });
  return { shareLinkId, token: plant(token ?? "") };
}

type Inputs = { readonly [Name in OperationName]: (world: World) => Promise<Input<Name>> | Input<Name> };

const newArtifact = (world: World) => ({
  projectSlug: world.project.slug,
  slug: fresh("artifact"),
  type: "md" as const,
  title: "A title",
  content: "# Text\n",
  access: { publicView: true, publicEdit: false },
});

/** An artifact of its own, for operations that use one up. */
export const anotherArtifact = (world: World): Promise<Output<"artifact.create">> =>
  createArtifact(world.owner, world.project.slug);

const byId = (world: World) => ({ artifactId: world.artifact.artifactId });
const ownWorkspace = (world: World) => ({ workspaceId: world.owner.workspaceId });
const byPath = (world: World) => ({
  owner: world.owner.username,
  projectSlug: world.project.slug,
  slug: world.artifact.slug,
});

const ownKey = async (world: World) => {
  const client = clientOf(world.instance.origin, world.session);
  const { apiKeyId, key } = await client.call("apiKey.create", { name: "A key", scopes: ["artifacts:read"] });
  plant(key ?? "");
  return { apiKeyId };
};

export const validInputs: Inputs = {
  "artifact.create": newArtifact,
  "artifact.createInWorkspace": (world) => ({ ...newArtifact(world), workspaceId: world.owner.workspaceId }),
  "artifact.list": () => ({ limit: 5 }),
  "artifact.listMine": () => ({ limit: 5 }),
  "artifact.get": byId,
  "artifact.getByPath": byPath,
  "artifact.patch": (world) => ({ ...byId(world), title: "Another title", description: "Said anew" }),
  "artifact.delete": async (world) => ({ artifactId: (await anotherArtifact(world)).artifactId }),
  "artifact.undelete": async (world) => {
    const { artifactId } = await anotherArtifact(world);
    await world.owner.client.call("artifact.delete", { artifactId });
    return { artifactId };
  },
  "artifact.slugAvailability": (world) => ({ ...byPath(world), slug: fresh("free") }),
  "artifact.urlPreview": (world) => ({ ...byPath(world), slug: fresh("free") }),
  "artifact.ticket": byId,
  "artifact.preview": byId,
  "artifact.thumbnail": (world) => ({ ...byId(world), size: 600 }),
  "artifact.watch": byId,
  "access.get": byId,
  "access.audience": byId,
  "access.update": (world) => ({ ...byId(world), publicView: true, publicEdit: false, viewerEmails: [] }),
  "access.explain": (world) => ({ ...byId(world), email: "ada@example.com" }),
  "shareLink.create": (world) => ({ ...byId(world), role: "viewer", label: "A link" }),
  "shareLink.list": byId,
  "shareLink.revoke": async (world) => {
    const { shareLinkId } = await shareLinkOf(world.owner, world.artifact);
    return { shareLinkId };
  },
  "shareLink.resolve": () => ({}),
  "audit.list": byId,
  "audit.listInWorkspace": ownWorkspace,
  "version.create": (world) => ({ ...byId(world), content: `# ${fresh("text")}\n`, changelog: "A change" }),
  "version.edit": async (world) => ({
    artifactId: (await anotherArtifact(world)).artifactId,
    edits: [{ oldText: "First", newText: "Edited" }],
  }),
  "version.list": byId,
  "version.content": (world) => ({ ...byId(world), version: 1 }),
  "version.diff": (world) => ({ ...byId(world), from: 1, to: 2 }),
  "version.restore": (world) => ({ ...byId(world), versionNumber: 1 }),
  "project.create": () => ({ slug: fresh("project"), title: "A project", icon: "P" }),
  "project.listMine": () => ({ limit: 5 }),
  "project.getByPath": (world) => ({ owner: world.owner.username, projectSlug: world.project.slug }),
  "project.update": (world) => ({ projectId: world.project.projectId, title: "Another title" }),
  "project.move": async (world) => {
    const { workspaceId } = await teamOf(world, "member");
    const { workspaces } = await clientOf(world.instance.origin, world.session).call("workspace.list", { limit: 100 });
    const ownerUsername = workspaces.find((each) => each.workspaceId === workspaceId)?.slug ?? "";
    return { projectId: (await createProject(world.owner)).projectId, ownerUsername };
  },
  "project.delete": async (world) => ({ projectId: (await createProject(world.owner)).projectId }),
  "project.slugAvailability": (world) => ({ owner: world.owner.username, slug: fresh("free") }),
  health: () => ({}),
  "profile.get": () => ({}),
  "profile.update": () => ({ name: "Another name" }),
  "workspace.list": () => ({ limit: 5 }),
  "workspace.create": () => ({ slug: fresh("team"), name: "A team" }),
  "workspace.projects": ownWorkspace,
  "workspace.artifacts": ownWorkspace,
  "member.list": ownWorkspace,
  "member.leave": administered,
  "member.setRole": (world) => ({ ...ownWorkspace(world), userId: world.viewer.userId, role: "viewer" }),
  "member.remove": async (world) => {
    const { workspaceId, founder } = await teamOf(world, "admin");
    return { workspaceId, userId: founder.userId };
  },
  "invitation.create": async (world) => ({ ...(await administered(world)), ...guest() }),
  "invitation.list": ownWorkspace,
  "invitation.revoke": async (world) => {
    const { workspaceId, client } = await teamOf(world, "admin");
    const { invitationId } = await client.call("invitation.create", { workspaceId, ...guest() });
    return { invitationId };
  },
  "invitation.accept": async (world) => {
    const { workspaceId, client } = await teamOf(world);
    return { token: await invite(client, workspaceId, world.owner) };
  },
  "billing.plans": () => ({}),
  "billing.get": ownWorkspace,
  "billing.refresh": ownWorkspace,
  "billing.invoices": ownWorkspace,
  "billing.checkout": (world) => ({ ...ownWorkspace(world), plan: "pro", interval: "month" }),
  "billing.portal": ownWorkspace,
  "apiKey.list": () => ({ limit: 5 }),
  "apiKey.create": () => ({ name: "A key", scopes: ["artifacts:read"] }),
  "apiKey.revoke": ownKey,
  "apiKey.rotate": ownKey,
  "agent.list": () => ({ limit: 5 }),
  "agent.create": () => ({ name: "An agent", scopes: ["artifacts:read"] }),
  "agent.exchangeLogin": () => ({ name: "A host" }),
  "agent.revokeCurrent": () => ({}),
  "agent.revoke": async (world) => {
    const { agentId } = await world.owner.client.call("agent.create", { name: "An agent", scopes: ["artifacts:read"] });
    return { agentId };
  },
  "mcp.listConnections": () => ({ limit: 5 }),
  "session.list": () => ({ limit: 5 }),
  "session.end": async (world) => {
    await signIn(world.instance, world.owner.userId);
    const { sessions } = await clientOf(world.instance.origin, world.session).call("session.list", {});
    return { sessionId: sessions.find((session) => !session.current)?.sessionId ?? "" };
  },
  "identity.providers": () => ({}),
  "identity.describeSignInLink": async (world) => {
    const { url } = await world.operator.call("operator.createSignInLink", { userId: world.stranger.userId });
    return { token: plant(new URL(url).hash.slice(1)) };
  },
  "oauth.describeConsent": async (world) => ({
    query: await askConsent(world.instance, world.session, ["artifacts:read"]),
  }),
  "oauth.decideConsent": async (world) => ({
    query: await askConsent(world.instance, world.session, ["artifacts:read"]),
    accept: true,
  }),
  "oauth.describeDevice": async (world) => ({ userCode: await userCode(world.instance, ["artifacts:read"]) }),
  "oauth.decideDevice": async (world) => ({
    userCode: await userCode(world.instance, ["artifacts:read"]),
    approve: true,
  }),
  "operator.createUser": () => {
    const username = fresh("made");
    return { email: `${username}@example.com`, username };
  },
  "operator.createApiKey": (world) => ({ userId: world.stranger.userId, name: "A key", scopes: ["artifacts:read"] }),
  "operator.createSignInLink": (world) => ({ userId: world.stranger.userId }),
  "operator.setPlan": (world) => ({ workspaceId: world.stranger.workspaceId, plan: "pro" }),
  "operator.setMember": (world) => ({
    workspaceId: world.owner.workspaceId,
    userId: world.viewer.userId,
    role: "viewer",
  }),
  "operator.listJobs": () => ({ limit: 5 }),
  "operator.retryJob": () => ({ jobId: `job_${"0".repeat(26)}` }),
  "operator.runJob": () => ({ kind: "purge" }),
  "operator.stats": () => ({}),
};

/** An input with which the operation succeeds for the owner (or the operator). */
export async function validInput(name: OperationName, world: World): Promise<Record<string, unknown>> {
  return { ...(await Promise.resolve(validInputs[name](world))) };
}

/** What an operation reads from the headers of a request, for that input to succeed. */
export const validHeaders = (name: OperationName, world: World): Readonly<Record<string, string>> =>
  name === "shareLink.resolve" ? { "x-share-token": world.shareToken } : {};

/** A key of the owner's with every scope but the one given. */
export function keyWithout(world: World, scope: Scope): Promise<string> {
  return createKey(
    world.instance,
    world.owner.userId,
    scopes.filter((name) => name !== scope),
  );
}
