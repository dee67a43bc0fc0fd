// Former addresses lead to the present ones (docs/reference/contract.md §7).
import { redirect, type RequestEvent } from "@sveltejs/kit";

interface Place {
  readonly ownerUsername: string;
  /** Of the project, or of the one that the artifact is in; none where the page is an owner's. */
  readonly projectSlug?: string;
  /** Of the artifact. */
  readonly slug?: string;
}

/** Leads to the same page at the present place, where the address names another or writes it differently. */
export function redirectRenamed(
  { params, url, request }: RequestEvent,
  { ownerUsername, projectSlug, slug }: Place,
): void {
  const { owner, project, slug: named } = params;
  if (owner === undefined) return;
  const asked = [owner, ...(project === undefined ? [] : [project]), ...(named === undefined ? [] : [named])];
  const present = [ownerUsername, projectSlug ?? project, slug ?? named].slice(0, asked.length);
  if (present.every((segment, at) => segment === asked[at])) return;
  const rest = url.pathname.split("/").slice(1 + asked.length);
  redirect(leadingOn(request), `/${[...present, ...rest].join("/")}${url.search}`.replace(/\/(?=\?|$)/, ""));
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

/** The method stays, but for a form: what it has done is not to be done again there. */
const leadingOn = ({ method }: Request): 303 | 308 => (method === "GET" || method === "HEAD" ? 308 : 303);
