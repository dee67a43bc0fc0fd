// Verifies an id token: the agent that trusts its issuer, the signature by the issuer's published keys, and the claims
// (docs/reference/contract.md §5, "Id tokens").
import { decodeId } from "@plinth/contract/ids";
import { uuidOf } from "@plinth/db/columns";
import type { Database } from "@plinth/db/connection";
import { decodeJwt, errors, jwtVerify, type JWTPayload } from "jose";

import type { Instance } from "../context.ts";
import { describeFault } from "../fault.ts";
import { IssuerError } from "../fetching/issuer-keys.ts";
import { isStorable } from "../input.ts";
import { ExchangeRefusal, unproven } from "./exchange-refusal.ts";

/** Signed with a key that only the issuer has; never `none`, never a shared secret. */
const algorithms = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"];
/** An id token counts for so long after it was issued, in seconds. */
const oldest = 3600;
/** In UTF-16 units, as of a pattern. */
const longestSubject = 500;
/** Between the clocks of issuer and instance, in seconds. */
const clockTolerance = 30;

export interface TrustingAgent {
  readonly credential_id: string;
  readonly name: string;
  readonly issuer: string;
  readonly subject: string;
  readonly scopes: string[];
  readonly user_id: string;
  readonly username: string | null;
  readonly workspace_id: string | null;
  readonly own_workspace: string | null;
  readonly expires_at: Date | null;
}

export interface VerifiedIdToken {
  readonly agent: TrustingAgent;
  readonly subject: string;
  /** Null where the issuer gives its tokens no identifier. */
  readonly jti: string | null;
  /** From then on the token is refused for its age. */
  readonly endsAt: Date;
}

/** As people write the instance's address. */
export const audiences = (publicUrl: string): string[] => [publicUrl, `${publicUrl}/`];

/** @throws ExchangeRefusal, the same one for every fault before the signature is proven */
export async function verifyIdToken(instance: Instance, agentId: string, token: string): Promise<VerifiedIdToken> {
  const claimed = claimedIssuer(token);
  const known = decodeId("agt", agentId) === null ? null : agentId;
  const refuse = (reason: string) => unproven({ agent: known, issuer: claimed, reason });
  if (known === null) throw refuse("client_id is no identifier of an agent");
  if (claimed === null) throw refuse("the token is not a JWT that names its issuer");
  const agent = await trustingAgent(instance.db, known, claimed);
  if (agent === null) throw refuse("no agent of that identifier trusts the issuer");
  const { config, issuerKeys } = instance;
  try {
    const { payload } = await jwtVerify(token, issuerKeys.keysOf(agent.issuer), {
      issuer: agent.issuer,
      audience: audiences(config.publicUrl),
      algorithms,
      clockTolerance,
      maxTokenAge: oldest,
      requiredClaims: ["exp", "iat", "sub"],
    });
    return { agent, ...claimsOf(payload) };
  } catch (cause) {
    if (cause instanceof ExchangeRefusal) throw cause;
    throw wrongClaim(cause, config.publicUrl) ?? refuse(unprovenReason(cause));
  }
}

function claimedIssuer(token: string): string | null {
  try {
    const { iss } = decodeJwt(token) as { iss?: unknown };
    return typeof iss === "string" && isStorable(iss) ? iss : null;
  } catch {
    return null;
  }
}

/** Nothing is fetched for an issuer that the agent does not trust. */
async function trustingAgent(db: Database, agentId: string, issuer: string): Promise<TrustingAgent | null> {
  const [agent] = await db.run<TrustingAgent>(
    `SELECT c.credential_id, c.name, c.issuer, c.subject, c.scopes, c.user_id, own.slug AS username, c.workspace_id,
       own.workspace_id AS own_workspace, c.expires_at
     FROM credential c LEFT JOIN workspace own ON own.personal_of = c.user_id
     WHERE c.credential_id = $1 AND c.issuer = $2 AND c.revoked_at IS NULL
       AND (c.expires_at IS NULL OR c.expires_at > now())`,
    [uuidOf("agt", agentId), issuer],
  );
  return agent ?? null;
}

/** @throws ExchangeRefusal */
function claimsOf({ sub, jti, exp = 0, iat = 0 }: JWTPayload): Omit<VerifiedIdToken, "agent"> {
  if (typeof sub !== "string" || sub === "" || sub.length > longestSubject || !isStorable(sub))
    throw new ExchangeRefusal("invalid_grant", `the subject must be text of 1 to ${longestSubject} characters`);
  const endsAt = new Date((Math.min(exp, iat + oldest) + clockTolerance) * 1000);
  return { subject: sub, jti: typeof jti === "string" && jti !== "" ? jti : null, endsAt };
}

/** Claims are read after the signature is proven. Null for any other error. */
function wrongClaim(error: unknown, publicUrl: string): ExchangeRefusal | null {
  if (error instanceof errors.JWTExpired) return new ExchangeRefusal("invalid_grant", "the id token has expired");
  if (!(error instanceof errors.JWTClaimValidationFailed)) return null;
  const what =
    error.claim === "aud"
      ? `the id token is not for this instance: its audience must be ${publicUrl}`
      : `the claim ${error.claim} of the id token is not valid`;
  return new ExchangeRefusal("invalid_grant", what);
}

/** Any error of the keys or the signature, because the issuer chooses both: of a key that is too short it is a TypeError. */
function unprovenReason(cause: unknown): string {
  if (cause instanceof IssuerError) return `the keys of the issuer cannot be read: ${cause.message}`;
  if (cause instanceof errors.JOSEError) return `the signature cannot be checked: ${cause.code}: ${cause.message}`;
  return `the signature cannot be checked: ${String(describeFault(cause)["error"])}`;
}
