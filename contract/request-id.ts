// The correlation id of a request, as every process of Plinth reads and makes it (docs/reference/contract.md §2).

const accepted = /^[A-Za-z0-9_-]{8,128}$/;

/** The caller's `x-request-id` where it is well-formed, otherwise a new one. */
export function requestIdOf(headers: Headers): string {
  const given = headers.get("x-request-id");
  return given !== null && accepted.test(given) ? given : crypto.randomUUID();
}
