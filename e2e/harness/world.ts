// One small world of people and artifacts, and for every operation an input that succeeds in it. An operation
// added to the registry does not compile here until it has one.
import type { Client } from "@plinth/contract/client";
import type { Input, OperationName, Output } from "@plinth/contract/registry";
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

export interface World {
  readonly instance: Instance;
  readonly operator: Client;
  readonly anyone: Client;
  readonly owner: Person;
  /** Sees the owner's workspace and may change nothing in it. */
  readonly viewer: Person;
  readonly stranger: Person;
  /** The owner's browser session, as a cookie. */
  readonly session: string;
  readonly project: Output<"project.create">;
  /** Public markdown with two versions. */
  readonly artifact: Output<"artifact.create">;
  readonly jsx: Output<"artifact.create">;
}

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
  const session = await signIn(instance, owner.userId);
  const anyone = clientOf(instance.origin);
  return { instance, operator, anyone, owner, viewer, stranger, session, project, artifact, jsx };
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
  "member.leave": ownWorkspace,
  "member.setRole": (world) => ({ ...ownWorkspace(world), userId: world.viewer.userId, role: "viewer" }),
  "member.remove": (world) => ({ ...ownWorkspace(world), userId: world.viewer.userId }),
  "invitation.create": (world) => ({ ...ownWorkspace(world), email: `${fresh("guest")}@example.com`, role: "viewer" }),
  "invitation.list": ownWorkspace,
  "invitation.revoke": () => ({ invitationId: `inv_${"0".repeat(26)}` }),
  "invitation.accept": () => ({ token: "a token" }),
  "apiKey.list": () => ({ limit: 5 }),
  "apiKey.create": () => ({ name: "A key", scopes: ["artifacts:read"] }),
  "apiKey.revoke": () => ({ apiKeyId: `key_${"0".repeat(26)}` }),
  "apiKey.rotate": () => ({ apiKeyId: `key_${"0".repeat(26)}` }),
  "agent.list": () => ({ limit: 5 }),
  "agent.create": () => ({ name: "An agent", scopes: ["artifacts:read"] }),
  "agent.exchangeLogin": () => ({ name: "A host" }),
  "agent.revoke": () => ({ agentId: `agt_${"0".repeat(26)}` }),
  "session.list": () => ({ limit: 5 }),
  "session.end": () => ({ sessionId: `ses_${"0".repeat(26)}` }),
  "identity.providers": () => ({}),
  "identity.describeSignInLink": () => ({ token: "a token" }),
  "oauth.describeConsent": () => ({ query: "client_id=plinth-cli" }),
  "oauth.decideConsent": () => ({ query: "client_id=plinth-cli", accept: true }),
  "oauth.describeDevice": () => ({ userCode: "WDJB-MJHT" }),
  "oauth.decideDevice": () => ({ userCode: "WDJB-MJHT", approve: true }),
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

/** A key of the owner's with every scope but the one given. */
export function keyWithout(world: World, scope: Scope): Promise<string> {
  return createKey(
    world.instance,
    world.owner.userId,
    scopes.filter((name) => name !== scope),
  );
}
