// The test data of the matrix: one workspace with a person in every role, an artifact in each state with links of each
// kind, and the things that each person owns.
import type { WorkspaceRole } from "@plinth/contract/roles";
import { newId } from "@plinth/db/columns";
import { credential, invitation, membership, workspace } from "@plinth/db/schema/accounts";
import { formerArtifactAddress, formerProjectAddress, shareLink, version } from "@plinth/db/schema/artifacts";
import { deviceCode } from "@plinth/db/schema/identity";
import { and, eq, sql } from "drizzle-orm";

import { authorize } from "../../../identity/oauth/authorize.ts";
import type { QueuedJob } from "../../../queue/queue.ts";
import { createWorld, operatorToken, type Caller, type World, emptyQueue } from "../../../test/context.ts";
import { invitationUrl } from "../../../tokens/invitation-token.ts";
import { mintToken, tokenHash } from "../../../tokens/token.ts";
import { commandLineClient } from "@plinth/contract/oauth";
import { encodeId } from "@plinth/contract/ids";
import { artifactStates, type ArtifactState } from "./expected.ts";

export const linkKinds = ["viewer", "editor", "expired", "revoked", "foreign"] as const;
export type LinkKind = (typeof linkKinds)[number];

export interface Link {
  readonly shareLinkId: string;
  readonly token: string;
}

/** An artifact in its state, with the project that holds it alone. Where it is missing, so is the project. */
export interface Place {
  readonly artifactId: string;
  readonly slug: string;
  readonly projectId: string;
  readonly projectSlug: string;
  readonly links: Readonly<Record<LinkKind, Link>>;
}

/** A caller, and the things that only this caller owns. */
export interface Player {
  readonly userId: string;
  readonly username: string;
  readonly email: string;
  /** Of a browser session, and the caller it makes. */
  readonly sessionToken: string;
  readonly session: Caller;
  /** A key with every scope. */
  readonly key: string;
  readonly own: {
    readonly apiKeyId: string;
    readonly agentId: string;
    readonly sessionId: string;
    readonly invitation: string;
  };
}

export type Scene = Awaited<ReturnType<typeof createScene>>;

const job: QueuedJob = {
  jobId: "waiting",
  kind: "purge",
  queue: "upkeep",
  state: "failed",
  attempts: 5,
  createdAt: new Date(0).toISOString(),
  error: "lost",
};

/** A queue in which one job waits for being tried again. */
const queue = {
  ...emptyQueue,
  list: () => Promise.resolve([job]),
  retry: (jobId: string) => Promise.resolve(jobId === job.jobId ? job : null),
  counts: () => Promise.resolve({ waiting: 0, active: 0, failed: 1 }),
};

export async function createScene() {
  const world = await createWorld({}, queue);
  const owner = await player(world);
  const { workspaceId } = await ownWorkspace(world, owner);
  const listed = await player(world);
  const elsewhere = await world.team({ [owner.userId]: "admin", [listed.userId]: "admin" });
  const another = await world.team({});
  const member = async (role: WorkspaceRole) => {
    const made = await player(world);
    await world.db.orm.insert(membership).values({ workspaceId, userId: made.userId, role });
    return made;
  };
  const people = {
    owner,
    admin: await member("admin"),
    member: await member("member"),
    maker: await member("member"),
    viewer: await member("viewer"),
    billing: await member("billing_admin"),
    demoted: await member("admin"),
    former: await member("admin"),
    stranger: await player(world),
    listed,
    unverified: await player(world, false),
  };
  const places = await createPlaces(world, people);
  const home = {
    workspaceId,
    username: owner.username,
    invitationId: await invite(world, workspaceId, "guest@example.org"),
    /** Held to the workspace, and created by the author of the artifacts. */
    apiKeyId: await heldCredential(world, people.maker, workspaceId, "api_key"),
    agentId: await heldCredential(world, people.maker, workspaceId, "agent"),
  };
  return {
    world,
    people,
    places,
    home,
    elsewhere,
    another: { ...another, invitationId: await invite(world, another.workspaceId, "other@example.org") },
    waiting: {
      signInLink: await signInLink(world, people.stranger),
      userCode: await waitingDevice(world),
      /** The query of a page that asks for consent. */
      consent: (session: Caller) => consentQuery(world, session),
    },
    close: () => world.close(),
  };
}

