// The routes under /api/auth beside the operations: only the better-auth paths that are needed here. A plugin's paths
// are added to this list, the plugin itself in auth.ts. Opening a share link is not the library's task: its route is
// api/share-grant.ts.

interface AuthRouteDescription {
  readonly method: "GET" | "POST";
  /** Under /api/auth. A name after a colon stands for one segment. */
  readonly path: `/${string}`;
  /**
   * Who calls it. `page`: only our own pages, so the request must come from this origin, with or without a cookie
   * (login CSRF is an attack too). `provider`: a browser that returns from an identity provider.
   */
  readonly from: "page" | "provider";
  /** Only where the operator allows sign-in links by email; elsewhere the path is not found. */
  readonly byEmail?: true;
}

const authRoutes = [
  { method: "POST", path: "/sign-in/social", from: "page" },
  { method: "POST", path: "/sign-in-link", from: "page" },
  { method: "POST", path: "/email-sign-in", from: "page", byEmail: true },
  { method: "POST", path: "/email-sign-in/request", from: "page", byEmail: true },
  { method: "POST", path: "/email-sign-in/describe", from: "page", byEmail: true },
  { method: "POST", path: "/sign-out", from: "page" },
  { method: "GET", path: "/callback/:provider", from: "provider" },
] as const satisfies readonly AuthRouteDescription[];

export type AuthPath = (typeof authRoutes)[number]["path"];
type AuthRoute = AuthRouteDescription & { readonly path: AuthPath };

/** Where all of them are. */
export const authBasePath = "/api/auth";

const patterns = authRoutes.map((route: AuthRoute) => ({
  route,
  pattern: new RegExp(`^${route.path.replaceAll(/:\w+/g, "[A-Za-z0-9_-]+")}$`),
}));

/** The route of a path under /api/auth; null where nothing is. */
export function findAuthRoute(method: string, path: string, allows: { readonly byEmail: boolean }): AuthRoute | null {
  const found = patterns.find(({ route, pattern }) => route.method === method && pattern.test(path))?.route;
  return found === undefined || (found.byEmail && !allows.byEmail) ? null : found;
}
