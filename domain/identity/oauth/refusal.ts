// Refusals as OAuth says them (RFC 6749, 5.2; RFC 7591, 3.2.2), for what programs ask. People are told in the terms of
// the contract.

type OAuthErrorCode =
  | "invalid_request"
  | "invalid_client"
  | "invalid_grant"
  | "interaction_required"
  | "invalid_redirect_uri"
  | "invalid_client_metadata"
  | "temporarily_unavailable"
  | "server_error";

const statusOf = (error: OAuthErrorCode): number =>
  error === "temporarily_unavailable" ? 503 : error === "server_error" ? 500 : 400;

export class OAuthRefusal extends Error {
  override readonly name = "OAuthRefusal";
  readonly error: OAuthErrorCode;

  constructor(error: OAuthErrorCode, description: string) {
    super(description);
    this.error = error;
  }

  get status(): number {
    return statusOf(this.error);
  }
}
