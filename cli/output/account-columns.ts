// The tables of people, workspaces and credentials.
import type { Agent, ApiKey, Invitation, Member, Workspace } from "@plinth/contract/schemas/account";
import type { Actor } from "@plinth/contract/schemas/actor";

import type { Column } from "../terminal/table.ts";
import { relativeTime } from "./formatting.ts";

/** Who made a credential, when it last acted, and when it ends. */
const useColumns: readonly Column<ApiKey | Agent>[] = [
  { title: "BY", of: ({ createdBy }) => nameOf(createdBy), most: 24 },
  { title: "USED", of: ({ lastUsedAt }) => (lastUsedAt === null ? "never" : relativeTime(lastUsedAt)) },
  { title: "ENDS", of: ({ expiresAt }) => (expiresAt === null ? "never" : relativeTime(expiresAt)) },
];

/** Whoever is behind an actor. */
export const nameOf = ({ label, onBehalfOf }: Actor): string => onBehalfOf?.username ?? label;

export const workspaceColumns: readonly Column<Workspace>[] = [
  { title: "NAME", of: ({ name }) => name, most: 36 },
  { title: "SLUG", of: ({ slug }) => slug },
  { title: "KIND", of: ({ kind }) => kind },
  { title: "ROLE", of: ({ role }) => role?.replaceAll("_", " ") ?? "" },
  { title: "PLAN", of: ({ plan }) => plan },
  { title: "SEATS", of: ({ seats: { used, limit } }) => `${used} of ${limit}` },
  { title: "ID", of: ({ workspaceId }) => workspaceId },
];

export const memberColumns: readonly Column<Member>[] = [
  { title: "USERNAME", of: ({ username }) => username ?? "none yet" },
  { title: "NAME", of: ({ name }) => name ?? "", most: 36 },
  { title: "EMAIL", of: ({ email }) => email ?? "not shown", most: 48 },
  { title: "ROLE", of: ({ role }) => role.replaceAll("_", " ") },
  { title: "JOINED", of: ({ joinedAt }) => relativeTime(joinedAt) },
  { title: "ID", of: ({ userId }) => userId },
];

export const invitationColumns: readonly Column<Invitation>[] = [
  { title: "EMAIL", of: ({ email }) => email, most: 48 },
  { title: "ROLE", of: ({ role }) => role.replaceAll("_", " ") },
  { title: "BY", of: ({ invitedBy }) => nameOf(invitedBy), most: 24 },
  { title: "ENDS", of: ({ expiresAt }) => relativeTime(expiresAt) },
  { title: "ID", of: ({ invitationId }) => invitationId },
];

export const apiKeyColumns: readonly Column<ApiKey>[] = [
  { title: "NAME", of: ({ name }) => name, most: 36 },
  { title: "KEY", of: ({ start, lastFour }) => `${start}…${lastFour}` },
  { title: "SCOPES", of: ({ scopes }) => scopes.join(","), most: 48 },
  ...useColumns,
  { title: "ID", of: ({ apiKeyId }) => apiKeyId },
];

export const agentColumns: readonly Column<Agent>[] = [
  {
    title: "NAME",
    of: ({ name, client }) => (client === null || client === name ? name : `${name} (${client})`),
    most: 36,
  },
  { title: "KIND", of: ({ kind }) => kind },
  { title: "SCOPES", of: ({ scopes }) => scopes.join(","), most: 48 },
  ...useColumns,
  { title: "ID", of: ({ agentId }) => agentId },
];
