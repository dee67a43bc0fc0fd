// How to make an operation refuse, code by code: a request that is right but for the one thing the code is about, and
// that whoever tests a surface sends through it. Codes that need another instance or a fault of the database (rate_limited, unavailable) are not here.
import { ProblemError } from "@plinth/contract/client";
import type { ErrorCode } from "@plinth/contract/errors";
import { contentBytes } from "@plinth/contract/limits";
import { operations, registry, type OperationName } from "@plinth/contract/registry";

import { call, rightToken, type Attempt, type Fields, type NamedOperation } from "./call.ts";
import { loginToken } from "./oauth.ts";
import { clientOf, createArtifact, createKey, createPerson, createProject, fresh, signIn } from "./people.ts";
import { anotherArtifact, invite, keyWithout, teamOf, type World } from "./world.ts";

/** Prepares what the refusal needs; sending the attempt changes nothing, however often. */
export type Provoke = (world: World, op: NamedOperation) => Promise<Attempt>;
const right =
  (changes: Fields): Provoke =>
  async (world, op) => ({ token: await rightToken(world, op), changes });
const own =
  (make: (world: World) => Promise<Fields>): Provoke =>
  async (world, op) => ({ token: await rightToken(world, op), changes: await make(world) });
const viewer: Provoke = async (world, op) => ({ token: op.credential ? world.viewerSession : world.viewer.token });
/** What only people do, tried with a key that holds every scope. */
const byKey: Provoke = async (world) => ({ token: world.owner.token });

const strayField: Provoke = async (world, op) => ({ token: await rightToken(world, op), stray: { surprise: 1 } });

/** The same key for another request: a body of another content, or for a route without one another path. */
const reusedKey: Provoke = async (world, op) => {
  const token = await rightToken(world, op);
  const headers = { "idempotency-key": fresh("idempotency") };
  const other = op.caller === "operator" ? registry["operator.createUser"] : registry["project.create"];
  await call(world, other, token, {}, headers);
  return { token, headers };
};

const missing = {
  id: {
    artifactId: `art_${"0".repeat(26)}`,
    shareLinkId: `shr_${"0".repeat(26)}`,
    projectId: `prj_${"0".repeat(26)}`,
    workspaceId: `wsp_${"0".repeat(26)}`,
    invitationId: `inv_${"0".repeat(26)}`,
    apiKeyId: `key_${"0".repeat(26)}`,
    agentId: `agt_${"0".repeat(26)}`,
    sessionId: `ses_${"0".repeat(26)}`,
    token: "never handed out",
    userCode: "BBBB-BBBB",
  },
  path: { owner: "nobody-of-this-name" },
} as const;

const hidden: Provoke = async (world, op) => {
  if (op.caller === "operator") return { token: world.owner.token };
  if (op.name === "shareLink.resolve") return { token: world.owner.token, headers: { "x-share-token": "pls_never" } };
  const names = Object.keys(op.input.properties);
  const absent = names.includes("owner")
    ? missing.path
    : names.includes("projectSlug") && !names.includes("artifactId")
      ? { projectSlug: "nothing-here" }
      : missing.id;
  const nobody = op.name === "project.create" ? { ownerUsername: "nobody-of-this-name" } : absent;
  return {
    token: await rightToken(world, op),
    changes: Object.fromEntries(Object.entries(nobody).filter(([name]) => names.includes(name))),
  };
};

const tooLarge = "a".repeat(contentBytes.default + 1);
const privately = { access: { publicView: false, publicEdit: false } };

const badJsx = own(async (world) => ({ artifactId: world.jsx.artifactId, content: "export default () => <p>" }));
const takenSlug = (world: World) => ({ slug: world.artifact.slug });

/** The one admin of a workspace, who is the caller. */
const lastAdmin: Provoke = async (world, op) => {
  const { workspaceId, userId } = world.owner;
  const fields = { workspaceId, userId, role: "member" };
  const taken = Object.entries(fields).filter(([name]) => name in op.input.properties);
  return { token: world.session, changes: Object.fromEntries(taken) };
};

/** An invitation of the owner's that they have accepted. */
async function acceptedInvitation(world: World) {
  const { workspaceId, client } = await teamOf(world);
  const token = await invite(client, workspaceId, world.owner);
  const { invitations } = await client.call("invitation.list", { workspaceId });
  await clientOf(world.instance.origin, world.session).call("invitation.accept", { token });
  return { workspaceId, token, invitationId: invitations[0]?.invitationId ?? "" };
}

