// Sign-in links by email, where the operator allows them: a request stores a row and asks for the mail, and the mailed
// token, which is the row's identifier under the instance's seal, signs in once. Neither the row nor the job holds it.
import { AppError } from "@plinth/contract/errors";
import { encodeId } from "@plinth/contract/ids";
import { emailSignInMinutes } from "@plinth/contract/limits";
import { newId, uuidOf } from "@plinth/db/columns";
import type { Database } from "@plinth/db/connection";
import { emailSignIn, user } from "@plinth/db/schema/accounts";
import { sql } from "drizzle-orm";

import { notFound } from "../access/refusals.ts";
import { recordAs } from "../audit/audit.ts";
import type { Config } from "../config.ts";
import type { Instance } from "../context.ts";
import { canonicalEmail, isEmail } from "../email.ts";
import { invalid } from "../input.ts";
import { enqueue } from "../queue/outbox.ts";
import { addressKey, type Budget, type RateLimiter } from "../rate-limit.ts";
import { openEmailSignIn } from "../tokens/email-sign-in-token.ts";
import { invitationUrl, openInvitation } from "../tokens/invitation-token.ts";
import { knownBrowser, knownBrowserCookie } from "../tokens/known-browser.ts";

const invitationPath = "/invitations/accept";

type Keys = Pick<Config, "publicUrl" | "secret">;

/** Whether people can sign in by a mailed link here. */
export const hasEmailSignIn = ({ identity, mail }: Pick<Config, "identity" | "mail">): boolean =>
  identity.emailSignIn === true && mail !== null;

/** @throws not_found for a token that was not made here */
function rowOf(config: Keys, token: string): string {
  const id = openEmailSignIn(config, token);
  if (id === null) throw notFound();
  return id;
}

interface EmailSignInRequest {
  readonly email: string;
  /** Where the person goes afterwards: a checked path of this instance. */
  readonly next: string | null;
  /** The network address. */
  readonly address: string;
  /** The `cookie` header. */
  readonly cookies: string | null;
}

/**
 * Asks for a mail with a link. Does the same whether or not the address has an account, and takes as long.
 * @throws invalid_request, rate_limited
 */
export async function requestEmailSignIn(
  { config, db, limiter, wakeRelay }: Pick<Instance, "config" | "db" | "limiter" | "wakeRelay">,
  { email: given, next, address, cookies }: EmailSignInRequest,
): Promise<void> {
  // The mail server would deliver to a name without a dot on its own machine, such as that of the first owner.
  if (!isEmail(given) || !/@.+\../.test(given))
    throw invalid([{ path: "email", message: "must be an email address, such as ada@example.com" }]);
  const email = canonicalEmail(given);
  await requireRoom(limiter, mailLimits(email, addressKey(address), knownBrowser(config, cookies, email)));
  const id = Bun.randomUUIDv7();
  await db.transaction(async (tx) => {
    await tx.orm.insert(emailSignIn).values({
      id,
      email,
      ...destinationOf(config, next),
      expiresAt: sql`now() + make_interval(mins => ${emailSignInMinutes})`,
    });
    await enqueue(tx, "sign-in-mail", { id });
  });
  wakeRelay();
}

/**
 * A caller can ask for few mails to one address, and for more to several, as an office does behind one network address. The
 * limit of an address is higher than a caller's, but callers of several networks can use it up together. So a browser in
 * which the address has signed in is counted by itself alone, and its owner can still sign in there.
 */
const mailLimits = (email: string, network: string, known: string | null): readonly (readonly [Budget, string])[] =>
  known !== null
    ? [["mails-known", known]]
    : [
        ["mails-from", network],
        ["mails-between", `${network} ${email}`],
        ["mails-to", email],
      ];

/** @throws rate_limited */
async function requireRoom(limiter: RateLimiter, limits: ReturnType<typeof mailLimits>): Promise<void> {
  for (const [budget, key] of limits) {
    const allowance = await limiter.take(budget, key);
    if (allowance?.exceeded)
      throw new AppError("rate_limited", "Too many sign-in links were requested", {
        retryAfterSeconds: allowance.resetSeconds,
        hint: "Use the link in the latest mail, or request another one later",
      });
  }
}

