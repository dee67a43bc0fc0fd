// Allowed redirect URIs of a client (RFC 8252, RFC 9700): an https website, a port of the person's own computer, or an
// app by a private-use scheme. That scheme is a reversed domain name, which another app cannot use by accident (OAuth
// 2.1, 8.4.3), or one of a few well-known names. A list of refused schemes would never be complete: systems open mail,
// settings and installers by schemes without a period.
import type { RedirectKind } from "@plinth/contract/oauth";

export interface Redirect {
  readonly kind: RedirectKind;
  /** To be shown: the host, the host and port, or the scheme with the name that follows it. */
  readonly host: string;
}

/** Characters of a redirect URI. */
const longest = 1024;
/** As written: the URL parser would take `0x7f.1` for the loopback address, and drop line breaks. */
const visible = /^[!-~]+$/;
const loopback = /^http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)(?::\d{1,5})?(?:[/?]|$)/;
/** No website: its certificate would be the person's own. */
const ownComputer = /^(?:localhost\.*|127(?:\.\d+){3}|\[::1\]|\[::ffff:7f[0-9a-f]{2}:[0-9a-f]+\])$/;
const reversedDomain = /^[a-z][a-z0-9-]*(?:\.[a-z0-9-]+)+:$/;
/** Apps that are answered by a scheme without a period, each with the one name behind it that takes answers. */
const knownApps: readonly string[] = [
  // Registered together with a website and a loopback address (cursor.com/docs/mcp, better-auth#10946).
  "cursor://anysphere.cursor-mcp",
];

/** Null where no client may be answered there; neither at this instance itself. */
export function redirectOf(uri: string, publicUrl: string): Redirect | null {
  if (uri.length > longest || !visible.test(uri) || /[#*\\]/.test(uri)) return null;
  const url = URL.parse(uri);
  if (url === null || url.username !== "" || url.password !== "" || url.origin === publicUrl) return null;
  if (url.protocol === "https:") return ownComputer.test(url.hostname) ? null : { kind: "website", host: url.host };
  if (url.protocol === "http:") return loopback.test(uri) ? { kind: "computer", host: url.host } : null;
  const app = url.host === "" ? url.protocol.slice(0, -1) : `${url.protocol}//${url.host}`;
  return reversedDomain.test(url.protocol) || isKnownApp(uri) ? { kind: "app", host: app } : null;
}

const isKnownApp = (uri: string): boolean => knownApps.some((app) => uri.startsWith(`${app}/`));

/** Whether the library takes the address too: of apps' own, it wants a domain turned round and no name behind it. */
export const isPlain = (uri: string): boolean => /^https?:/.test(uri) || !/^[^/]+:\/\//.test(uri);
