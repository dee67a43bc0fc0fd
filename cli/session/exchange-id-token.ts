// Exchanges the id token of a CI job for a short token of the agent that trusts it (RFC 8693).
import { oauthPaths, tokenExchange } from "@plinth/contract/oauth";

import { clientFailure } from "../failure/failure.ts";

interface Exchange {
  readonly token: string;
  readonly agentId: string;
  readonly baseUrl: string;
  readonly send: (request: Request) => Promise<Response>;
}

/** @throws Failure unauthenticated, unavailable */
export async function exchangeIdToken({ token, agentId, baseUrl, send }: Exchange): Promise<string> {
  const body = new URLSearchParams({
    grant_type: tokenExchange.grant,
    client_id: agentId,
    subject_token: token,
    subject_token_type: tokenExchange.idToken,
  });
  const response = await send(new Request(new URL(oauthPaths.token, baseUrl), { method: "POST", body }));
  const said = (await response.json().catch(() => ({}))) as Readonly<Record<string, unknown>>;
  const { access_token: accessToken, error_description: why = response.status } = said;
  if (response.ok && typeof accessToken === "string") return accessToken;
  throw clientFailure(
    response.status >= 500 ? "unavailable" : response.status === 429 ? "rate_limited" : "unauthenticated",
    `The id token of PLINTH_ID_TOKEN was refused: ${String(why)}`,
    {
      hint: `Its audience must be ${baseUrl}, and ${agentId} must trust its issuer and subject`,
      next: "plinth status",
    },
  );
}
