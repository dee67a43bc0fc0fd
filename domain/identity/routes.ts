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
}

const authRoutes = [
  { method: "POST", path: "/sign-in/social", from: "page" },
  { method: "POST", path: "/sign-in-link", from: "page" },
  { method: "POST", path: "/sign-out", from: "page" },
  { method: "GET", path: "/callback/:provider", from: "provider" },
] as const satisfies readonly AuthRouteDescription[];

export type AuthRoute = (typeof authRoutes)[number];
export type AuthPath = AuthRoute["path"];

/** Where all of them are. */
export const authBasePath = "/api/auth";

const patterns = authRoutes.map((route) => ({
  route,
  pattern: new RegExp(`^${route.path.replaceAll(/:\w+/g, "[A-Za-z0-9_-]+")}$`),
}));

/** The route of a path under /api/auth; null where nothing is. */
export const findAuthRoute = (method: string, path: string): AuthRoute | null =>
  patterns.find(({ route, pattern }) => route.method === method && pattern.test(path))?.route ?? null;
