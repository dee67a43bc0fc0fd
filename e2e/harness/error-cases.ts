// Requests that an operation refuses, by error code: each is correct except for the subject of the code, and the tests
// of each surface send it. Codes that need another instance or a database failure (rate_limited, unavailable) are not
// here.
import { ProblemError } from "@plinth/contract/client";
import { filesLimits } from "@plinth/contract/limits";
import type { ErrorCode } from "@plinth/contract/errors";
import { operations, registry, type OperationName } from "@plinth/contract/registry";

import { call, rightToken, type Attempt, type Fields, type NamedOperation } from "./call.ts";
import { contentBytes } from "./content-bytes.ts";
import { loginToken } from "./oauth.ts";
import { clientOf, createArtifact, createKey, createPerson, createProject, fresh, signIn } from "./people.ts";
import { anotherArtifact, invite, keyWithout, shareLinkOf, teamOf, type Fixtures } from "./fixtures.ts";

/** Prepares what the refusal needs; sending the attempt changes nothing, even repeatedly. */
export type ErrorCase = (fixtures: Fixtures, op: NamedOperation) => Promise<Attempt>;
const right =
  (changes: Fields): ErrorCase =>
  async (fixtures, op) => ({ token: await rightToken(fixtures, op), changes });
const own =
  (make: (fixtures: Fixtures) => Promise<Fields>): ErrorCase =>
  async (fixtures, op) => ({ token: await rightToken(fixtures, op), changes: await make(fixtures) });
/** What only a share link shows the caller. */
const byLinkAlone: ErrorCase = async (fixtures) => {
  const made = await createArtifact(fixtures.owner, fixtures.project.slug, privately);
  const { token } = await shareLinkOf(fixtures.owner, made);
  const { artifactId } = made;
  return { token: fixtures.stranger.token, headers: { "x-share-token": token }, changes: { artifactId } };
};
const viewer: ErrorCase = async (fixtures, op) => ({
  token: op.credential ? fixtures.viewerSession : fixtures.viewer.token,
});
/** An operation that only people can call, tried with a key that has every scope. */
const byKey: ErrorCase = async (fixtures) => ({ token: fixtures.owner.token });

const strayField: ErrorCase = async (fixtures, op) => ({
  token: await rightToken(fixtures, op),
  stray: { surprise: 1 },
});

