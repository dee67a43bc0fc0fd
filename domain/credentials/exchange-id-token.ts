// The exchange of an id token for a short token of an agent that trusts its issuer and subject (RFC 8693;
// docs/reference/contract.md §5, "Id tokens"). The id token must be for this instance, so another service that was given
// one cannot use it here.
import { decodeId, encodeId } from "@plinth/contract/ids";
import { tokenExchange } from "@plinth/contract/oauth";
import { isScope, type Scope } from "@plinth/contract/scopes";
import { uuidOf } from "@plinth/db/columns";
import type { Database } from "@plinth/db/connection";
import { credential } from "@plinth/db/schema/accounts";
import { decodeJwt, errors, jwtVerify, type JWTPayload } from "jose";

import { recordAs } from "../audit/audit.ts";
import type { Instance } from "../context.ts";
import { mintToken } from "../tokens/token.ts";
import { noLaterThan } from "./bounds.ts";
import { IssuerError } from "../fetching/issuer-keys.ts";
import { hashed } from "./mint.ts";
import { trusts } from "./trust.ts";

/** Signed with a key that only the issuer has; never `none`, never a shared secret. */
const algorithms = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"];
/** An id token counts for so long after it was issued, in seconds. */
const oldest = 3600;
/** In UTF-16 units, as of a pattern. */
const longestSubject = 500;
/** Between the clocks of issuer and instance, in seconds. */
const clockTolerance = 30;

type RefusalCode = "invalid_request" | "invalid_grant" | "invalid_scope" | "invalid_target" | "temporarily_unavailable";

/** A refusal as the token endpoint says it (RFC 6749, 5.2). */
export class ExchangeRefusal extends Error {
  override readonly name = "ExchangeRefusal";
  constructor(
    readonly error: RefusalCode,
    description: string,
    options?: ErrorOptions,
  ) {
    super(description, options);
  }
  get status(): number {
    return this.error === "temporarily_unavailable" ? 503 : 400;
  }
}

