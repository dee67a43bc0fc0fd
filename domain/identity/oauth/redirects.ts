// Where a client may be answered (RFC 8252, RFC 9700): a website by https, a port of the person's own computer, or an
// app by a scheme that is a domain name turned round, which nobody else can mean by accident.
import type { RedirectKind } from "@plinth/contract/oauth";

export interface Redirect {
  readonly kind: RedirectKind;
  /** To be shown: the host, the host and port, or the scheme. */
  readonly host: string;
}

/** Characters of a redirect URI. */
const longest = 1024;
/** As written: the URL parser would take `0x7f.1` for the loopback address, and drop line breaks. */
const visible = /^[!-~]+$/;
const loopback = /^http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)(?::\d{1,5})?(?:[/?]|$)/;
const reversedDomain = /^[a-z][a-z0-9-]*(?:\.[a-z0-9-]+)+:$/;

/** Null where no client may be answered there; neither at this instance itself. */
export function redirectOf(uri: string, publicUrl: string): Redirect | null {
  if (uri.length > longest || !visible.test(uri) || /[#*\\]/.test(uri)) return null;
  const url = URL.parse(uri);
  if (url === null || url.username !== "" || url.password !== "" || url.origin === publicUrl) return null;
  if (url.protocol === "https:") return { kind: "website", host: url.host };
  if (url.protocol === "http:") return loopback.test(uri) ? { kind: "computer", host: url.host } : null;
  return reversedDomain.test(url.protocol) ? { kind: "app", host: url.protocol.slice(0, -1) } : null;
}
