// People, workspaces, members, keys and plans (docs/reference/contract.md §3).
import Type, { type Static } from "typebox";

import { agentKinds, credentialKinds } from "../credential-kinds.ts";
import { planIds } from "../plans.ts";
import { workspaceRoles } from "../roles.ts";
import { scopes } from "../scopes.ts";
import { Actor } from "./actor.ts";
import { Flag, Nullable } from "./shape.ts";
import { AgentId, ApiKeyId, Count, InvitationId, SessionId, Time, Url, UserId, WorkspaceId } from "./text.ts";

export const ScopeName = Type.Enum(scopes);
export const Role = Type.Enum(workspaceRoles);
export const Plan = Type.Enum(planIds);

export const Entitlements = Type.Object({
  privateArtifacts: Type.Boolean(),
  teamWorkspaces: Type.Boolean(),
  seats: Count,
  auditRetentionDays: Count,
  versionRetentionDays: Count,
  storageBytes: Count,
});

export const Workspace = Type.Object({
  workspaceId: WorkspaceId,
  slug: Type.String(),
  name: Type.String(),
  kind: Type.Enum(["personal", "team"]),
  role: Nullable(Role),
  plan: Plan,
  seats: Type.Object({ used: Count, limit: Count }),
  retention: Type.Object(
    { versionDays: Count, auditDays: Count, until: Nullable(Time) },
    {
      description:
        "For how long older versions and activity are kept now; with a time, those are the days of the plan before, and " +
        "from then on the plan's own count",
    },
  ),
  createdAt: Time,
});
export type Workspace = Static<typeof Workspace>;

export const Profile = Type.Object({
  userId: UserId,
  username: Nullable(Type.String()),
  email: Type.String(),
  emailVerified: Type.Boolean(),
  name: Nullable(Type.String()),
  avatarUrl: Nullable(Type.String()),
  workspaceId: Nullable(WorkspaceId),
  plan: Plan,
  entitlements: Entitlements,
  credential: Type.Object({
    type: Type.Enum(["session", "api_key", "agent"]),
    scopes: Type.Array(ScopeName),
    label: Type.String(),
  }),
  ownsInstance: Flag("Whether the instance is yours, in the answer to a change of your username"),
  workspaces: Type.Optional(
    Type.Array(Workspace, { description: "The newest hundred you belong to, where asked for" }),
  ),
});
export type Profile = Static<typeof Profile>;

export const Member = Type.Object({
  userId: UserId,
  username: Nullable(Type.String()),
  name: Nullable(Type.String()),
  email: Nullable(
    Type.String({
      description: "For the workspace's admins by session or login token, and for the member; null for others",
    }),
  ),
  role: Role,
  joinedAt: Time,
});
export type Member = Static<typeof Member>;

export const ApiKey = Type.Object({
  apiKeyId: ApiKeyId,
  name: Type.String(),
  scopes: Type.Array(ScopeName),
  workspaceId: Nullable(WorkspaceId),
  start: Type.String({ description: "The first characters of the key" }),
  lastFour: Type.String(),
  createdAt: Time,
  createdBy: Actor,
  expiresAt: Nullable(Time),
  lastUsedAt: Nullable(Time),
  key: Type.Optional(Type.String({ description: "The key itself, in the answer to create and rotate alone" })),
});
export type ApiKey = Static<typeof ApiKey>;

export const Agent = Type.Object({
  agentId: AgentId,
  name: Type.String(),
  kind: Type.Enum(agentKinds),
  client: Nullable(Type.String({ description: "The OAuth client's name, where there is one" })),
  scopes: Type.Array(ScopeName),
  workspaceId: Nullable(WorkspaceId),
  issuer: Nullable(Type.String({ description: "Of the id tokens that it trusts; null where it has a token" })),
  subject: Nullable(Type.String({ description: "The pattern for the subject of those id tokens" })),
  createdAt: Time,
  createdBy: Actor,
  expiresAt: Nullable(Time),
  lastUsedAt: Nullable(Time),
  token: Type.Optional(Type.String({ description: "The token itself, in the answer to create alone" })),
});
export type Agent = Static<typeof Agent>;

export const McpConnection = Type.Object({
  credentialId: Type.String({ description: "`key_…` of an API key, `agt_…` of any other" }),
  kind: Type.Enum(credentialKinds),
  name: Type.String({ description: "The credential's" }),
  program: Nullable(Type.String({ description: "What the program calls itself, where it does; claimed, not proven" })),
  /** Accurate to half a minute; to a second when the program connects. */
  lastSpokeAt: Time,
});
export type McpConnection = Static<typeof McpConnection>;

const invitationStatuses = ["pending", "accepted", "revoked", "expired"] as const;

export const Invitation = Type.Object({
  invitationId: InvitationId,
  email: Type.String(),
  role: Role,
  status: Type.Enum(invitationStatuses),
  expiresAt: Time,
  createdAt: Time,
  invitedBy: Actor,
  url: Type.Optional(Type.String({ description: "Where the invited person accepts, in the answer to create alone" })),
});
export type Invitation = Static<typeof Invitation>;

/** An invitation as the holder of its link sees it: nothing of the workspace beyond its name. */
export const InvitationSummary = Type.Object({
  workspaceName: Type.String(),
  invitedBy: Type.String({ description: "The name of the person who invites" }),
  role: Role,
  expiresAt: Time,
  isForYou: Nullable(
    Type.Boolean({ description: "Whether it was sent to the caller's email address; null without a signed-in caller" }),
  ),
});
export type InvitationSummary = Static<typeof InvitationSummary>;

export const Session = Type.Object({
  sessionId: SessionId,
  /** Whether the request used this session. */
  current: Type.Boolean(),
  userAgent: Nullable(Type.String()),
  address: Nullable(Type.String()),
  createdAt: Time,
  lastUsedAt: Nullable(Time),
  expiresAt: Time,
});
export type Session = Static<typeof Session>;

export const IdentityProvider = Type.Object({
  id: Type.String({ description: "As the sign-in route takes it" }),
  name: Type.String({ description: "As people know it" }),
});
export type IdentityProvider = Static<typeof IdentityProvider>;

export const SignInLink = Type.Object({ url: Url, expiresAt: Time });
export type SignInLink = Static<typeof SignInLink>;