interface TrustingAgent {
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

/** `client_id` is the agent's identifier, `subject_token` the id token. @throws ExchangeRefusal */
export async function exchangeIdToken(instance: Instance, form: URLSearchParams, requestId: string): Promise<Response> {
  const { db, config, usage } = instance;
  const token = requireForm(form, config.publicUrl);
  const agent = await trustingAgent(db, form.get("client_id") ?? "", token);
  if (agent === null) throw untrusted();
  const { sub } = await verified(instance, agent, token);
  if (!trusts(agent, sub)) throw new ExchangeRefusal("invalid_grant", `the agent does not trust the subject ${sub}`);
  const scopes = scopesFor(agent, form.get("scope"));
  const { accessToken, expiresAt } = await issue(db, { agent, scopes, subject: sub, requestId });
  usage.record(encodeId("agt", agent.credential_id));
  return Response.json({
    access_token: accessToken,
    issued_token_type: tokenExchange.accessToken,
    token_type: "Bearer",
    expires_in: Math.floor((expiresAt.getTime() - Date.now()) / 1000),
    scope: scopes.join(" "),
  });
}

/** The id token. @throws ExchangeRefusal */
function requireForm(form: URLSearchParams, publicUrl: string): string {
  const token = form.get("subject_token") ?? "";
  const type = form.get("subject_token_type");
  if (token === "") throw new ExchangeRefusal("invalid_request", "subject_token is missing");
  if (type !== tokenExchange.idToken && type !== tokenExchange.jwt)
    throw new ExchangeRefusal("invalid_request", `subject_token_type must be ${tokenExchange.idToken}`);
  if ((form.get("requested_token_type") ?? tokenExchange.accessToken) !== tokenExchange.accessToken)
    throw new ExchangeRefusal("invalid_request", `requested_token_type must be ${tokenExchange.accessToken}`);
  if (form.has("actor_token")) throw new ExchangeRefusal("invalid_request", "actor_token is not supported");
  const targets = [...form.getAll("audience"), ...form.getAll("resource")];
  if (!targets.every((target) => audiences(publicUrl).includes(target)))
    throw new ExchangeRefusal("invalid_target", `the token is for ${publicUrl} alone`);
  return token;
}

/** As people write the instance's address. */
const audiences = (publicUrl: string): string[] => [publicUrl, `${publicUrl}/`];

/**
 * The agent, where it trusts the issuer that the token names; nothing is fetched for another. Null without a word about
 * what is wrong, because the caller has proven nothing yet.
 */
async function trustingAgent(db: Database, agentId: string, token: string): Promise<TrustingAgent | null> {
  const issuer = claimedIssuer(token);
  if (issuer === undefined || decodeId("agt", agentId) === null) return null;
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

function claimedIssuer(token: string): string | undefined {
  try {
    return decodeJwt(token).iss;
  } catch {
    return undefined;
  }
}

const untrusted = (): ExchangeRefusal =>
  new ExchangeRefusal("invalid_grant", "there is no agent of that identifier that trusts the issuer of the token");

/** @throws ExchangeRefusal */
async function verified(
  { config, issuerKeys }: Instance,
  { issuer }: TrustingAgent,
  token: string,
): Promise<JWTPayload & { readonly sub: string }> {
  try {
    const { payload } = await jwtVerify(token, issuerKeys.keysOf(issuer), {
      issuer,
      audience: audiences(config.publicUrl),
      algorithms,
      clockTolerance,
      maxTokenAge: oldest,
      requiredClaims: ["exp", "iat", "sub"],
    });
    const { sub } = payload;
    if (typeof sub !== "string" || sub === "" || sub.length > longestSubject)
      throw new ExchangeRefusal("invalid_grant", `the subject must have 1 to ${longestSubject} characters`);
    return { ...payload, sub };
  } catch (cause) {
    if (cause instanceof IssuerError)
      throw new ExchangeRefusal("temporarily_unavailable", `the keys of the issuer cannot be read: ${cause.message}`, {
        cause,
      });
    if (cause instanceof errors.JOSEError)
      throw new ExchangeRefusal("invalid_grant", whatIsWrong(cause, config.publicUrl));
    throw cause;
  }
}

function whatIsWrong(error: errors.JOSEError, publicUrl: string): string {
  if (error instanceof errors.JWTExpired) return "the id token has expired";
  if (error instanceof errors.JWTClaimValidationFailed)
    return error.claim === "aud"
      ? `the id token is not for this instance: its audience must be ${publicUrl}`
      : `the claim ${error.claim} of the id token is not valid`;
  return "the id token is not signed by its issuer";
}

/** @throws ExchangeRefusal */
function scopesFor(agent: TrustingAgent, asked: string | null): Scope[] {
  const held = agent.scopes.filter(isScope);
  if (asked === null || asked.trim() === "") return held;
  const wanted = asked.trim().split(/ +/);
  const other = wanted.find((scope) => !(held as readonly string[]).includes(scope));
  if (other !== undefined) throw new ExchangeRefusal("invalid_scope", `the agent does not have the scope ${other}`);
  return held.filter((scope) => wanted.includes(scope));
}

interface Issue {
  readonly agent: TrustingAgent;
  readonly scopes: readonly Scope[];
  readonly subject: string;
  readonly requestId: string;
}

/** Locks the agent, so that one that is being revoked issues nothing. @throws ExchangeRefusal */
async function issue(db: Database, { agent, scopes, subject, requestId }: Issue) {
  const agentId = encodeId("agt", agent.credential_id);
  const userId = encodeId("usr", agent.user_id);
  const ownWorkspace = agent.workspace_id ?? agent.own_workspace;
  const actor = {
    type: "agent" as const,
    id: agentId,
    label: agent.name,
    onBehalfOf: { userId, username: agent.username ?? "" },
  };
  return db.transaction(async (inside) => {
    const locked = await inside.run(
      `SELECT FROM credential WHERE credential_id = $1 AND (revoked_at IS NULL OR revoked_at > clock_timestamp()) FOR SHARE`,
      [agent.credential_id],
    );
    if (locked.length === 0) throw untrusted();
    const accessToken = mintToken("agent");
    const latest = new Date(Date.now() + tokenExchange.lifetime * 1000);
    const expiresAt = noLaterThan(agent.expires_at, latest) ?? latest;
    await inside.orm.insert(credential).values({
      credentialId: Bun.randomUUIDv7(),
      kind: "agent",
      ...hashed(accessToken),
      name: agent.name,
      scopes: [...scopes],
      userId,
      workspaceId: agent.workspace_id === null ? null : encodeId("wsp", agent.workspace_id),
      madeWith: agent.credential_id,
      subject,
      createdBy: actor,
      expiresAt,
    });
    await recordAs(
      inside,
      { actor, surface: "api", requestId },
      {
        kind: "agent.exchanged",
        workspaceId: ownWorkspace === null ? null : encodeId("wsp", ownWorkspace),
        target: { type: "agent", id: agentId },
        after: { issuer: agent.issuer, subject, scopes, expiresAt: expiresAt.toISOString() },
      },
    );
    return { accessToken, expiresAt };
  });
}