/** The same idempotency key for another request: another body, or another path for a route without a body. */
const reusedKey: ErrorCase = async (fixtures, op) => {
  const token = await rightToken(fixtures, op);
  const headers = { "idempotency-key": fresh("idempotency") };
  const other = op.caller === "operator" ? registry["operator.createUser"] : registry["project.create"];
  await call(fixtures, other, token, {}, headers);
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

const hidden: ErrorCase = async (fixtures, op) => {
  if (op.caller === "operator") return { token: fixtures.owner.token };
  if (op.name === "shareLink.resolve")
    return { token: fixtures.owner.token, headers: { "x-share-token": "pls_never" } };
  if (op.name === "artifact.oembed")
    return { token: await rightToken(fixtures, op), changes: { url: `${fixtures.instance.origin}/nobody/has/this` } };
  const names = Object.keys(op.input.properties);
  const absent = names.includes("owner")
    ? missing.path
    : names.includes("projectSlug") && !names.includes("artifactId")
      ? { projectSlug: "nothing-here" }
      : missing.id;
  const nobody = op.name === "project.create" ? { ownerUsername: "nobody-of-this-name" } : absent;
  return {
    token: await rightToken(fixtures, op),
    changes: Object.fromEntries(Object.entries(nobody).filter(([name]) => names.includes(name))),
  };
};

const tooLarge = "a".repeat(contentBytes + 1);
const privately = { access: { publicView: false, publicEdit: false } };

const badJsx = own(async (fixtures) => ({ artifactId: fixtures.jsx.artifactId, content: "export default () => <p>" }));
const takenSlug = (fixtures: Fixtures) => ({ slug: fixtures.artifact.slug });

const largeFile: ErrorCase = async (fixtures, op) => ({
  token: await rightToken(fixtures, op),
  file: new Uint8Array(filesLimits.fileBytes + 1),
});

async function takenSourcePath({ owner, project }: Fixtures) {
  const sourcePath = `${fresh("taken")}.md`;
  await createArtifact(owner, project.slug, { sourcePath });
  return { sourcePath };
}

/** The caller is the only admin of a workspace. */
const lastAdmin: ErrorCase = async (fixtures, op) => {
  const { workspaceId, userId } = fixtures.owner;
  const fields = { workspaceId, userId, role: "member" };
  const taken = Object.entries(fields).filter(([name]) => name in op.input.properties);
  return { token: fixtures.session, changes: Object.fromEntries(taken) };
};

/** An invitation of the owner that has been accepted. */
async function acceptedInvitation(fixtures: Fixtures) {
  const { workspaceId, client } = await teamOf(fixtures);
  const token = await invite(client, workspaceId, fixtures.owner);
  const { invitations } = await client.call("invitation.list", { workspaceId });
  await clientOf(fixtures.instance.origin, fixtures.session).call("invitation.accept", { token });
  return { workspaceId, token, invitationId: invitations[0]?.invitationId ?? "" };
}

/** By code for every operation that has it, or by code and operation. */
export const errorCases: {
  readonly [Code in ErrorCode]?: ErrorCase | Readonly<Partial<Record<OperationName, ErrorCase>>>;
} = {
  invalid_request: strayField,
  unauthenticated: async () => ({ token: "plk_not-a-token" }),
  insufficient_scope: async (fixtures, op) => ({
    token:
      op.credential === undefined
        ? await keyWithout(fixtures, op.scope ?? "artifacts:read")
        : await loginToken(fixtures.instance, fixtures.session, ["artifacts:read"]),
  }),
  not_found: hidden,
  not_implemented: right({ format: "xml" }),
  idempotency_conflict: reusedKey,
  forbidden: {
    ...Object.fromEntries(operations.filter((op) => op.credential).map((op) => [op.name, byKey])),
    "agent.exchangeLogin": byKey,
    "agent.revokeCurrent": byKey,
    "member.setRole": viewer,
    "member.remove": async (fixtures) => ({
      token: fixtures.viewerSession,
      changes: { workspaceId: fixtures.owner.workspaceId, userId: fixtures.owner.userId },
    }),
    "invitation.create": async (fixtures) => ({
      token: fixtures.viewerSession,
      changes: { workspaceId: fixtures.owner.workspaceId },
    }),
    "invitation.list": viewer,
    "invitation.accept": async (fixtures) => ({ token: fixtures.strangerSession }),
    "artifact.create": async (fixtures) => ({
      token: fixtures.viewer.token,
      changes: { ownerUsername: fixtures.owner.username },
    }),
    "artifact.createInWorkspace": viewer,
    "artifact.put": viewer,
    "artifact.draftTicket": viewer,
    "workspace.draftTicket": viewer,
    "artifact.patch": viewer,
    "artifact.delete": viewer,
    "access.get": viewer,
    "access.audience": viewer,
    "access.update": viewer,
    "artifact.listViews": viewer,
    "artifact.listFormerAddresses": viewer,
    "artifact.releaseFormerAddress": viewer,
    "access.explain": viewer,
    "shareLink.create": viewer,
    "shareLink.list": viewer,
    "shareLink.revoke": viewer,
    "audit.list": viewer,
    "audit.listInWorkspace": viewer,
    "version.create": viewer,
    "version.edit": viewer,
    "version.restore": viewer,
    "version.patch": viewer,
    "favorite.add": byLinkAlone,
    "favorite.remove": byLinkAlone,
    "version.retryPackages": viewer,
    "file.missing": viewer,
    "file.upload": viewer,
    "file.missingOfArtifact": viewer,
    "file.uploadToArtifact": viewer,
    "upload.create": viewer,
    "upload.createForArtifact": viewer,
    "project.create": async (fixtures) => ({
      token: fixtures.viewer.token,
      changes: { ownerUsername: fixtures.owner.username },
    }),
    "project.listFormerAddresses": viewer,
    "project.releaseFormerAddress": viewer,
    "project.update": viewer,
    "project.move": async (fixtures) => ({
      token: fixtures.viewer.token,
      changes: { projectId: fixtures.project.projectId, ownerUsername: fixtures.viewer.username },
    }),
    "project.delete": viewer,
  },
  invalid_source: {
    "artifact.create": right({ type: "jsx", content: "export default () => <p>" }),
    "artifact.createInWorkspace": right({ type: "jsx", content: "export default () => <p>" }),
    "artifact.put": own(async (fixtures) => ({
      slug: fixtures.jsx.slug,
      type: "jsx",
      content: "export default () => <p>",
    })),
    "version.create": badJsx,
    "version.edit": own(async (fixtures) => ({
      artifactId: fixtures.jsx.artifactId,
      edits: [{ oldText: "</p>", newText: "" }],
    })),
  },
  seat_limit_reached: {
    "invitation.create": own(async (fixtures) => {
      const { workspaceId, founder } = await teamOf(fixtures, "admin");
      await fixtures.operator.call("operator.setPlan", { workspaceId: founder.workspaceId, plan: "pro" });
      return { workspaceId };
    }),
    "invitation.accept": own(async (fixtures) => {
      const { workspaceId, founder, client } = await teamOf(fixtures);
      const token = await invite(client, workspaceId, fixtures.owner);
      await fixtures.operator.call("operator.setPlan", { workspaceId: founder.workspaceId, plan: "pro" });
      return { token };
    }),
  },
  invitation_used: {
    "invitation.accept": own(async (fixtures) => ({ token: (await acceptedInvitation(fixtures)).token })),
    "invitation.describe": async (fixtures) => ({
      token: fixtures.session,
      changes: { token: (await acceptedInvitation(fixtures)).token },
    }),
    "invitation.revoke": own(async (fixtures) => {
      const { invitationId, workspaceId } = await acceptedInvitation(fixtures);
      await fixtures.operator.call("operator.setMember", { workspaceId, userId: fixtures.owner.userId, role: "admin" });
      return { invitationId };
    }),
  },
  plan_required: {
    "workspace.create": async (fixtures) => {
      const { userId } = await createPerson(fixtures.instance, "free");
      return { token: await signIn(fixtures.instance, userId) };
    },
    "artifact.create": async (fixtures) => {
      const person = await createPerson(fixtures.instance, "free");
      const { slug } = await createProject(person);
      return { token: person.token, changes: { projectSlug: slug, ...privately } };
    },
    "artifact.put": async (fixtures) => {
      const person = await createPerson(fixtures.instance, "free");
      const { slug } = await createProject(person);
      return { token: person.token, changes: { owner: person.username, projectSlug: slug, slug: "private" } };
    },
    "access.update": async (fixtures) => {
      const person = await createPerson(fixtures.instance, "free");
      const { slug } = await createProject(person);
      const { artifactId } = await createArtifact(person, slug);
      return { token: person.token, changes: { artifactId, publicView: false } };
    },
    "artifact.createInWorkspace": async (fixtures) => {
      const person = await createPerson(fixtures.instance, "free");
      const { slug } = await createProject(person);
      return { token: person.token, changes: { workspaceId: person.workspaceId, projectSlug: slug, ...privately } };
    },
    "project.move": async (fixtures) => {
      const project = await createProject(fixtures.owner);
      await createArtifact(fixtures.owner, project.slug, privately);
      const { workspaceId, username } = await createPerson(fixtures.instance, "free");
      await fixtures.operator.call("operator.setMember", {
        workspaceId,
        userId: fixtures.owner.userId,
        role: "member",
      });
      return { token: fixtures.owner.token, changes: { projectId: project.projectId, ownerUsername: username } };
    },
  },
  source_path_conflict: {
    "artifact.create": own(takenSourcePath),
    "artifact.createInWorkspace": own(takenSourcePath),
    "artifact.put": own(async (fixtures) => ({ ...(await takenSourcePath(fixtures)), slug: fresh("put") })),
    "artifact.patch": own(async (fixtures) => ({
      ...(await takenSourcePath(fixtures)),
      artifactId: fixtures.jsx.artifactId,
    })),
  },
  slug_conflict: {
    "profile.update": own(async ({ stranger }) => ({ username: stranger.username })),
    "workspace.create": own(async ({ stranger }) => ({ slug: stranger.username })),
    "artifact.create": own(async (fixtures) => takenSlug(fixtures)),
    "artifact.createInWorkspace": own(async (fixtures) => takenSlug(fixtures)),
    "artifact.put": own(async (fixtures) => ({ slug: fixtures.jsx.slug })),
    "artifact.patch": own(async (fixtures) => ({ ...takenSlug(fixtures), artifactId: fixtures.jsx.artifactId })),
    "artifact.undelete": own(async (fixtures) => {
      const { artifactId, slug } = await anotherArtifact(fixtures);
      await fixtures.owner.client.call("artifact.delete", { artifactId });
      await createArtifact(fixtures.owner, fixtures.project.slug, { slug });
      return { artifactId };
    }),
    "project.create": own(async (fixtures) => ({ slug: fixtures.project.slug })),
    "project.update": own(async (fixtures) => ({ slug: (await createProject(fixtures.owner)).slug })),
    "project.move": own(async (fixtures) => ({
      projectId: (await createProject(fixtures.owner)).projectId,
      ownerUsername: fixtures.owner.username,
      slug: fixtures.project.slug,
    })),
    "operator.createUser": async (fixtures) => ({
      token: fixtures.instance.operatorToken,
      changes: { username: fixtures.owner.username },
    }),
  },
  content_too_large: {
    "file.upload": largeFile,
    "file.uploadToArtifact": largeFile,
    "artifact.create": right({ content: tooLarge }),
    "artifact.createInWorkspace": right({ content: tooLarge }),
    "artifact.put": right({ content: tooLarge }),
    "version.create": right({ content: tooLarge }),
    "version.edit": own(async (fixtures) => ({
      artifactId: (await anotherArtifact(fixtures)).artifactId,
      edits: [{ oldText: "First", newText: tooLarge }],
    })),
  },
  version_conflict: {
    "version.create": right({ expectedLatestVersion: 999_999 }),
    "artifact.put": right({ expectedLatestVersion: 999_999 }),
    "version.edit": right({ expectedLatestVersion: 999_999 }),
  },
  project_not_empty: { "project.delete": own(async (fixtures) => ({ projectId: fixtures.project.projectId })) },
  // The instance sells no plans. Other tests make Stripe unavailable, also for the plans.
  billing_unavailable: {
    "billing.refresh": right({}),
    "billing.invoices": right({}),
    "billing.checkout": right({}),
    "billing.portal": right({}),
    "operator.runJob": right({ kind: "billing-reconcile" }),
  },
  email_conflict: {
    "invitation.create": own(async (fixtures) => {
      const { workspaceId, founder } = await teamOf(fixtures, "admin");
      return { workspaceId, email: `${founder.username}@example.com` };
    }),
    "operator.createUser": async (fixtures) => ({
      token: fixtures.instance.operatorToken,
      changes: { email: `${fixtures.owner.username}@example.com` },
    }),
  },
  last_admin: {
    "member.setRole": lastAdmin,
    "member.remove": lastAdmin,
    "member.leave": lastAdmin,
    "operator.setMember": async (fixtures) => ({
      token: fixtures.instance.operatorToken,
      changes: {
        workspaceId: fixtures.owner.workspaceId,
        userId: fixtures.owner.userId,
        role: "member",
      },
    }),
  },
  token_expired: async (fixtures) => ({ token: await expiredKey(fixtures) }),
};

/** A key that has expired; with more seconds if the machine takes that long to create it. */
async function expiredKey(fixtures: Fixtures, seconds = 1): Promise<string> {
  const expiresAt = new Date(Date.now() + seconds * 1_000);
  const fields = { userId: fixtures.owner.userId, name: fresh("short-lived"), scopes: ["artifacts:read" as const] };
  try {
    const made = await fixtures.operator.call("operator.createApiKey", {
      ...fields,
      expiresAt: expiresAt.toISOString(),
    });
    await Bun.sleep(expiresAt.getTime() - Date.now() + 200);
    return made.key ?? (await createKey(fixtures.instance, fixtures.owner.userId));
  } catch (error) {
    if (!(error instanceof ProblemError) || !/must lie ahead/.test(error.message) || seconds > 60) throw error;
    return expiredKey(fixtures, 2 * seconds);
  }
}
