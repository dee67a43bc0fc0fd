// Every page of the web app: its path in the fixtures, and the viewers who can see it. All others get the page for "not
// found", or the sign-in page.
import type { Viewer } from "./pages-fixtures.ts";

export interface PageRoute {
  /** Text in braces is the name of one of the fixtures' secrets. */
  readonly path: string;
  /** The first viewer opens it in four combinations; a page without viewers answers 404 to all. */
  readonly shownTo: readonly Viewer[];
  /** The instance, if it is the one that sells plans; its viewers are `owner` and `nobody`. */
  readonly site?: "selling";
  /** A key to press after the page has loaded, for the dialog it opens. */
  readonly key?: string;
}

/**
 * Pages of one kind differ in the workspace, project or document they are about, and in the query. Pages without
 * viewers are one kind in each part of the site.
 */
export function kindOf({ path, shownTo, site, key }: PageRoute): string {
  const [bare = ""] = path.split(/[?#]/);
  const named = bare.replaceAll(/\/(?:ada|acme|reports|launch|empty|doc-\d(?=\/))(?=\/|$)/g, "/*");
  return [site, key, shownTo.length === 0 ? `none, ${bare.split("/")[1]}` : named].join(" ");
}

const everyone = ["owner", "admin", "member", "viewer", "billing_admin", "stranger", "link", "nobody"] as const;
const signedIn = ["owner", "admin", "member", "viewer", "billing_admin", "stranger", "newcomer"] as const;
const named = ["owner", "admin", "member", "viewer", "billing_admin", "stranger"] as const;
const team = ["admin", "member", "viewer", "billing_admin"] as const;
const publishers = ["admin", "member"] as const;
const owner = ["owner"] as const;
const admins = ["admin"] as const;

const jsx = "/ada/reports/doc-0";
const markdown = "/ada/reports/doc-3";
const html = "/acme/launch/doc-4";
const private0 = "/ada/reports/doc-2";
const teams = "/acme/launch/doc-2";
const compared = `${markdown}/history?from=1&to=3`;

const pagesOf = (shownTo: readonly Viewer[], ...paths: readonly string[]): PageRoute[] =>
  paths.map((path) => ({ path, shownTo }));

export const pageRoutes: readonly PageRoute[] = [
  // Public pages.
  ...pagesOf(everyone, "/", "/login", "/login?error=denied&next=%2Fdashboard", "/search", "/search?q=doc"),
  ...pagesOf(everyone, "/search?q=xyzzy", "/ada", "/acme", "/ada/reports", "/acme/launch"),
  ...pagesOf(everyone, jsx, markdown, html, `${markdown}?v=1`, `${markdown}?view=source`, `${markdown}?chrome=0`),
  ...pagesOf(everyone, `${html}/packages?v=1`, `${html}/files?v=1`),
  ...pagesOf(everyone, `${markdown}/history`, `${jsx}/history`, `${compared}&layout=split`),
  ...pagesOf(everyone, `${compared}&layout=unified`, `${compared}&tab=rendered`, `${compared}&tab=screenshot`),
  ...pagesOf(everyone, "/docs", "/docs/first-steps", "/docs/rest/artifact", "/docs/errors/not_found"),
  ...pagesOf(everyone, "/docs/search", "/docs/search?q=retention"),
  ...pagesOf(everyone, "/invitations/accept", "/invitations/accept#{invitation}", "/share/{editor}"),
  // Paths that are not a page, or no longer one.
  ...pagesOf([], "/nobody/at/all", "/nobody", "/ada/reports/none", "/ada/reports/taken-back", `${markdown}?v=99`),
  ...pagesOf([], "/docs/nothing"),
  ...pagesOf([], "/share/{revoked}", "/share/{expired}", "/share/pls_of-nothing", "/dashboard/nobody"),
  // A user's own pages.
  ...pagesOf(signedIn, "/settings", "/settings/account", "/settings/agents", "/settings/appearance"),
  ...pagesOf(signedIn, "/settings/connect", "/settings/deleted", "/settings/keys", "/settings/sessions"),
  ...pagesOf(signedIn, "/settings/workspaces", "/settings/billing", "/device", "/device?user_code={code}"),
  ...pagesOf(signedIn, "/teams/new", "/oauth/consent?{consent}", "/oauth/consent?client_id=unknown", "/dashboard"),
  ...pagesOf([...everyone, "newcomer"], "/oauth/consent?error=invalid_request"),
  ...pagesOf(["newcomer", ...named], "/workspaces/new"),
  ...pagesOf(signedIn, "/workspaces/new/publish"),
  // A personal workspace.
  ...pagesOf(owner, private0, "/dashboard/ada", "/dashboard/ada?view=list", "/dashboard/ada?view=list&type=md"),
  ...pagesOf(owner, "/dashboard/ada?q=revenue&sort=title", "/dashboard/ada?q=xyzzy"),
  ...pagesOf(owner, "/dashboard/ada/p/reports", "/dashboard/ada/p/empty", "/dashboard/ada/p/reports/settings"),
  ...pagesOf(owner, "/dashboard/ada/favorites", "/dashboard/ada/recent", "/dashboard/ada/shared"),
  ...pagesOf(owner, "/dashboard/ada/projects", "/dashboard/ada/publish", "/dashboard/ada/publish?project=reports"),
  ...pagesOf(owner, `${jsx}/edit`, `${markdown}/edit`, `${jsx}/settings`, `${jsx}/settings/access`),
  ...pagesOf(
    owner,
    `${jsx}/settings/links`,
    `${jsx}/settings/rendering`,
    `${jsx}/settings/views`,
    `${jsx}/settings/activity`,
  ),
  ...pagesOf(owner, "/settings/workspaces/ada"),
  // A team.
  ...pagesOf([...team, "link"], teams, `${teams}/history`),
  ...pagesOf([...publishers, "link"], `${teams}/edit`),
  ...pagesOf(team, "/acme/empty", "/dashboard/acme", "/dashboard/acme/p/launch", "/dashboard/acme/p/empty"),
  ...pagesOf(team, "/dashboard/acme/p/launch/settings"),
  ...pagesOf(team, "/settings/workspaces/acme"),
  ...pagesOf(publishers, `${teams}/settings`, `${teams}/settings/access`, `${teams}/settings/links`),
  ...pagesOf(publishers, `${teams}/settings/views`, `${teams}/settings/activity`, "/dashboard/acme/publish"),
  ...pagesOf(admins, "/settings/workspaces/acme/activity"),
  // Dialogs that a key opens on any page.
  { path: "/dashboard/ada", shownTo: owner, key: "Control+k" },
  { path: "/dashboard/ada", shownTo: owner, key: "?" },
  { path: markdown, shownTo: everyone, key: "Control+k" },
  { path: markdown, shownTo: everyone, key: "?" },
  // The instance that sells plans and only has sign-in by link.
  { path: "/", shownTo: ["nobody", "owner"], site: "selling" },
  { path: "/login", shownTo: ["nobody", "owner"], site: "selling" },
  { path: "/settings/billing", shownTo: owner, site: "selling" },
  { path: "/settings/billing?returned=cancelled", shownTo: owner, site: "selling" },
  { path: "/dashboard", shownTo: owner, site: "selling" },
  { path: "/teams/new", shownTo: owner, site: "selling" },
];