async function player(world: World, emailVerified = true): Promise<Player> {
  const username = world.name("user");
  const email = `${username}@example.org`;
  const { userId } = await world.call("operator.createUser", { email, username, emailVerified }, { as: operatorToken });
  const session = await world.session(userId);
  const key = await world.key(userId);
  const agent = await world.call("agent.create", { name: "a", scopes: ["artifacts:read"] }, { as: session });
  const other = await world.session(userId);
  const { sessions } = await world.call("session.list", {}, { as: session });
  const spare = await world.call("apiKey.create", { name: "k", scopes: ["artifacts:read"] }, { as: session });
  const invited = await world.team({});
  const invitationId = await invite(world, invited.workspaceId, email);
  if (typeof session === "string" || session.kind !== "session" || other === session) throw new Error("no session");
  return {
    userId,
    username,
    email,
    sessionToken: session.token,
    session,
    key,
    own: {
      apiKeyId: spare.apiKeyId,
      agentId: agent.agentId,
      sessionId: sessions.find(({ current }) => !current)?.sessionId ?? "",
      invitation: invitationToken(world, invitationId),
    },
  };
}

async function ownWorkspace(world: World, { userId }: Player) {
  const [row] = await world.db.orm.select().from(workspace).where(eq(workspace.personalOf, userId));
  if (row === undefined) throw new Error("a person has a workspace");
  return row;
}

async function invite(world: World, workspaceId: string, email: string): Promise<string> {
  const invitationId = newId("inv");
  const expiresAt = new Date(Date.now() + 86_400_000);
  const invitedBy = { type: "operator" as const, id: "operator", label: "Operator" };
  await world.db.orm
    .insert(invitation)
    .values({ invitationId, workspaceId, email, role: "viewer", expiresAt, invitedBy });
  return invitationId;
}

export const invitationToken = ({ instance }: World, invitationId: string): string =>
  new URL(invitationUrl(instance.config, invitationId)).hash.slice(1);

async function heldCredential(
  world: World,
  { userId }: Player,
  workspaceId: string,
  kind: "api_key" | "agent",
): Promise<string> {
  const credentialId = Bun.randomUUIDv7();
  const createdBy = { type: "user" as const, id: userId, label: "someone" };
  await world.db.orm.insert(credential).values({
    credentialId,
    kind,
    hash: Buffer.from(tokenHash(mintToken(kind === "agent" ? "agent" : "apiKey")), "hex"),
    name: "held",
    scopes: ["artifacts:read"],
    userId,
    workspaceId,
    createdBy,
  });
  return encodeId(kind === "agent" ? "agt" : "key", credentialId);
}

async function createPlaces(
  world: World,
  people: Readonly<Record<"owner" | "maker" | "listed" | "unverified", Player>>,
): Promise<Record<ArtifactState, Place>> {
  const places = await Promise.all(
    artifactStates.map(async (state) => [state, await createPlace(world, people, state)] as const),
  );
  return Object.fromEntries(places) as Record<ArtifactState, Place>;
}

/** A file beside each artifact, without a byte. */
export const fileOfPlaces = "img/logo.png";
/** Each artifact had this slug, and each project one that ends in it. */
export const formerSlug = "former";
export const emptyFile = new Bun.CryptoHasher("sha256").digest("hex");

