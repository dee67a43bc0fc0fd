// Every page of the web app, once: its address in the scene, and whom it is shown to. Everybody else gets the page that says
// there is nothing, or signing in.
import type { Viewer } from "./pages-fixtures.ts";

export interface PageRoute {
  /** What stands between braces is one of the scene's secrets. */
  readonly path: string;
  /** Whoever comes first looks in four ways; nobody at all is shown what is answered 404. */
  readonly shownTo: readonly Viewer[];
  /** The instance it is on, where it is the one that sells plans; its visitors are `owner` and `nobody`. */
  readonly site?: "selling";
  /** A key that is pressed once the page is there, for what comes with it. */
  readonly key?: string;
}

/**
 * Pages of one kind differ in the workspace, the project, the document around which they are, and what follows the path. Those that nobody is shown are of one
 * kind in each part of the site.
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
  // What anybody reads.
  ...pagesOf(everyone, "/", "/login", "/login?error=denied&next=%2Fdashboard", "/search", "/search?q=doc"),
  ...pagesOf(everyone, "/search?q=xyzzy", "/ada", "/acme", "/ada/reports", "/acme/launch"),
  ...pagesOf(everyone, jsx, markdown, html, `${markdown}?v=1`, `${markdown}?view=source`, `${markdown}?chrome=0`),
  ...pagesOf(everyone, `${markdown}/history`, `${jsx}/history`, `${compared}&layout=split`),
  ...pagesOf(everyone, `${compared}&layout=unified`, `${compared}&tab=rendered`, `${compared}&tab=screenshot`),
  ...pagesOf(everyone, "/invitations/accept", "/invitations/accept#{invitation}", "/share/{editor}"),
  // What is no page, or was one.
  ...pagesOf([], "/nobody/at/all", "/nobody", "/ada/reports/none", "/ada/reports/taken-back", `${markdown}?v=99`),
  ...pagesOf([], "/share/{revoked}", "/share/{expired}", "/share/pls_of-nothing", "/dashboard/nobody"),
  // What is somebody's own.
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
  ...pagesOf(owner, "/dashboard/ada/projects", "/dashboard/ada/publish", "/dashboard/ada/publish?project=reports"),
  ...pagesOf(owner, `${jsx}/edit`, `${markdown}/edit`, `${jsx}/settings`, `${jsx}/settings/access`),
  ...pagesOf(owner, `${jsx}/settings/links`, `${jsx}/settings/rendering`, `${jsx}/settings/activity`),
  ...pagesOf(owner, "/settings/workspaces/ada"),
  // A team's.
  ...pagesOf([...team, "link"], teams, `${teams}/history`),
  ...pagesOf([...publishers, "link"], `${teams}/edit`),
  ...pagesOf(team, "/acme/empty", "/dashboard/acme", "/dashboard/acme/p/launch", "/dashboard/acme/p/empty"),
  ...pagesOf(team, "/dashboard/acme/p/launch/settings"),
  ...pagesOf(team, "/settings/workspaces/acme"),
  ...pagesOf(publishers, `${teams}/settings`, `${teams}/settings/access`, `${teams}/settings/links`),
  ...pagesOf(publishers, `${teams}/settings/activity`, "/dashboard/acme/publish"),
  ...pagesOf(admins, "/settings/workspaces/acme/activity"),
  // What a key opens on any page.
  { path: "/dashboard/ada", shownTo: owner, key: "Control+k" },
  { path: "/dashboard/ada", shownTo: owner, key: "?" },
  { path: markdown, shownTo: everyone, key: "Control+k" },
  { path: markdown, shownTo: everyone, key: "?" },
  // Where plans are sold and people sign in by links alone.
  { path: "/", shownTo: ["nobody", "owner"], site: "selling" },
  { path: "/login", shownTo: ["nobody", "owner"], site: "selling" },
  { path: "/settings/billing", shownTo: owner, site: "selling" },
  { path: "/settings/billing?returned=cancelled", shownTo: owner, site: "selling" },
  { path: "/dashboard", shownTo: owner, site: "selling" },
  { path: "/teams/new", shownTo: owner, site: "selling" },
];
