// Requests that a browser sends along with its cookie because some page made it (security 3): the cookie counts for
// what may change something only where the request says that a page of this instance made it.
import { AppError } from "@plinth/contract/errors";
import type { Config } from "@plinth/domain/config";
import type { Credential } from "@plinth/domain/context";

const safeMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Asks of a session's cookie, and of it alone: no page of another site can make a browser send a bearer token.
 * @throws forbidden
 */
export function requireOwnPage({ publicUrl }: Config, { method, headers }: Request, credential: Credential): void {
  if (credential.kind !== "session" || safeMethods.has(method)) return;
  const origin = headers.get("origin");
  // Browsers send one or the other; what sends neither can send the token of a credential of its own.
  const isOwn =
    origin === null ? headers.get("sec-fetch-site") === "same-origin" : origin === new URL(publicUrl).origin;
  if (isOwn) return;
  throw new AppError("forbidden", "A session counts only for what the pages of this site ask", {
    hint: "From a program, send `authorization: Bearer <token>` and no cookie",
  });
}
