// The headers of every app page (docs/reference/security.md §1). Kit makes the nonce; all else of the policy is here.
import type { WebPlatform } from "../../../web-platform.ts";

/** Full screen and gamepads are left out: a document's frame gets them, and only the frame's `allow` gives them to it. */
const permissions = [
  "accelerometer=()",
  "autoplay=()",
  "browsing-topics=()",
  "camera=()",
  "clipboard-read=()",
  "clipboard-write=(self)",
  "display-capture=()",
  "encrypted-media=()",
  "geolocation=()",
  "gyroscope=()",
  "magnetometer=()",
  "microphone=()",
  "midi=()",
  "payment=()",
  "publickey-credentials-get=()",
  "screen-wake-lock=()",
  "usb=()",
  "xr-spatial-tracking=()",
].join(", ");

/** For a page that uses none of them, and gives its frame none. */
export const deniedPermissions = `${permissions.replaceAll("(self)", "()")}, fullscreen=(), gamepad=()`;

const fixed = {
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "x-content-type-options": "nosniff",
  "permissions-policy": permissions,
};

export interface PageKind {
  /** Never cached. */
  isOwn: boolean;
  referrerPolicy: "no-referrer" | "same-origin" | "strict-origin-when-cross-origin";
  /** Its forms lead to where people pay; all others stay here. */
  leadsToPayment: boolean;
  /**
   * Its forms lead to where drafts are rendered as well (docs/decisions/content-isolation.md, "Drafts are rendered by a
   * form").
   */
  showsDrafts: boolean;
  /** Of the page's inline scripts; undefined where Kit has rendered no page: a redirect, data, a plain error. */
  nonce: string | undefined;
}

/** What a page tells of its path to where it leads: nothing where that contains a token. */
export function referrerPolicyOf(pathname: string): PageKind["referrerPolicy"] {
  if (pathname.startsWith("/share/")) return "no-referrer";
  // With `no-referrer` the origin of its form would be null, which is refused.
  return pathname.startsWith("/login/email/") ? "same-origin" : "strict-origin-when-cross-origin";
}

/** Sets the page headers on a response of Kit's with any status, and returns it. */
export function protectPage(
  response: Response,
  { publicUrl, contentOrigin, paymentOrigins }: WebPlatform,
  { isOwn, referrerPolicy, leadsToPayment, showsDrafts, nonce }: PageKind,
): Response {
  for (const [name, value] of Object.entries(fixed)) response.headers.set(name, value);
  response.headers.set("referrer-policy", referrerPolicy);
  response.headers.set("cache-control", isOwn ? "private, no-store" : "private, no-cache");
  const policy = nonce === undefined ? bare : pagePolicy(publicUrl, nonce);
  // It holds for where the answer to a form redirects as well.
  const forms = [
    "form-action 'self'",
    ...(leadsToPayment ? paymentOrigins : []),
    ...(showsDrafts ? [`${contentOrigin}/_content/draft/`] : []),
  ].join(" ");
  response.headers.set("content-security-policy", `${policy}; ${forms}; frame-src ${contentOrigin}/_content/`);
  // Each page carries a new nonce, so no two are the same.
  response.headers.delete("etag");
  return response;
}

const bare = "default-src 'none'; base-uri 'none'; frame-ancestors 'none'";

const parts = [
  bare,
  "style-src 'self'",
  // The one style attribute there is: Kit's announcer of a new page to screen readers.
  "style-src-attr 'unsafe-hashes' 'sha256-S8qMpvofolR8Mpjy4kQvEm7m1q8clzU4dfDH0AmvZjo='",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
].join("; ");

/** Scripts of this origin are the built ones alone: artifacts' compiled modules live there too. */
const pagePolicy = (publicUrl: string, nonce: string): string =>
  `${parts}; script-src ${publicUrl}/_app/immutable/ 'nonce-${nonce}'`;
