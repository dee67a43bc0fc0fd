// The exchange of an id token for a short token of an agent that trusts its issuer and subject (RFC 8693;
// docs/reference/contract.md §5, "Id tokens"). The id token must be for this instance, so another service that was given
// one cannot use it here.
import { encodeId } from "@plinth/contract/ids";
import { tokenExchange } from "@plinth/contract/oauth";
import { isScope, type Scope } from "@plinth/contract/scopes";

import type { Instance } from "../context.ts";
import { ExchangeRefusal } from "./exchange-refusal.ts";
import { issueForIdToken } from "./issue-for-id-token.ts";
import { trustProblems, trusts } from "./trust.ts";
import { audiences, verifyIdToken, type TrustingAgent } from "./verify-id-token.ts";

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
