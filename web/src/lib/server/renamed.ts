// Former addresses lead to the present ones for as long as the API still knows them: an owner's former name for 90 days, a
// project's former place until another project takes it.
import { redirect, type RequestEvent } from "@sveltejs/kit";

interface Place {
  readonly ownerUsername: string;
  /** Of the project, or of the one that the artifact is in; none where the page is an owner's. */
  readonly projectSlug?: string;
}

/**
 * Leads to the same page at the present place, where the address has another. For now only: the former one is somebody
 * else's to take one day, so no browser may remember the way.
 */
export function redirectRenamed({ params, url, request }: RequestEvent, { ownerUsername, projectSlug }: Place): void {
  const { owner, project } = params;
  if (owner === undefined) return;
  const isThere = owner === ownerUsername && (project === undefined || (projectSlug ?? project) === project);
  if (isThere) return;
  const [, , former, ...rest] = url.pathname.split("/");
  const path = [ownerUsername, ...(former === undefined ? [] : [projectSlug ?? former]), ...rest].join("/");
  redirect(leadingOn(request), `/${path}${url.search}`.replace(/\/(?=\?|$)/, ""));
}

/** Likewise for a dashboard, in whose address workspace and project stand further on. */
export function redirectRenamedDashboard(
  { params, url, request }: RequestEvent,
  { ownerUsername, projectSlug }: Place,
): void {
  const { workspaceSlug, projectSlug: former } = params;
  const project = former === undefined ? undefined : (projectSlug ?? former);
  if (workspaceSlug === ownerUsername && former === project) return;
  const rest = url.pathname.split("/").slice(project === undefined ? 3 : 5);
  const place = ["/dashboard", ownerUsername, ...(project === undefined ? [] : ["p", project]), ...rest];
  redirect(leadingOn(request), place.join("/") + url.search);
}

/** What a form has done is not to be done again there. */
const leadingOn = ({ method }: Request): 303 | 307 => (method === "GET" || method === "HEAD" ? 307 : 303);
