// What is served under /api/auth beside the operations: every path of better-auth that is needed here, and no other.
// A plugin's paths are added to this list, the plugin itself in auth.ts. Opening a share link is no business of the
// library: its route, beside these, is api/share-grant.ts.

interface AuthRouteDescription {
  readonly method: "GET" | "POST";
  /** Under /api/auth. A name after a colon stands for one segment. */
  readonly path: `/${string}`;
  /**
   * Who calls it. `page`: our own pages alone, so it must come from this origin, cookie or none (signing someone in from
   * elsewhere is an attack too). `provider`: a browser on its way back from an identity provider.
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
