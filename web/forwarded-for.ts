// The chain of client addresses one hop hands to the next; the API decides whom of it to believe.

/** The incoming `X-Forwarded-For` with the peer's own address appended. */
export function forwardedFor(headers: Headers, clientAddress: string): string {
  const chain = headers.get("x-forwarded-for");
  return chain ? `${chain}, ${clientAddress}` : clientAddress;
}