/** The `set-cookie` field of a browser in which the user signed in; null for an address that was never proven. */
export async function rememberBrowser(
  { config, db }: Pick<Instance, "config" | "db">,
  userId: string,
  cookies: string | null,
): Promise<string | null> {
  const [found] = await db.run<{ email: string }>(`SELECT email FROM "user" WHERE user_id = $1 AND email_verified`, [
    uuidOf("usr", userId),
  ]);
  return found === undefined ? null : knownBrowserCookie(config, cookies, canonicalEmail(found.email));
}

/** The token of an invitation in the path is stored as the invitation that it is for, because no row stores a token. */
function destinationOf(config: Keys, next: string | null) {
  if (next === null) return {};
  const { pathname, search, hash } = new URL(next, config.publicUrl);
  if (pathname !== invitationPath) return { next: pathname + search + hash };
  return { next: pathname, invitationId: openInvitation(config, hash.slice(1)) };
}

interface DescribedEmailSignIn {
  readonly email: string;
  /** Null where the person has no account yet, or no username. */
  readonly username: string | null;
  readonly next: string | null;
}

interface Described {
  readonly email: string;
  readonly username: string | null;
  readonly next: string | null;
  readonly invitation_id: string | null;
}

/** What the link does, without using it. @throws not_found for a link that is unknown, used or expired, all alike */
export async function describeEmailSignIn(
  { config, db }: Pick<Instance, "config" | "db">,
  token: string,
): Promise<DescribedEmailSignIn> {
  const [found] = await db.run<Described>(
    `SELECT s.email, own.slug AS username, s.next, s.invitation_id
     FROM email_sign_in s
     LEFT JOIN "user" u ON lower(u.email) = s.email
     LEFT JOIN workspace own ON own.personal_of = u.user_id
     WHERE s.id = $1 AND s.used_at IS NULL AND s.expires_at > now() AND u.email_verified IS NOT FALSE`,
    [rowOf(config, token)],
  );
  if (found === undefined) throw notFound();
  const { email, username, invitation_id: invitation } = found;
  const next = invitation === null ? found.next : ownPath(invitationUrl(config, encodeId("inv", invitation)));
  return { email, username, next };
}

const ownPath = (url: string): string => url.slice(new URL(url).origin.length);

/**
 * Uses the link up, once of any number of times at once, and returns the user of its address, who is created where there
 * is none. @throws not_found
 */
export function redeemEmailSignIn(db: Database, config: Keys, token: string, requestId: string): Promise<string> {
  const id = rowOf(config, token);
  return db.transaction(async (tx) => {
    const [used] = await tx.run<{ email: string }>(
      `UPDATE email_sign_in SET used_at = now()
       WHERE id = $1 AND used_at IS NULL AND expires_at > now()
       RETURNING email`,
      [id],
    );
    if (used === undefined) throw notFound();
    return (await findUser(tx, used.email)) ?? signUp(tx, used.email, requestId);
  });
}

/** @throws not_found for an address that was never proven: the account may be another person's */
async function findUser(tx: Database, email: string): Promise<string | null> {
  const [found] = await tx.orm
    .select({ userId: user.userId, emailVerified: user.emailVerified })
    .from(user)
    .where(sql`lower(${user.email}) = ${email}`);
  if (found === undefined) return null;
  if (!found.emailVerified) throw notFound();
  return found.userId;
}

async function signUp(tx: Database, email: string, requestId: string): Promise<string> {
  const [made] = await tx.orm
    .insert(user)
    .values({ userId: newId("usr"), email, emailVerified: true })
    .onConflictDoNothing()
    .returning({ userId: user.userId });
  if (made === undefined) {
    // Another sign-up with the address was faster.
    const other = await findUser(tx, email);
    if (other === null) throw notFound();
    return other;
  }
  const { userId } = made;
  await recordAs(
    tx,
    // Never the email address: others see the label.
    { actor: { type: "user", id: userId, label: "Someone" }, surface: "web", requestId },
    {
      kind: "user.created",
      workspaceId: null,
      target: { type: "user", id: userId },
      after: { provider: "email", emailVerified: true },
    },
  );
  return userId;
}
