// Links that sign one user in, once: the operator's means, and the only one where there is no identity provider
// (docs/reference/contract.md §1). The token is in the link alone; its SHA-256 is what is kept.
import type { SignInLink } from "@plinth/contract/schemas/account";
import { encodeId } from "@plinth/contract/ids";
import type { Database } from "@plinth/db/connection";
import { signInLink, user, workspace } from "@plinth/db/schema/accounts";
import { eq, lt } from "drizzle-orm";

import { notFound } from "../access/refusals.ts";
import type { Config } from "../config.ts";
import { transact } from "../context.ts";
import type { JsonHandler } from "../json-handler.ts";
import { record, recordAs, type Cause } from "../audit/audit.ts";
import { tokenHash } from "../tokens/token.ts";

const lifetimeMinutes = 30;
const tokenBytes = 24;
/** How long one past its time stays before a new one sweeps it away. */
const keptAfterMs = 86_400_000;

/** @throws not_found where there is no such user */
export const createSignInLink: JsonHandler<"operator.createSignInLink"> = async (context, { userId }) => {
  return transact(context, async (inside, db) => {
    const [found] = await db.orm
      .select({ userId: user.userId, workspaceId: workspace.workspaceId })
      .from(user)
      .leftJoin(workspace, eq(workspace.personalOf, user.userId))
      .where(eq(user.userId, userId));
    if (found === undefined) throw notFound();
    const link = await storeLink(db, context.config, userId);
    await record(inside, madeFor(userId, found.workspaceId, link));
    return link;
  });
};

/** The same at the start of an instance. Expects a transaction in which the user is there. */
export async function createLinkAtStart(
  db: Database,
  config: Config,
  cause: Cause,
  { userId, workspaceId }: { readonly userId: string; readonly workspaceId: string | null },
): Promise<SignInLink> {
  const link = await storeLink(db, config, userId);
  await recordAs(db, cause, madeFor(userId, workspaceId, link));
  return link;
}

const madeFor = (userId: string, workspaceId: string | null, { expiresAt }: SignInLink) => ({
  kind: "user.sign_in_link_created" as const,
  workspaceId,
  target: { type: "user", id: userId },
  after: { expiresAt },
});

async function storeLink(db: Database, { publicUrl }: Config, userId: string): Promise<SignInLink> {
  const token = Buffer.from(crypto.getRandomValues(new Uint8Array(tokenBytes))).toString("base64url");
  const expiresAt = new Date(Date.now() + lifetimeMinutes * 60_000);
  await db.orm.delete(signInLink).where(lt(signInLink.expiresAt, new Date(Date.now() - keptAfterMs)));
  await db.orm.insert(signInLink).values({ hash: hashOf(token), userId, expiresAt });
  // In the fragment, which no log and no referrer holds.
  return { url: `${publicUrl}/login#${token}`, expiresAt: expiresAt.toISOString() };
}

interface Described {
  readonly username: string | null;
  readonly email: string;
  readonly expires_at: Date;
}

/** Whose account the link opens. @throws not_found for a link that is unknown, used or past its time, all alike */
export const describeSignInLink: JsonHandler<"identity.describeSignInLink"> = async ({ db }, { token }) => {
  const [found] = await db.run<Described>(
    `SELECT own.slug AS username, u.email, l.expires_at
     FROM sign_in_link l
     JOIN "user" u ON u.user_id = l.user_id
     LEFT JOIN workspace own ON own.personal_of = u.user_id
     WHERE l.hash = $1 AND l.used_at IS NULL AND l.expires_at > now()`,
    [hashOf(token)],
  );
  if (found === undefined) throw notFound();
  return { username: found.username, email: found.email, expiresAt: found.expires_at.toISOString() };
};

/** Uses the link up; of any number that come at once, one. The user it is for. @throws not_found */
export async function redeemSignInLink(db: Database, token: string): Promise<string> {
  const [used] = await db.run<{ user_id: string }>(
    `UPDATE sign_in_link SET used_at = now()
     WHERE hash = $1 AND used_at IS NULL AND expires_at > now()
     RETURNING user_id`,
    [hashOf(token)],
  );
  if (used === undefined) throw notFound();
  return encodeId("usr", used.user_id);
}

const hashOf = (token: string): Buffer => Buffer.from(tokenHash(token), "hex");
