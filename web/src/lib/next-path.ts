// Where to go after signing in or out: a path of this origin, or nowhere (docs/reference/security.md §3).
import { isOwnPath } from "@plinth/contract/own-path";

/** The path given from outside, as a browser would open it; null where it leads elsewhere or back to signing in. */
export function safeNext(given: string | null | undefined): string | null {
  if (given === null || given === undefined || !isOwnPath(given)) return null;
  const { pathname, search, hash } = new URL(given, "https://here.invalid");
  return /^\/(?:login|logout)(?:\/|$)/.test(pathname) ? null : pathname + search + hash;
}

/** The address of signing in that leads back to a page. */
export function loginAddress({ pathname, search }: { pathname: string; search: string }): string {
  // Kit names a form's action in the query; it is no place to come back to.
  const query = search.replace(/^\?\/[^&]*&?/, "?").replace(/^\?$/, "");
  const next = safeNext(pathname + query);
  return next === null || next === "/" ? "/login" : `/login?next=${encodeURIComponent(next)}`;
}

/** Where a person who has just signed in begins: the dashboard they used last, or choosing a name. */
export const homeOf = (username: string | null): string => (username === null ? "/workspaces/new" : "/dashboard");

/** Leads a person who has just come back from a provider to where they begin. */
export const afterProvider = "/login?welcome";
