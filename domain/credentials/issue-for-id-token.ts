// The short token of an agent that its id token is exchanged for: one transaction uses the id token up, stores the new
// token and records the audit event.
import { encodeId } from "@plinth/contract/ids";
import { tokenExchange } from "@plinth/contract/oauth";
import type { Scope } from "@plinth/contract/scopes";
import type { Database } from "@plinth/db/connection";
import { credential } from "@plinth/db/schema/accounts";

import { recordAs } from "../audit/audit.ts";
import { systemCause } from "../audit/system-cause.ts";
import { mintToken } from "../tokens/token.ts";
import { noLaterThan } from "./bounds.ts";
import { ExchangeRefusal } from "./exchange-refusal.ts";
import { useIdToken } from "./id-token-use.ts";
import { hashed } from "./mint.ts";
import type { TrustingAgent, VerifiedIdToken } from "./verify-id-token.ts";

export interface Issue {
  readonly idToken: VerifiedIdToken & { readonly token: string };
  readonly scopes: readonly Scope[];
  readonly requestId: string;
}

export interface Issued {
  readonly accessToken: string;
  readonly expiresAt: Date;
}

/** Locks the agent, so that one that is being revoked issues nothing. @throws ExchangeRefusal */
export async function issueForIdToken(db: Database, issue: Issue): Promise<Issued> {
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
