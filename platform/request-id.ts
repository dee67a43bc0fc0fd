// The correlation id of a request, which every Plinth process reads or creates in the same way
// (docs/reference/contract.md §2).

const accepted = /^[A-Za-z0-9_-]{8,128}$/;

/** The caller's `x-request-id` where it is well-formed, otherwise a new one. */
export function requestIdOf(headers: Headers): string {
  const given = headers.get("x-request-id");
  return given !== null && accepted.test(given) ? given : crypto.randomUUID();
}
