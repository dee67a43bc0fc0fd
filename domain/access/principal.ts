// The principal of a request. Made from the loaded credential, never from what the request claims.
import type { CredentialKind } from "@plinth/contract/credential-kinds";
import type { WorkspaceRole } from "@plinth/contract/roles";
import type { Actor } from "@plinth/contract/schemas/actor";
import { unlabelled, type ShareRole } from "@plinth/contract/schemas/share-link";
import type { Scope } from "@plinth/contract/scopes";

import { addressKey } from "../rate-limit.ts";

export interface Anonymous {
  readonly type: "anonymous";
  /** Network address, for rate limits alone. */
  readonly address: string;
}

export interface Operator {
  readonly type: "operator";
}

/** A user, or a key acting as its creator within its scopes. */
export interface Person {
  readonly type: "user" | "api_key" | "agent";
  /** The kind of credential that the caller presented. */
  readonly kind: CredentialKind | "session";
  readonly userId: string;
  readonly username: string | null;
  readonly name: string | null;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly avatarUrl: string | null;
  /** The credential's or the session's own identifier. */
  readonly credentialId: string;
  /** The credential's name; the user's for a session. */
  readonly label: string;
  /** When a key or a login token ends by itself. */
  readonly endsAt?: Date;
  /** Null: everything the user may do. */
  readonly scopes: readonly Scope[] | null;
  /** Where set, the credential counts in this workspace alone and is as anonymous elsewhere. */
  readonly heldTo: string | null;
  readonly personalWorkspaceId: string | null;
  readonly roles: ReadonlyMap<string, WorkspaceRole>;
}

/** A valid share link of the request, and the artifact that it opens. */
export interface LinkGrant {
  readonly shareLinkId: string;
  readonly artifactId: string;
  readonly role: ShareRole;
  readonly label: string | null;
}

/** A caller with a share link that permits more than the caller may do without it (docs/reference/contract.md §5). */
export interface LinkHolder {
  readonly type: "share_link";
  readonly link: LinkGrant;
  readonly beside: Anonymous | Person;
}

/** Without the right of a share link. */
export type Caller = Anonymous | Operator | Person;

export type Principal = Caller | LinkHolder;

/** The principal without the right of a share link. */
export const withoutLink = (principal: Principal): Caller =>
  principal.type === "share_link" ? principal.beside : principal;

export const isPerson = (principal: Principal): principal is Person =>
  principal.type === "user" || principal.type === "api_key" || principal.type === "agent";

/** The principal as a person, for an operation that only people can call. @throws for any other principal */
export function requirePerson(principal: Principal): Person {
  if (!isPerson(principal)) throw new Error("only people do this");
  return principal;
}

/** Whether the credential, by itself, lets its owner use what the scope permits. */
export const holdsScope = (principal: Principal, scope: Scope): boolean =>
  !isPerson(principal) || principal.scopes === null || principal.scopes.includes(scope);

/** The person's role in a workspace; null where they have none or the credential is held to another. */
export function roleIn(principal: Principal, workspaceId: string): WorkspaceRole | null {
  if (!countsIn(principal, workspaceId)) return null;
  return principal.roles.get(workspaceId) ?? null;
}

/** Whether the credential identifies the caller in that workspace. */
export function countsIn(principal: Principal, workspaceId: string): principal is Person {
  return isPerson(principal) && (principal.heldTo === null || principal.heldTo === workspaceId);
}

/** The workspaces in which the principal has a role, those a credential is not held to left out. */
export function ownWorkspaces(principal: Principal): string[] {
  if (!isPerson(principal)) return [];
  return [...principal.roles.keys()].filter((workspaceId) => countsIn(principal, workspaceId));
}

/** The workspaces that the principal administers, those a credential is not held to left out. */
export const administeredWorkspaces = (principal: Principal): string[] =>
  ownWorkspaces(principal).filter((workspaceId) => roleIn(principal, workspaceId) === "admin");

/** The key for rate limits. */
export function principalKey(principal: Principal): string {
  if (principal.type === "anonymous") return addressKey(principal.address);
  if (principal.type === "operator") return "operator";
  if (principal.type === "share_link") return principal.link.shareLinkId;
  return principal.type === "user" ? principal.userId : principal.credentialId;
}

/** The key for a fair share of scarce resources. All keys of a person have one share, and so have all their links. */
export function accountOf(principal: Principal): string {
  const caller = withoutLink(principal);
  return isPerson(caller) ? caller.userId : principalKey(caller);
}

/**
 * The key of idempotency records. Holders of one share link are distinguished by the credential beside it, and without one
 * by the hash of their address, so that clients with counted request numbers do not collide.
 */
export function idempotencyScope(principal: Principal): string {
  if (principal.type !== "share_link") return principalKey(principal);
  const { shareLinkId } = principal.link;
  const holder = new Bun.CryptoHasher("sha256").update(`${shareLinkId} ${principalKey(principal.beside)}`);
  return `${shareLinkId} ${holder.digest("base64url")}`;
}

/** The principal as shown beside its actions. */
export function actorOf(principal: Principal): Actor {
  if (principal.type === "operator") return { type: "operator", id: "operator", label: "Operator" };
  if (principal.type === "anonymous") throw new Error("an anonymous caller changes nothing");
  if (principal.type === "share_link") {
    const { shareLinkId, label } = principal.link;
    return { type: "share_link", id: shareLinkId, label: label ?? unlabelled };
  }
  const { type, credentialId, label, userId, username } = principal;
  if (type === "user") return { type, id: userId, label };
  return { type, id: credentialId, label, onBehalfOf: { userId, username: username ?? "" } };
}
