// The response headers that hold user content in its sandbox (docs/reference/security.md §1), as pure functions.
import { type FramedType, frameFeatures, frameSandbox } from "@plinth/contract/frame";
import { MEMORY_DATABASE } from "@plinth/runtime/manifest";
import { isImagePath } from "../document/own-images.ts";

// The Content-Security-Policy of each type of content (docs/reference/security.md §1).
// A sandboxed frame has an opaque origin: every source here is an absolute address, never 'self'.
interface ContentPolicyOptions {
  type: FramedType;
  nonce: string;
  appOrigin: string;
  /** Pages of any site may frame the document, rather than those of the app. */
  isEmbedded?: boolean;
  /** Absolute address of the runtime's directory, with a slash at the end. */
  runtimeUrl: string;
  cdnAllowlist: readonly string[];
  /** Absolute address of the kept packages, with a slash at the end, where the document loads some. */
  packagesUrl?: string;
  /** Absolute address of the kept images, with a slash at the end, where the document shows some. */
  imagesUrl?: string;
  /** Origin and path of each image of the instance that a markdown document shows. */
  ownImages?: readonly string[];
  /** Absolute address of the files beside the document, with a slash at the end, where there are some. */
  filesUrl?: string;
}

/** The whole policy, its sandbox directive saying the same as the frame's attribute. */
function contentPolicy(options: ContentPolicyOptions): string {
  const { type, appOrigin, runtimeUrl } = options;
  const runtime = type === "html" ? [] : [runtimeUrl];
  const packages = options.packagesUrl === undefined ? [] : [options.packagesUrl];
  const images = options.imagesUrl === undefined ? [] : [options.imagesUrl];
  const files = options.filesUrl === undefined ? [] : [options.filesUrl];
  const own = type === "md" ? [] : files;
  const cdnAllowlist = [...options.cdnAllowlist, ...packages];
  const directives: Record<string, readonly string[]> = {
    sandbox: [frameSandbox(type)],
    "default-src": ["'none'"],
    "script-src": [...scriptSources({ ...options, cdnAllowlist, packages }), ...own],
    // Tools that make one file of a page (pandoc) write its scripts and styles as data: URLs.
    "style-src": ["'unsafe-inline'", ...(type === "html" ? ["data:"] : []), ...runtime, ...cdnAllowlist, ...own],
    "img-src": [
      ...(type === "md" ? ["data:", ...(options.ownImages ?? [])] : ["data:", "blob:", ...cdnAllowlist]),
      ...images,
      ...files,
    ],
    "font-src": ["data:", ...runtime, ...cdnAllowlist, ...own],
    "media-src": ["data:", "blob:", ...files],
    // Content of the document reaches no network: embedded buffers, exported canvases, modules of a single file.
    "connect-src": type === "md" ? ["'none'"] : ["data:", "blob:", ...packages, ...own],
    "worker-src": ["blob:"],
    "child-src": ["blob:"],
    "frame-src": ["'none'"],
    "object-src": ["'none'"],
    "base-uri": ["'none'"],
    "form-action": ["'none'"],
    // Without the directive any page may be around it; `*` would leave out sandboxed ones, such as the embed page.
    ...(options.isEmbedded ? {} : { "frame-ancestors": [appOrigin] }),
  };
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources.join(" ")}`)
    .join("; ");
}

interface ScriptSources extends ContentPolicyOptions {
  readonly packages: readonly string[];
}

function scriptSources({ type, nonce, runtimeUrl, cdnAllowlist, packages }: ScriptSources): string[] {
  if (type === "md") return [runtimeUrl];
  if (type === "jsx") return [runtimeUrl, `'nonce-${nonce}'`, ...packages];
  const database = runtimeUrl + MEMORY_DATABASE;
  return ["'unsafe-inline'", "'unsafe-eval'", "'wasm-unsafe-eval'", "data:", "blob:", database, ...cdnAllowlist];
}

/**
 * Every feature that a browser can delegate to a document, denied. Left out are nine that make Chromium log an error for
 * each reader. Nothing is lost: bluetooth, web-share, writer and rewriter are denied by default to a frame of an opaque
 * origin with an empty `allow`, and the five advertising features work in no opaque origin.
 */
const FEATURES =
  "accelerometer aria-notify autoplay browsing-topics camera captured-surface-control clipboard-read " +
  "clipboard-write compute-pressure cross-origin-isolated deferred-fetch deferred-fetch-minimal " +
  "digital-credentials-create digital-credentials-get display-capture encrypted-media fullscreen " +
  "gamepad geolocation gyroscope hid identity-credentials-get idle-detection keyboard-map " +
  "language-detector language-model local-fonts local-network-access magnetometer microphone midi " +
  "on-device-speech-recognition otp-credentials payment picture-in-picture " +
  "private-state-token-issuance private-state-token-redemption publickey-credentials-create " +
  "publickey-credentials-get screen-wake-lock serial speaker-selection storage-access summarizer " +
  "sync-xhr translator unload usb window-management xr-spatial-tracking";

/** The value of a Permissions-Policy header that denies everything but the features of the type's frame. */
export const permissionsPolicy = (type: FramedType): string =>
  FEATURES.split(" ")
    .map((feature) => (frameFeatures(type).includes(feature) ? `${feature}=*` : `${feature}=()`))
    .join(", ");

export interface ContentHeaderOptions {
  type: FramedType;
  /** The document's own, from `contentNonce`. */
  nonce: string;
  /** Origin of the pages that may frame the content. */
  appOrigin: string;
  /** Pages of any site may frame it as well: content that anyone may see, at its address for embedding. */
  isEmbedded?: boolean;
  /** Origin that serves the content and the runtime; the app's where there is no other. */
  contentOrigin: string;
  /** Path of the runtime's directory on that origin, with a slash at the end. */
  runtimePath: string;
  /** The origins of `HTML_CDN_ALLOWLIST`. */
  cdnAllowlist: readonly string[];
  /** The steady address of a version anyone may see, rather than a ticket. */
  publicSteady: boolean;
  /** Needed on the steady address; it must change with the content, the renderer and the runtime. */
  etag?: string;
  /** Absolute address at which the document can load itself again, with any query; null where there is none, as for a draft. */
  ownUrl: string | null;
  /** Path of the kept packages on the content origin, with a slash at the end, where the document loads some. */
  packagesPath?: string;
  /** Path of the kept images on the content origin, with a slash at the end, where the document shows some. */
  imagesPath?: string;
  /** Origin and path of each image of the instance that a markdown document shows. */
  ownImages?: readonly string[];
  /** Absolute address of the files beside the document, with a slash at the end, where there are some. */
  filesUrl?: string;
}

/** The whole set of headers of a content response. @throws Error where an address is no origin */
export function contentHeaders(options: ContentHeaderOptions): Record<string, string> {
  const { appOrigin, contentOrigin, runtimePath, cdnAllowlist, publicSteady, etag, packagesPath, imagesPath } = options;
  const own = options.ownUrl === null ? [] : [exactly(options.ownUrl)];
  const files = options.filesUrl === undefined ? {} : { filesUrl: options.filesUrl };
  for (const origin of [appOrigin, contentOrigin, ...cdnAllowlist]) requireOrigin(origin);
  const ownImages = options.ownImages ?? [];
  ownImages.forEach(requireImage);
  const runtimeUrl = contentOrigin + runtimePath;
  const packages = packagesPath === undefined ? {} : { packagesUrl: contentOrigin + packagesPath };
  const images = imagesPath === undefined ? {} : { imagesUrl: contentOrigin + imagesPath };
  const steady = publicSteady && etag !== undefined;
  return {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": contentPolicy({ ...options, ...packages, ...images, runtimeUrl }),
    "connection-allowlist": connectionAllowlist([
      `${runtimeUrl}*`,
      ...cdnAllowlist,
      ...Object.values({ ...packages, ...images, ...files }).map((url) => `${url}*`),
      ...ownImages.map(exactly),
      ...own,
    ]),
    "permissions-policy": permissionsPolicy(options.type),
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-dns-prefetch-control": "off",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": steady ? "public, no-cache" : "private, no-store",
    ...(steady ? { etag } : {}),
  };
}

/**
 * A nonce for one document: random for a ticket; on the steady address derived from the ETag, since
 * a 304 renews the headers of a stored body and so may not bring another nonce.
 */
export function contentNonce(etag?: string): string {
  if (etag === undefined) return crypto.getRandomValues(new Uint8Array(18)).toBase64();
  return new Bun.CryptoHasher("sha256").update(`nonce:${etag}`).digest("base64").slice(0, 24);
}

// What CSP has no say in: WebRTC, speculation rules, DNS prefetch (connection-allowlists, WICG).
const connectionAllowlist = (patterns: readonly string[]): string =>
  `(${patterns.map((pattern) => `"${pattern}"`).join(" ")});webrtc=block`;

/**
 * The pattern of one path with any query, as a structured string. A path's characters that URL patterns read otherwise
 * are escaped: an unescaped one would match another address, or none.
 */
function exactly(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname.replaceAll(/[+*{}():]/g, String.raw`\\$&`);
}

// Both headers take it as it is: a character of their syntax would add to them.
function requireImage(address: string): void {
  const { origin, pathname } = new URL(address);
  if (origin + pathname !== address || !isImagePath(pathname)) throw new Error(`"${address}" is no image's`);
}

// A space or a semicolon in an address would add to the policy.
function requireOrigin(origin: string): void {
  if (new URL(origin).origin !== origin) throw new Error(`"${origin}" is not an origin`);
}
