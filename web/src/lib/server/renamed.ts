// An owner's former name leads to the present one, for as long as the API still knows it (90 days).
import { redirect, type RequestEvent } from "@sveltejs/kit";

/**
 * Leads to the same page under the owner's present name, where the address has another. For now only: the former name
 * is somebody else's to take one day, so no browser may remember the way.
 */
export function redirectRenamed({ params, url }: RequestEvent, ownerUsername: string): void {
  const { owner } = params;
  if (owner === undefined || owner === ownerUsername) return;
  const rest = url.pathname.split("/").slice(2).join("/");
  redirect(307, `/${ownerUsername}/${rest}${url.search}`.replace(/\/(?=\?|$)/, ""));
}
