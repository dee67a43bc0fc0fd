// A refusal of the exchange of an id token, as the token endpoint says it (RFC 6749, 5.2).
import { withoutSecrets } from "@plinth/platform/log-line";

type RefusalCode = "invalid_request" | "invalid_grant" | "invalid_scope" | "invalid_target";

/** What the log says of a refusal whose answer has no reason. */
interface UnprovenRefusal {
  /** As the caller sent it, where it has the form of an agent's identifier. */
  readonly agent: string | null;
  /** That the token claims. */
  readonly issuer: string | null;
  readonly reason: string;
}

export class ExchangeRefusal extends Error {
  override readonly name = "ExchangeRefusal";
  readonly status = 400;
  constructor(
    readonly error: RefusalCode,
    description: string,
    readonly unproven: UnprovenRefusal | null = null,
  ) {
    super(description);
  }
}

/** UTF-16 units of a claim that the log repeats. */
const longestClaim = 200;

/**
 * The one refusal before the signature is proven: the caller may be anyone, so neither its text nor its status tells
 * which agents and issuers exist, nor which host names the instance's own network has.
 */
export const unproven = ({ agent, issuer, reason }: UnprovenRefusal): ExchangeRefusal =>
  new ExchangeRefusal(
    "invalid_grant",
    "the id token is not accepted: an agent of that identifier must trust its issuer, and its signature must be " +
      "checked with the keys that the issuer publishes; the log of the instance has the reason",
    { agent, issuer: issuer && withoutSecrets(issuer.slice(0, longestClaim)), reason: withoutSecrets(reason) },
  );