/** By code, for every operation that has it, or by operation. */
export const provocations: {
  readonly [Code in ErrorCode]?: Provoke | Readonly<Partial<Record<OperationName, Provoke>>>;
} = {
  invalid_request: strayField,
  unauthenticated: async () => ({ token: "plk_not-a-token" }),
  insufficient_scope: async (world, op) => ({
    token:
      op.credential === undefined
        ? await keyWithout(world, op.scope ?? "artifacts:read")
        : await loginToken(world.instance, world.session, ["artifacts:read"]),
  }),
  not_found: hidden,
  idempotency_conflict: reusedKey,
  forbidden: {
    ...Object.fromEntries(operations.filter((op) => op.credential).map((op) => [op.name, byKey])),
    "agent.exchangeLogin": byKey,
    "agent.revokeCurrent": byKey,
    "member.setRole": viewer,
    "member.remove": async (world) => ({
      token: world.viewerSession,
      changes: { workspaceId: world.owner.workspaceId, userId: world.owner.userId },
    }),
    "invitation.create": async (world) => ({
      token: world.viewerSession,
      changes: { workspaceId: world.owner.workspaceId },
    }),
    "invitation.list": viewer,
    "invitation.accept": async (world) => ({ token: world.strangerSession }),
    "artifact.create": async (world) => ({
      token: world.viewer.token,
      changes: { ownerUsername: world.owner.username },
    }),
    "artifact.createInWorkspace": viewer,
    "artifact.draftTicket": viewer,
    "workspace.draftTicket": viewer,
    "artifact.patch": viewer,
    "artifact.delete": viewer,
    "access.get": viewer,
    "access.audience": viewer,
    "access.update": viewer,
    "access.explain": viewer,
    "shareLink.create": viewer,
    "shareLink.list": viewer,
    "shareLink.revoke": viewer,
    "audit.list": viewer,
    "audit.listInWorkspace": viewer,
    "version.create": viewer,
    "version.edit": viewer,
    "version.restore": viewer,
    "project.create": async (world) => ({
      token: world.viewer.token,
      changes: { ownerUsername: world.owner.username },
    }),
    "project.update": viewer,
    "project.move": async (world) => ({
      token: world.viewer.token,
      changes: { projectId: world.project.projectId, ownerUsername: world.viewer.username },
    }),
    "project.delete": viewer,
  },
  invalid_source: {
    "artifact.create": right({ type: "jsx", content: "export default () => <p>" }),
    "artifact.createInWorkspace": right({ type: "jsx", content: "export default () => <p>" }),
    "version.create": badJsx,
    "version.edit": own(async (world) => ({
      artifactId: world.jsx.artifactId,
      edits: [{ oldText: "</p>", newText: "" }],
    })),
  },
  seat_limit_reached: {
    "invitation.create": own(async (world) => {
      const { workspaceId, founder } = await teamOf(world, "admin");
      await world.operator.call("operator.setPlan", { workspaceId: founder.workspaceId, plan: "pro" });
      return { workspaceId };
    }),
    "invitation.accept": own(async (world) => {
      const { workspaceId, founder, client } = await teamOf(world);
      const token = await invite(client, workspaceId, world.owner);
      await world.operator.call("operator.setPlan", { workspaceId: founder.workspaceId, plan: "pro" });
      return { token };
    }),
  },
  invitation_used: {
    "invitation.accept": own(async (world) => ({ token: (await acceptedInvitation(world)).token })),
    "invitation.revoke": own(async (world) => {
      const { invitationId, workspaceId } = await acceptedInvitation(world);
      await world.operator.call("operator.setMember", { workspaceId, userId: world.owner.userId, role: "admin" });
      return { invitationId };
    }),
  },
  plan_required: {
    "workspace.create": async (world) => {
      const { userId } = await createPerson(world.instance, "free");
      return { token: await signIn(world.instance, userId) };
    },
    "artifact.create": async (world) => {
      const person = await createPerson(world.instance, "free");
      const { slug } = await createProject(person);
      return { token: person.token, changes: { projectSlug: slug, ...privately } };
    },
    "access.update": async (world) => {
      const person = await createPerson(world.instance, "free");
      const { slug } = await createProject(person);
      const { artifactId } = await createArtifact(person, slug);
      return { token: person.token, changes: { artifactId, publicView: false } };
    },
    "artifact.createInWorkspace": async (world) => {
      const person = await createPerson(world.instance, "free");
      const { slug } = await createProject(person);
      return { token: person.token, changes: { workspaceId: person.workspaceId, projectSlug: slug, ...privately } };
    },
    "project.move": async (world) => {
      const project = await createProject(world.owner);
      await createArtifact(world.owner, project.slug, privately);
      const { workspaceId, username } = await createPerson(world.instance, "free");
      await world.operator.call("operator.setMember", { workspaceId, userId: world.owner.userId, role: "member" });
      return { token: world.owner.token, changes: { projectId: project.projectId, ownerUsername: username } };
    },
  },
  slug_conflict: {
    "profile.update": own(async ({ stranger }) => ({ username: stranger.username })),
    "workspace.create": own(async ({ stranger }) => ({ slug: stranger.username })),
    "artifact.create": own(async (world) => takenSlug(world)),
    "artifact.createInWorkspace": own(async (world) => takenSlug(world)),
    "artifact.patch": own(async (world) => ({ ...takenSlug(world), artifactId: world.jsx.artifactId })),
    "artifact.undelete": own(async (world) => {
      const { artifactId, slug } = await anotherArtifact(world);
      await world.owner.client.call("artifact.delete", { artifactId });
      await createArtifact(world.owner, world.project.slug, { slug });
      return { artifactId };
    }),
    "project.create": own(async (world) => ({ slug: world.project.slug })),
    "project.update": own(async (world) => ({ slug: (await createProject(world.owner)).slug })),
    "project.move": own(async (world) => ({
      projectId: (await createProject(world.owner)).projectId,
      ownerUsername: world.owner.username,
      slug: world.project.slug,
    })),
    "operator.createUser": async (world) => ({
      token: world.instance.operatorToken,
      changes: { username: world.owner.username },
    }),
  },
  content_too_large: {
    "artifact.create": right({ content: tooLarge }),
    "artifact.createInWorkspace": right({ content: tooLarge }),
    "version.create": right({ content: tooLarge }),
    "version.edit": own(async (world) => ({
      artifactId: (await anotherArtifact(world)).artifactId,
      edits: [{ oldText: "First", newText: tooLarge }],
    })),
  },
  version_conflict: {
    "version.create": right({ expectedLatestVersion: 999_999 }),
    "version.edit": right({ expectedLatestVersion: 999_999 }),
  },
  project_not_empty: { "project.delete": own(async (world) => ({ projectId: world.project.projectId })) },
  // The instance sells no plans. Where Stripe is away is tested apart, for the plans too.
  billing_unavailable: {
    "billing.refresh": right({}),
    "billing.invoices": right({}),
    "billing.checkout": right({}),
    "billing.portal": right({}),
    "operator.runJob": right({ kind: "billing-reconcile" }),
  },
  email_conflict: {
    "invitation.create": own(async (world) => {
      const { workspaceId, founder } = await teamOf(world, "admin");
      return { workspaceId, email: `${founder.username}@example.com` };
    }),
    "operator.createUser": async (world) => ({
      token: world.instance.operatorToken,
      changes: { email: `${world.owner.username}@example.com` },
    }),
  },
  last_admin: {
    "member.setRole": lastAdmin,
    "member.remove": lastAdmin,
    "member.leave": lastAdmin,
    "operator.setMember": async (world) => ({
      token: world.instance.operatorToken,
      changes: {
        workspaceId: world.owner.workspaceId,
        userId: world.owner.userId,
        role: "member",
      },
    }),
  },
  token_expired: async (world) => ({ token: await expiredKey(world) }),
};

/** A key whose second is over; of more seconds where the machine takes one to make it. */
async function expiredKey(world: World, seconds = 1): Promise<string> {
  const expiresAt = new Date(Date.now() + seconds * 1_000);
  const fields = { userId: world.owner.userId, name: fresh("short-lived"), scopes: ["artifacts:read" as const] };
  try {
    const made = await world.operator.call("operator.createApiKey", { ...fields, expiresAt: expiresAt.toISOString() });
    await Bun.sleep(expiresAt.getTime() - Date.now() + 200);
    return made.key ?? (await createKey(world.instance, world.owner.userId));
  } catch (error) {
    if (!(error instanceof ProblemError) || !/must lie ahead/.test(error.message) || seconds > 60) throw error;
    return expiredKey(world, 2 * seconds);
  }
}
