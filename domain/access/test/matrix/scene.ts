// The test data of the matrix: one workspace with a person in every role, an artifact in each state with links of each
// kind, and the things that each person owns.
import type { WorkspaceRole } from "@plinth/contract/roles";
import { artifactStates, type ArtifactState } from "@plinth/contract/test/rules";
import { emptyFile, fileBeside } from "@plinth/contract/test/fixtures";
import { newId } from "@plinth/db/columns";
import { credential, invitation, membership, workspace } from "@plinth/db/schema/accounts";
import { formerArtifactAddress, formerProjectAddress, shareLink, version } from "@plinth/db/schema/artifacts";
import { deviceCode } from "@plinth/db/schema/identity";
import { and, eq, sql } from "drizzle-orm";

import { authorize } from "../../../identity/oauth/authorize.ts";
import type { QueuedJob } from "../../../queue/queue.ts";
import { createSetup, operatorToken, type Caller, type Setup, emptyQueue } from "../../../test/context.ts";
import { invitationUrl } from "../../../tokens/invitation-token.ts";
import { mintToken, tokenHash } from "../../../tokens/token.ts";
import { commandLineClient } from "@plinth/contract/oauth";
import { encodeId } from "@plinth/contract/ids";

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
  const setup = await createSetup({}, queue);
  const owner = await player(setup);
  const { workspaceId } = await ownWorkspace(setup, owner);
  const listed = await player(setup);
  const elsewhere = await setup.team({ [owner.userId]: "admin", [listed.userId]: "admin" });
  const another = await setup.team({});
  const member = async (role: WorkspaceRole) => {
    const made = await player(setup);
    await setup.db.orm.insert(membership).values({ workspaceId, userId: made.userId, role });
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
    stranger: await player(setup),
    listed,
    unverified: await player(setup, false),
  };
  const places = await createPlaces(setup, people);
  const home = {
    workspaceId,
    username: owner.username,
    invitationId: await invite(setup, workspaceId, "guest@example.org"),
    /** Held to the workspace, and created by the author of the artifacts. */
    apiKeyId: await heldCredential(setup, people.maker, workspaceId, "api_key"),
    agentId: await heldCredential(setup, people.maker, workspaceId, "agent"),
  };
  return {
    setup,
    people,
    places,
    home,
    elsewhere,
    another: { ...another, invitationId: await invite(setup, another.workspaceId, "other@example.org") },
    waiting: {
      signInLink: await signInLink(setup, people.stranger),
      userCode: await waitingDevice(setup),
      /** The query of a page that asks for consent. */
      consent: (session: Caller) => consentQuery(setup, session),
    },
    close: () => setup.close(),
  };
}

async function player(setup: Setup, emailVerified = true): Promise<Player> {
  const username = setup.name("user");
  const email = `${username}@example.org`;
  const { userId } = await setup.call("operator.createUser", { email, username, emailVerified }, { as: operatorToken });
  const session = await setup.session(userId);
  const key = await setup.key(userId);
  const agent = await setup.call("agent.create", { name: "a", scopes: ["artifacts:read"] }, { as: session });
  const other = await setup.session(userId);
  const { sessions } = await setup.call("session.list", {}, { as: session });
  const spare = await setup.call("apiKey.create", { name: "k", scopes: ["artifacts:read"] }, { as: session });
  const invited = await setup.team({});
  const invitationId = await invite(setup, invited.workspaceId, email);
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
      invitation: invitationToken(setup, invitationId),
    },
  };
}

async function ownWorkspace(setup: Setup, { userId }: Player) {
  const [row] = await setup.db.orm.select().from(workspace).where(eq(workspace.personalOf, userId));
  if (row === undefined) throw new Error("a person has a workspace");
  return row;
}

async function invite(setup: Setup, workspaceId: string, email: string): Promise<string> {
  const invitationId = newId("inv");
  const expiresAt = new Date(Date.now() + 86_400_000);
  const invitedBy = { type: "operator" as const, id: "operator", label: "Operator" };
  await setup.db.orm
    .insert(invitation)
    .values({ invitationId, workspaceId, email, role: "viewer", expiresAt, invitedBy });
  return invitationId;
}

export const invitationToken = ({ instance }: Setup, invitationId: string): string =>
  new URL(invitationUrl(instance.config, invitationId)).hash.slice(1);

