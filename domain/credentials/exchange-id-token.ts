// The exchange of an id token for a short token of an agent that trusts its issuer and subject (RFC 8693;
// docs/reference/contract.md §5, "Id tokens"). The id token must be for this instance, so another service that was given
// one cannot use it here.
import { encodeId } from "@plinth/contract/ids";
import { tokenExchange } from "@plinth/contract/oauth";
import { isScope, type Scope } from "@plinth/contract/scopes";
import type { Database } from "@plinth/db/connection";
import { credential } from "@plinth/db/schema/accounts";

import type { Instance } from "../context.ts";
import { ExchangeRefusal } from "./exchange-refusal.ts";
import { trustProblems, trusts } from "./trust.ts";
import { audiences, type TrustingAgent, type VerifiedIdToken, verifyIdToken } from "./verify-id-token.ts";
import { recordAs } from "../audit/audit.ts";
import { systemCause } from "../audit/system-cause.ts";
import { mintToken } from "../tokens/token.ts";
import { noLaterThan } from "./bounds.ts";
import { useIdToken } from "./id-token-use.ts";
import { hashed } from "./mint.ts";

// The short token of an agent that its id token is exchanged for: one transaction uses the id token up, stores the new
// token and records the audit event.
interface Issue {
  readonly idToken: VerifiedIdToken & { readonly token: string };
  readonly scopes: readonly Scope[];
  readonly requestId: string;
}

interface Issued {
  readonly accessToken: string;
  readonly expiresAt: Date;
}

/** Locks the agent, so that one that is being revoked issues nothing. @throws ExchangeRefusal */
async function issueForIdToken(db: Database, issue: Issue): Promise<Issued> {
  const { agent, token, jti, endsAt } = issue.idToken;
  const issued = await db.transaction(async (tx) => {
    const locked = await tx.run(
      `SELECT FROM credential WHERE credential_id = $1 AND (revoked_at IS NULL OR revoked_at > clock_timestamp()) FOR SHARE`,
      [agent.credential_id],
    );
    if (locked.length === 0) throw new ExchangeRefusal("invalid_grant", "the agent has been revoked");
    const use = await useIdToken(tx, { issuer: agent.issuer, token, jti, endsAt });
    if (use === "used") return insertToken(tx, issue);
    // Once for each id token, so that sending it again fills no audit log.
    if (use === "reused") await recordReuse(tx, issue);
    return null;
  });
  if (issued !== null) return issued;
  throw new ExchangeRefusal(
    "invalid_grant",
    "the id token has been exchanged before: request a new id token, because each is exchanged once",
  );
}

/** The workspace of the audit events. */
const workspaceOf = ({ workspace_id: restricted, own_workspace: own }: TrustingAgent): string | null => {
  const workspaceId = restricted ?? own;
  return workspaceId === null ? null : encodeId("wsp", workspaceId);
};

async function insertToken(tx: Database, { idToken, scopes, requestId }: Issue): Promise<Issued> {
  const { agent, subject } = idToken;
  const agentId = encodeId("agt", agent.credential_id);
  const actor = {
    type: "agent" as const,
    id: agentId,
    label: agent.name,
    onBehalfOf: { userId: encodeId("usr", agent.user_id), username: agent.username ?? "" },
  };
  const accessToken = mintToken("agent");
  const latest = new Date(Date.now() + tokenExchange.lifetime * 1000);
  const expiresAt = noLaterThan(agent.expires_at, latest) ?? latest;
  await tx.orm.insert(credential).values({
    credentialId: Bun.randomUUIDv7(),
    kind: "agent",
    ...hashed(accessToken),
    name: agent.name,
    scopes: [...scopes],
    userId: actor.onBehalfOf.userId,
    workspaceId: agent.workspace_id === null ? null : encodeId("wsp", agent.workspace_id),
    madeWith: agent.credential_id,
    subject,
    createdBy: actor,
    expiresAt,
  });
  await recordAs(
    tx,
    { actor, surface: "api", requestId },
    {
      kind: "agent.exchanged",
      workspaceId: workspaceOf(agent),
      target: { type: "agent", id: agentId },
      after: { issuer: agent.issuer, subject, scopes, expiresAt: expiresAt.toISOString() },
    },
  );
  return { accessToken, expiresAt };
}

/** Who used it is not known: the job that sends it again, or who stole it. */
async function recordReuse(tx: Database, { idToken: { agent, subject }, requestId }: Issue): Promise<void> {
  await recordAs(
    tx,
    { ...systemCause(requestId), surface: "api" },
    {
      kind: "agent.reuse_detected",
      workspaceId: workspaceOf(agent),
      target: { type: "agent", id: encodeId("agt", agent.credential_id) },
      before: { name: agent.name, kind: "agent" },
      after: { reused: "id_token", issuer: agent.issuer, subject },
    },
  );
}

/** `client_id` is the agent's identifier, `subject_token` the id token. @throws ExchangeRefusal */
export async function exchangeIdToken(instance: Instance, form: URLSearchParams, requestId: string): Promise<Response> {
  const { db, config, usage } = instance;
  const token = requireForm(form, config.publicUrl);
  const verified = await verifyIdToken(instance, form.get("client_id") ?? "", token);
  const { agent, subject } = verified;
  requireTrust(agent, subject, config.trustedIssuers);
  const scopes = scopesFor(agent, form.get("scope"));
  const { accessToken, expiresAt } = await issueForIdToken(db, { idToken: { ...verified, token }, scopes, requestId });
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

/** An agent of before a rule for patterns keeps its pattern, which is refused here. @throws ExchangeRefusal */
function requireTrust(agent: TrustingAgent, subject: string, trustedIssuers: readonly string[]): void {
  const [problem] = trustProblems(agent, trustedIssuers);
  if (problem !== undefined)
    throw new ExchangeRefusal(
      "invalid_grant",
      `the ${problem.path} of the agent is no longer accepted, it ${problem.message}: create another agent`,
    );
  if (!trusts(agent, subject))
    throw new ExchangeRefusal("invalid_grant", `the agent does not trust the subject ${subject}`);
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
