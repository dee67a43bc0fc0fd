// Exchanges the id token of a CI job for a short token of the agent that trusts it (RFC 8693).
import { oauthPaths, tokenExchange } from "@plinth/contract/oauth";

import { clientFailure } from "../failure/failure.ts";
import type { ExchangedToken } from "./exchanged-tokens.ts";

interface Exchange {
  readonly token: string;
  readonly agentId: string;
  readonly baseUrl: string;
  readonly send: (request: Request) => Promise<Response>;
}

/** @throws Failure unauthenticated, unavailable */
export async function exchangeIdToken({ token, agentId, baseUrl, send }: Exchange): Promise<ExchangedToken> {
  const body = new URLSearchParams({
    grant_type: tokenExchange.grant,
    client_id: agentId,
    subject_token: token,
    subject_token_type: tokenExchange.idToken,
  });
  const response = await send(new Request(new URL(oauthPaths.token, baseUrl), { method: "POST", body }));
  const said = (await response.json().catch(() => ({}))) as Readonly<Record<string, unknown>>;
  const { access_token: accessToken, expires_in: seconds, error_description: why = response.status } = said;
  if (response.ok && typeof accessToken === "string") {
    const expiresAt = typeof seconds === "number" ? new Date(Date.now() + seconds * 1000).toISOString() : null;
    return { token: accessToken, expiresAt };
  }
  const requestId = response.headers.get("x-request-id");
  const inLog = requestId === null ? "" : `. The log of the instance has the request ${requestId}`;
  throw clientFailure(
    response.status >= 500 ? "unavailable" : response.status === 429 ? "rate_limited" : "unauthenticated",
    `The id token of PLINTH_ID_TOKEN was refused: ${String(why)}`,
    {
      hint: `Its audience must be ${baseUrl}, and ${agentId} must trust its issuer and subject${inLog}`,
      next: "plinth status",
    },
  );
}
