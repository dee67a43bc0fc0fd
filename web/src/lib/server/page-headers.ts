// The headers of every app page (security.md 1). Kit makes the nonce; the instance's origins come in here.
import type { WebPlatform } from "../../../handler.ts";

const permissions = [
  "accelerometer=()",
  "autoplay=()",
  "browsing-topics=()",
  "camera=()",
  "clipboard-read=()",
  "clipboard-write=(self)",
  "display-capture=()",
  "encrypted-media=()",
  "fullscreen=(self)",
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

const fixed = {
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "strict-origin-when-cross-origin",
  "x-content-type-options": "nosniff",
  "permissions-policy": permissions,
};

export interface PageKind {
  /** Kept by nobody. */
  isOwn: boolean;
  /** The address is not told to where the page leads. */
  isSecretAddress: boolean;
  /** Of the page's inline scripts: Kit names it in the policy only where it adds one itself. */
  nonce: string | undefined;
}

/** Sets the page headers on a response of Kit's, whatever its status, and returns it. */
export function protectPage(
  response: Response,
  { publicUrl, contentOrigin }: WebPlatform,
  { isOwn, isSecretAddress, nonce }: PageKind,
): Response {
  for (const [name, value] of Object.entries(fixed)) response.headers.set(name, value);
  if (isSecretAddress) response.headers.set("referrer-policy", "no-referrer");
  response.headers.set("cache-control", isOwn ? "private, no-store" : "private, no-cache");
  const policy = response.headers.get("content-security-policy") ?? bare;
  // Scripts of this origin are the built ones alone: artifacts' compiled modules live there too.
  const built = `${publicUrl}/_app/immutable/`;
  const scripts = nonce === undefined || policy.includes("'nonce-") ? built : `${built} 'nonce-${nonce}'`;
  response.headers.set(
    "content-security-policy",
    `${policy.replace("script-src 'self'", `script-src ${scripts}`)}; frame-src ${contentOrigin}/_content/`,
  );
  // Each page carries a nonce of its own, so none is ever the same again.
  response.headers.delete("etag");
  return response;
}

// For answers that Kit renders no page for: redirects, data, plain errors.
const bare = "default-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
