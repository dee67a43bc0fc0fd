// Whether a request comes from a page of this instance (security 3, CSRF).
import { AppError } from "@plinth/contract/errors";

/** @throws forbidden unless Origin is this instance's, or there is none and the browser says same-origin */
export function requireSameOrigin({ headers }: Request, publicUrl: string): void {
  const origin = headers.get("origin");
  if (origin === null ? headers.get("sec-fetch-site") === "same-origin" : origin === publicUrl) return;
  throw new AppError("forbidden", "A browser may send this from the instance's own pages alone", {
    hint: `Send it from ${publicUrl}`,
  });
}
