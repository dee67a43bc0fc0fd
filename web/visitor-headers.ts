// The headers of a call to the API on behalf of a visitor.
import { forwardedFor } from "./forwarded-for.ts";

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
