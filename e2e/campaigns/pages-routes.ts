// Every page of the web app: its address in the scene, and whom it is shown to. Everybody else gets the page that says there
// is nothing, or signing in.
import type { Viewer } from "./pages-scene.ts";

export interface PageRoute {
  readonly path: string;
  readonly shownTo: readonly Viewer[];
}

const everyone = ["owner", "admin", "member", "viewer", "billing_admin", "stranger", "link", "nobody"] as const;
const signedIn = ["owner", "admin", "member", "viewer", "billing_admin", "stranger"] as const;
const team = ["admin", "member", "viewer", "billing_admin"] as const;
const publishers = ["admin", "member"] as const;
const owner = ["owner"] as const;
const admins = ["admin"] as const;

const route = (path: string, shownTo: readonly Viewer[]): PageRoute => ({ path, shownTo });

const artifact = "/ada/reports/doc-0";
const markdown = "/ada/reports/doc-3";
const team0 = "/acme/launch/doc-2";

export const pageRoutes: readonly PageRoute[] = [
  route("/", everyone),
  route("/login", ["nobody", "link"]),
  route("/search", everyone),
  route("/search?q=doc", everyone),
  route("/ada", everyone),
  route("/ada/reports", everyone),
  route(artifact, everyone),
  route(markdown, everyone),
  route(`${markdown}?v=1`, everyone),
  route(`${markdown}?view=source`, everyone),
  route("/ada/reports/doc-4", owner),
  route(`${artifact}/settings`, owner),
  route(`${artifact}/settings/access`, owner),
  route(`${artifact}/settings/links`, owner),
  route(`${artifact}/settings/rendering`, owner),
  route(`${artifact}/settings/activity`, owner),
  route(team0, [...team, "link"]),
  route(`${artifact}/edit`, owner),
  route(`${team0}/edit`, publishers),
  route("/dashboard/ada/publish?project=reports", owner),
  route("/dashboard/acme/publish", publishers),
  route(`${team0}/settings`, publishers),
  route(`${team0}/settings/access`, publishers),
  route(`${team0}/settings/links`, publishers),
  route(`${team0}/settings/activity`, publishers),
  route("/acme", everyone),
  route("/acme/launch", everyone),
  route("/acme/empty", team),
  route("/settings", signedIn),
  route("/settings/account", signedIn),
  route("/settings/agents", signedIn),
  route("/settings/appearance", signedIn),
  route("/settings/billing", signedIn),
  route("/settings/connect", signedIn),
  route("/settings/deleted", signedIn),
  route("/settings/keys", signedIn),
  route("/settings/sessions", signedIn),
  route("/settings/workspaces", signedIn),
  route("/settings/workspaces/acme", team),
  route("/settings/workspaces/acme/activity", admins),
  route("/teams/new", signedIn),
  route("/workspaces/new/publish", signedIn),
  route("/dashboard/ada", owner),
  route("/dashboard/ada?view=list&type=md", owner),
  route("/dashboard/ada/p/reports", owner),
  route("/dashboard/acme", team),
  route("/dashboard/acme/p/empty", team),
  route("/device", signedIn),
  route("/settings/appearance", signedIn),
  route("/dashboard/ada", owner),
  route("/dashboard/ada?view=list", owner),
  route("/dashboard/ada?q=revenue&sort=title", owner),
  route("/dashboard/ada?q=nothing-has-this", owner),
  route("/dashboard/ada/p/reports", owner),
  route("/dashboard/ada/p/empty", owner),
  route("/dashboard/ada/p/reports/settings", owner),
  route("/dashboard/ada/publish", owner),
  route("/dashboard/acme", team),
  route("/dashboard/acme/p/launch", team),
  route("/dashboard/acme/publish", publishers),
  route(`${markdown}/history`, everyone),
  route(`${markdown}/history?from=1&to=3&layout=split`, everyone),
  route(`${markdown}/history?from=1&to=3&tab=rendered`, everyone),
  route(`${markdown}/history?from=1&to=3&tab=screenshot`, everyone),
  route(`${markdown}/edit`, owner),
  route(`${team0}/history`, [...team, "link"]),
  route(`${team0}/edit`, [...publishers, "link"]),
  route("/nobody/at/all", []),
];
