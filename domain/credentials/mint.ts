// Creates credentials (docs/reference/contract.md §5). The response has the token, once; the database has its hash. The
// creating credential is locked, so that a credential being revoked creates nothing.
import { credentialPrefix } from "@plinth/contract/credential-kinds";
import { encodeId } from "@plinth/contract/ids";
import type { Scope } from "@plinth/contract/scopes";
import { uuidOf } from "@plinth/db/columns";
import { credential } from "@plinth/db/schema/accounts";

import { actorOf, type Person } from "../access/principal.ts";
import { unauthenticated } from "../access/refusals.ts";
import type { Context } from "../context.ts";
import { record } from "../audit/audit.ts";
import { mintToken, tokenHash } from "../tokens/token.ts";

export type CredentialRow = typeof credential.$inferSelect;

/** The start of the token that is shown, so that a user can recognize it. */
const shownCharacters = 8;

export interface NewCredential {
  readonly kind: "api_key" | "agent" | "login";
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly userId: string;
  readonly workspaceId: string | null;
  readonly expiresAt: Date | null;
  /** The credential that it ends with; null where a session or the operator creates it. */
  readonly parent: ParentCredential | null;
  /** The workspace of its audit events when it is not restricted to one. */
  readonly personalWorkspaceId: string | null;
  /** Whose id tokens stand for its token, which it has none of then. */
  readonly trust?: { readonly issuer: string; readonly subject: string };
  /** Further fields of the audit event. */
  readonly audited?: Readonly<Record<string, unknown>>;
}

/** Expects a transaction, and the bounds to have been checked. A credential with trust has no token. */
export async function mint(
  context: Context,
  wanted: NewCredential,
): Promise<{ row: CredentialRow; token: string | undefined }> {
  const { kind, name, scopes, userId, workspaceId, expiresAt, parent, trust } = wanted;
  const token = trust === undefined ? mintToken(kind === "api_key" ? "apiKey" : "agent") : undefined;
  const [row] = await context.db.orm
    .insert(credential)
    .values({
      credentialId: Bun.randomUUIDv7(),
      kind,
      ...(token !== undefined && hashed(token)),
      ...trust,
      name,
      clientId: kind === "login" ? (parent?.clientId ?? null) : null,
      scopes: [...scopes],
      userId,
      workspaceId,
      madeWith: parent?.credentialId ?? null,
      createdBy: actorOf(context.principal),
      expiresAt,
    })
    .returning();
  if (row === undefined) throw new Error("the credential was not stored");
  const type = kind === "api_key" ? "api_key" : "agent";
  await record(context, {
    kind: `${type}.created`,
    workspaceId: workspaceId ?? wanted.personalWorkspaceId,
    target: { type, id: encodeId(credentialPrefix(kind), row.credentialId) },
    after: {
      name,
      ...(kind === "api_key" ? {} : { kind }),
      scopes,
      userId,
      expiresAt: expiresAt?.toISOString() ?? null,
      ...trust,
      ...wanted.audited,
    },
  });
  return { row, token };
}

/** What a row keeps of a token. */
export const hashed = (token: string) => ({
  hash: Buffer.from(tokenHash(token), "hex"),
  start: token.slice(0, shownCharacters),
  lastFour: token.slice(-4),
});

/** The credential that creates another one. */
interface ParentCredential {
  /** The UUID. */
  readonly credentialId: string;
  readonly clientId: string | null;
  /** When it expires, by its lifetime or because it was rotated. */
  readonly expiresAt: Date | null;
}

/**
 * The credential of the request, locked until the transaction ends so that it cannot be revoked; null for a session,
 * whose end revokes no credential.
 * @throws unauthenticated where it was revoked while waiting
 */
export async function lockParent({ db }: Context, person: Person): Promise<ParentCredential | null> {
  const { kind, credentialId } = person;
  if (kind === "session") return null;
  // Not now(): the transaction may have begun before the one that revokes.
  const [row] = await db.run<{ credential_id: string; client_id: string | null; expires_at: Date | null }>(
    `SELECT credential_id, client_id, least(expires_at, revoked_at) AS expires_at FROM credential
     WHERE credential_id = $1 AND (revoked_at IS NULL OR revoked_at > clock_timestamp())
     FOR SHARE`,
    [uuidOf(credentialPrefix(kind), credentialId)],
  );
  if (row === undefined) throw unauthenticated("The credential is not valid");
  return { credentialId: row.credential_id, clientId: row.client_id, expiresAt: row.expires_at };
}
