// Where kept files are served: by the tarball's SHA-256, so that the address never changes its bytes, and by the path in
// the package, so that files find each other by relative URLs.
import type { LockedFile } from "./lock.ts";

export const packagesPath = "/_packages/";

export const packageAddress = ({ package: sha256, path }: Pick<LockedFile, "package" | "path">): string =>
  `${packagesPath}${sha256}/${path.split("/").map(encodeSegment).join("/")}`;

/** `@` may stand in a path, and scopes read better with it. */
const encodeSegment = (segment: string): string =>
  encodeURIComponent(segment).replaceAll("%40", "@").replaceAll("'", "%27");