async function heldCredential(
  setup: Setup,
  { userId }: Player,
  workspaceId: string,
  kind: "api_key" | "agent",
): Promise<string> {
  const credentialId = Bun.randomUUIDv7();
  const createdBy = { type: "user" as const, id: userId, label: "someone" };
  await setup.db.orm.insert(credential).values({
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
  setup: Setup,
  people: Readonly<Record<"owner" | "maker" | "listed" | "unverified", Player>>,
): Promise<Record<ArtifactState, Place>> {
  const places = await Promise.all(
    artifactStates.map(async (state) => [state, await createPlace(setup, people, state)] as const),
  );
  return Object.fromEntries(places) as Record<ArtifactState, Place>;
}

/** Each artifact had this slug, and each project one that ends in it. */
export const formerSlug = "former";

async function createPlace(
  setup: Setup,
  { owner, maker, listed, unverified }: Readonly<Record<"owner" | "maker" | "listed" | "unverified", Player>>,
  state: ArtifactState,
): Promise<Place> {
  const foreign = await foreignArtifact(setup);
  if (state === "missing") {
    const unknown = { shareLinkId: newId("shr"), token: mintToken("share") };
    const links = { viewer: unknown, editor: unknown, expired: unknown, revoked: unknown };
    const nowhere = { artifactId: newId("art"), slug: "missing", projectId: newId("prj"), projectSlug: "missing" };
    return { ...nowhere, links: { ...links, foreign: await link(setup, foreign, "foreign") } };
  }
  const project = await setup.project(owner.session);
  const { workspaceId } = project;
  await setup.call("file.upload", { workspaceId, sha256: emptyFile }, { as: owner.session });
  const { artifactId, slug } = await setup.publish(maker.key, project.slug, {
    ownerUsername: owner.username,
    files: [{ path: fileBeside, sha256: emptyFile }],
    content: "# First\n",
    access: {
      publicView: state !== "private",
      publicEdit: state === "public with edit",
      viewerEmails: [listed.email, unverified.email],
    },
  });
  await setup.call("version.create", { artifactId, content: "# Second\n" }, { as: maker.key });
  const links = {
    viewer: await link(setup, artifactId, "viewer"),
    editor: await link(setup, artifactId, "editor"),
    expired: await link(setup, artifactId, "expired"),
    revoked: await link(setup, artifactId, "revoked"),
    foreign: await link(setup, foreign, "foreign"),
  };
  const { projectId } = project;
  await setup.db.orm.insert(formerArtifactAddress).values({ projectId, slug: formerSlug, artifactId });
  await setup.db.orm
    .insert(formerProjectAddress)
    .values({ workspaceId, slug: `${project.slug}-${formerSlug}`, projectId });
  if (state === "deleted") await setup.call("artifact.delete", { artifactId }, { as: owner.session });
  if (state === "pruned") {
    // Retention needs days; its outcome is put there as it leaves it.
    await setup.db.orm
      .update(version)
      .set({ prunedAt: sql`now()`, fileSet: null })
      .where(and(eq(version.artifactId, artifactId), eq(version.versionNumber, 1)));
  }
  return { artifactId, slug, projectId: project.projectId, projectSlug: project.slug, links };
}

/** A private artifact of another person. */
async function foreignArtifact(setup: Setup): Promise<string> {
  const { token } = await setup.person();
  const { slug } = await setup.project(token);
  const access = { publicView: false, publicEdit: false };
  return (await setup.publish(token, slug, { access })).artifactId;
}

async function link(setup: Setup, artifactId: string, kind: LinkKind): Promise<Link> {
  const shareLinkId = newId("shr");
  const token = mintToken("share");
  const past = new Date(Date.now() - 60_000);
  await setup.db.orm.insert(shareLink).values({
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

async function signInLink(setup: Setup, { userId }: Player): Promise<string> {
  const { url } = await setup.call("operator.createSignInLink", { userId }, { as: operatorToken });
  return new URL(url).hash.slice(1);
}

async function waitingDevice(setup: Setup): Promise<string> {
  await setup.instance.oauth.ready();
  const userCode = "BCDF-GHJK";
  await setup.db.orm.insert(deviceCode).values({
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

async function consentQuery(setup: Setup, session: Caller): Promise<string> {
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
  const location = await authorize(setup.instance, asked.toString(), token);
  return new URL(location, setup.instance.config.publicUrl).search.slice(1);
}
