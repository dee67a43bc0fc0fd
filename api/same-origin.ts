// Requires that a page of this instance sent a request that writes with a cookie (docs/reference/security.md §3, CSRF).
import { AppError } from "@plinth/contract/errors";
import type { RequestCredentials } from "@plinth/domain/access/call";

const safeMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Applies to a cookie, a session's or a grant's, where the request may change something, and to nothing else: no page
 * of another site can make a browser send a bearer token or a custom header. @throws forbidden
 */
export function requireOwnPage(request: Request, publicUrl: string, { credential, share }: RequestCredentials): void {
  const hasCookie = credential.kind === "session" || share?.granted !== undefined;
  if (hasCookie && !safeMethods.has(request.method)) requireSameOrigin(request, publicUrl);
}

/** @throws forbidden unless Origin is this instance's, or there is none and the browser reports same-origin */
export function requireSameOrigin({ headers }: Request, publicUrl: string): void {
  const origin = headers.get("origin");
  const own = new URL(publicUrl).origin;
  if (origin === null ? headers.get("sec-fetch-site") === "same-origin" : origin === own) return;
  throw new AppError("forbidden", "A browser may send this from the instance's own pages alone", {
    hint: `Send it from ${own}; a program sends \`authorization: Bearer <token>\` and no cookie`,
  });
}