async function createPlace(
  world: World,
  { owner, maker, listed, unverified }: Readonly<Record<"owner" | "maker" | "listed" | "unverified", Player>>,
  state: ArtifactState,
): Promise<Place> {
  const foreign = await foreignArtifact(world);
  if (state === "missing") {
    const unknown = { shareLinkId: newId("shr"), token: mintToken("share") };
    const links = { viewer: unknown, editor: unknown, expired: unknown, revoked: unknown };
    const nowhere = { artifactId: newId("art"), slug: "missing", projectId: newId("prj"), projectSlug: "missing" };
    return { ...nowhere, links: { ...links, foreign: await link(world, foreign, "foreign") } };
  }
  const project = await world.project(owner.session);
  const { workspaceId } = project;
  await world.call("file.upload", { workspaceId, sha256: emptyFile }, { as: owner.session });
  const { artifactId, slug } = await world.publish(maker.key, project.slug, {
    ownerUsername: owner.username,
    files: [{ path: fileOfPlaces, sha256: emptyFile }],
    content: "# First\n",
    access: {
      publicView: state !== "private",
      publicEdit: state === "public with edit",
      viewerEmails: [listed.email, unverified.email],
    },
  });
  await world.call("version.create", { artifactId, content: "# Second\n" }, { as: maker.key });
  const links = {
    viewer: await link(world, artifactId, "viewer"),
    editor: await link(world, artifactId, "editor"),
    expired: await link(world, artifactId, "expired"),
    revoked: await link(world, artifactId, "revoked"),
    foreign: await link(world, foreign, "foreign"),
  };
  const { projectId } = project;
  await world.db.orm.insert(formerArtifactAddress).values({ projectId, slug: formerSlug, artifactId });
  await world.db.orm
    .insert(formerProjectAddress)
    .values({ workspaceId, slug: `${project.slug}-${formerSlug}`, projectId });
  if (state === "deleted") await world.call("artifact.delete", { artifactId }, { as: owner.session });
  if (state === "pruned") {
    // Retention needs days; its outcome is put there as it leaves it.
    await world.db.orm
      .update(version)
      .set({ prunedAt: sql`now()`, fileSet: null })
      .where(and(eq(version.artifactId, artifactId), eq(version.versionNumber, 1)));
  }
  return { artifactId, slug, projectId: project.projectId, projectSlug: project.slug, links };
}

/** A private artifact of another person. */
async function foreignArtifact(world: World): Promise<string> {
  const { token } = await world.person();
  const { slug } = await world.project(token);
  const access = { publicView: false, publicEdit: false };
  return (await world.publish(token, slug, { access })).artifactId;
}

async function link(world: World, artifactId: string, kind: LinkKind): Promise<Link> {
  const shareLinkId = newId("shr");
  const token = mintToken("share");
  const past = new Date(Date.now() - 60_000);
  await world.db.orm.insert(shareLink).values({
    shareLinkId,
    artifactId,
    hash: Buffer.from(tokenHash(token), "hex"),
    role: kind === "viewer" ? "viewer" : "editor",
    createdBy: { type: "operator", id: "operator", label: "Operator" },
    ...(kind === "expired" ? { expiresAt: past } : {}),
    ...(kind === "revoked" ? { revokedAt: past } : {}),
  });
  return { shareLinkId, token };
}

async function signInLink(world: World, { userId }: Player): Promise<string> {
  const { url } = await world.call("operator.createSignInLink", { userId }, { as: operatorToken });
  return new URL(url).hash.slice(1);
}

async function waitingDevice(world: World): Promise<string> {
  await world.instance.oauth.ready();
  const userCode = "BCDF-GHJK";
  await world.db.orm.insert(deviceCode).values({
    id: crypto.randomUUID(),
    deviceCode: crypto.randomUUID(),
    userCode,
    expiresAt: new Date(Date.now() + 3_600_000),
    status: "pending",
    clientId: commandLineClient.clientId,
    oauthClientId: commandLineClient.clientId,
    scope: "artifacts:read",
  });
  return userCode;
}

async function consentQuery(world: World, session: Caller): Promise<string> {
  const asked = new URLSearchParams({
    response_type: "code",
    client_id: commandLineClient.clientId,
    redirect_uri: "http://127.0.0.1/callback",
    scope: "artifacts:read",
    state: "a-state",
    code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
    code_challenge_method: "S256",
  });
  const token = typeof session !== "string" && session.kind === "session" ? session.token : null;
  const location = await authorize(world.instance, asked.toString(), token);
  return new URL(location, world.instance.config.publicUrl).search.slice(1);
}
