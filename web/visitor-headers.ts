// The headers of a call to the API on behalf of a visitor.

// The chain of client addresses one hop hands to the next; the API decides whom of it to believe.

/** The incoming `X-Forwarded-For` with the peer's own address appended. */
export function forwardedFor(headers: Headers, clientAddress: string): string {
  const chain = headers.get("x-forwarded-for");
  return chain ? `${chain}, ${clientAddress}` : clientAddress;
}

/** The headers of the visitor's request that the API decides by: the session's cookie, and where the request comes from. */
const passedOn = ["cookie", "origin", "sec-fetch-site", "accept-language"];

/** Never with an authorization header: the visitor of a page is known by the cookie. */
export function visitorHeaders(given: Headers, requestId: string, clientAddress: string): Record<string, string> {
  const headers: Record<string, string> = {
    "x-request-id": requestId,
    "x-forwarded-for": forwardedFor(given, clientAddress),
  };
  for (const name of passedOn) {
    const value = given.get(name);
    if (value !== null) headers[name] = value;
  }
  return headers;
}
