// Share links (docs/reference/contract.md §3, "Share link").
import Type, { type Static } from "typebox";

import { Actor } from "./actor.ts";
import { Nullable } from "./shape.ts";
import { ArtifactId, Count, ShareLinkId, Time, Url } from "./text.ts";

export const shareRoles = ["viewer", "editor"] as const;
export const ShareRole = Type.Enum(shareRoles, { description: "editor may also publish new versions" });
export type ShareRole = (typeof shareRoles)[number];

/** The name of a share link without a label, as an actor. */
export const unlabelled = "Share link";

export const ShareLink = Type.Object({
  shareLinkId: ShareLinkId,
  artifactId: ArtifactId,
  role: ShareRole,
  label: Nullable(Type.String()),
  expiresAt: Nullable(Time),
  createdAt: Time,
  createdBy: Actor,
  revokedAt: Nullable(Time),
  lastUsedAt: Nullable(Time),
  useCount: Count,
  token: Type.Optional(Type.String({ description: "The token itself, in the answer to create alone" })),
  url: Type.Optional(Type.String({ description: "Where people open it, in the answer to create alone" })),
  dryRun: Type.Optional(Type.Literal(true)),
});
export type ShareLink = Static<typeof ShareLink>;

/** The artifact that a token opens, for its holder. */
export const ResolvedShareLink = Type.Object({
  artifactId: ArtifactId,
  ownerUsername: Type.String(),
  projectSlug: Type.String(),
  slug: Type.String(),
  title: Type.String(),
  url: Url,
  role: ShareRole,
  expiresAt: Nullable(Time),
});
export type ResolvedShareLink = Static<typeof ResolvedShareLink>;
