// All headers of each class of answer, from the table in docs/reference/security.md §1, independently of the code that
// sends them. No other header can be sent.
import type { Answer } from "./http.ts";

/** An exact value or a pattern. */
export type Headers = Readonly<Record<string, string | RegExp>>;

/** Headers that the connection adds. */
const ofTheConnection = new Set(["date", "content-length", "transfer-encoding", "connection", "keep-alive"]);

/** Every answer below /api/ may say by which version of Plinth it was given. */
const ofTheInstance: Headers = { "x-plinth-version": /^\d+\.\d+\.\d+$/ };

const nosniff = { "x-content-type-options": "nosniff" };
const requestId = { "x-request-id": /^[\w-]{8,}$/ };
const corp = { "cross-origin-resource-policy": "same-origin" };

export const json: Headers = {
  ...nosniff,
  ...requestId,
  "content-type": "application/json",
  "cache-control": "no-store",
};
export const taggedJson: Headers = { ...json, "cache-control": "private, no-cache", etag: /^W\/"\w+"$/ };
export const nothing: Headers = { ...requestId, "cache-control": "no-store" };
export const problem: Headers = { ...json, "content-type": "application/problem+json" };
export const challenge: Headers = { ...problem, "www-authenticate": /^Bearer realm="plinth"/ };
export const events: Headers = { ...json, "content-type": "text/event-stream", "x-accel-buffering": "no" };
const inert = "default-src 'none'; sandbox; frame-ancestors 'none'";
export const diff: Headers = {
  ...taggedJson,
  etag: /^W\/"[0-9a-f]{64}-unified"$/,
  "content-type": "text/x-diff; charset=utf-8",
  "content-security-policy": inert,
  vary: "accept",
};

export const source = (type: "md" | "html" | "jsx", isPublic: boolean): Headers => ({
  ...nosniff,
  ...requestId,
  ...corp,
  "content-type": {
    md: "text/markdown; charset=utf-8",
    html: "text/html; charset=utf-8",
    jsx: "text/plain; charset=utf-8",
  }[type],
  "content-security-policy": inert,
  "connection-allowlist": "();webrtc=block",
  "x-dns-prefetch-control": "off",
  "content-disposition": /^inline; filename\*=UTF-8''[\w.%-]+$/,
  "cache-control": isPublic ? "public, no-cache" : "private, no-cache",
  etag: /^"[0-9a-f]{64}"$/,
  vary: /^authorization, cookie, x-share-token(?:, Accept)?$/,
  "x-artifact-id": /^art_\w{26}$/,
  "x-artifact-version": /^\d+$/,
  "accept-ranges": "bytes",
});

/** A file beside a document, as the API sends it. */
export const file = (isPublic: boolean): Headers => {
  const { "x-artifact-id": _, "x-artifact-version": __, "accept-ranges": ___, ...ofSource } = source("md", isPublic);
  return { ...ofSource, "content-type": "image/png" };
};

/** A version with its files. */
export const archive = (isPublic: boolean): Headers => ({
  ...file(isPublic),
  "content-type": "application/zip",
  "content-disposition": /^attachment; filename\*=UTF-8''[\w.%-]+\.zip$/,
});

/** A file in the frame of its document. */
export const framedFile = (isPublic: boolean): Headers => {
  const { vary: _, ...ofFile } = file(isPublic);
  return {
    ...ofFile,
    "access-control-allow-origin": "*",
    "accept-ranges": "bytes",
    "cross-origin-resource-policy": "cross-origin",
    "referrer-policy": "no-referrer",
    "content-disposition": /^attachment; filename\*=UTF-8''[\w.%-]+$/,
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'",
  };
};

/** A screenshot or its placeholder. */
export const thumbnail = (isPublic: boolean): Headers => {
  const { "x-artifact-id": _, "x-artifact-version": __, "accept-ranges": ___, ...ofSource } = source("md", isPublic);
  return {
    ...ofSource,
    "content-type": /^image\/(?:webp|svg\+xml)$/,
    // Documents of an opaque origin show it.
    "cross-origin-resource-policy": isPublic ? "cross-origin" : "same-origin",
    etag: /^"[\w-]+"$/,
    "x-thumbnail": /^(?:ready|pending|placeholder)$/,
  };
};

const openToAll = { "access-control-allow-origin": "*" };
const oauth = {
  ...nosniff,
  ...requestId,
  ...openToAll,
  "access-control-expose-headers": "WWW-Authenticate, Retry-After",
};
export const oauthDocument: Headers = {
  ...oauth,
  "content-type": "application/json",
  "cache-control": "public, max-age=300",
};
export const oauthAnswer: Headers = {
  ...oauth,
  "content-type": /^application\/json/,
  "cache-control": "no-store",
  pragma: "no-cache",
};
export const oauthPreflight: Headers = {
  ...oauth,
  "access-control-allow-methods": "GET, POST",
  "access-control-allow-headers": "Authorization, Content-Type, MCP-Protocol-Version",
  "access-control-max-age": "86400",
};
/** A redirect: from a content URL to its viewer, or from an authorization request to a page or a client. */
export const sentOn: Headers = {
  ...requestId,
  location: /^http/,
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
};

/** Pages of some origins can read MCP's answers. */
export const mcp: Headers = { vary: "origin" };
export const mcpAnswer: Headers = { ...json, ...mcp };
export const mcpRefused: Headers = { ...problem, ...mcp };
export const mcpNotServed: Headers = {
  ...json,
  ...mcp,
  "content-type": /^application\/json/,
  allow: "POST, OPTIONS",
};
export const mcpPreflight: Headers = {
  ...nothing,
  ...nosniff,
  ...mcp,
  "access-control-allow-methods": "POST",
  "access-control-allow-headers":
    "Authorization, Content-Type, Accept, Idempotency-Key, Last-Event-ID, MCP-Protocol-Version, MCP-Session-Id, Mcp-Method, Mcp-Name, X-Request-Id, X-Share-Token",
  "access-control-max-age": "86400",
};

export const openApi: Headers = {
  ...json,
  "cache-control": "no-cache",
  etag: /^W\/"[0-9a-z]+"$/,
  vary: "accept-encoding",
};
export const figures: Headers = { ...json, "content-type": /^text\/plain; version=[\d.]+; charset=utf-8$/ };
export const referenceFile: Headers = {
  ...nosniff,
  ...requestId,
  "content-type": /^text\/(?:css|javascript); charset=utf-8$/,
  "cache-control": "no-cache",
};
export const guide = (type: "text/plain" | "text/markdown"): Headers => ({
  ...nosniff,
  ...requestId,
  "content-type": `${type}; charset=utf-8`,
  "cache-control": "no-cache",
});
/** The command line, to download. */
export const commandLine: Headers = {
  ...nosniff,
  ...requestId,
  "content-type": "application/gzip",
  "content-disposition": /^attachment; filename="[\w.-]+\.t?gz"$/,
  "cache-control": "no-cache",
  etag: /^"[0-9a-f]{64}"$/,
};
export const referencePage: Headers = {
  ...nosniff,
  ...requestId,
  ...corp,
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-cache",
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; worker-src blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "cross-origin-opener-policy": "same-origin",
  "referrer-policy": "strict-origin-when-cross-origin",
};
export const runtimeFile: Headers = {
  ...nosniff,
  ...requestId,
  ...openToAll,
  "content-type": /^(?:text\/(?:javascript|css); charset=utf-8|font\/woff2)$/,
  "cache-control": "public, max-age=31536000, immutable",
  "cross-origin-resource-policy": "cross-origin",
};
export const clientFile = (isImmutable: boolean): Headers => ({
  ...nosniff,
  ...corp,
  "content-type": /^[a-z]+\/[a-z0-9.+-]+(?:;\s?charset=utf-8)?$/,
  "cache-control": isImmutable ? "public, max-age=31536000, immutable" : "public, no-cache",
  etag: /^"[\w-]{22}"$/,
});

const inertFile: Headers = {
  ...nosniff,
  ...requestId,
  ...corp,
  "content-security-policy": inert,
  "cache-control": "private, no-cache",
  etag: /^W\/"[\w-]{22}"$/,
};
export const feed: Headers = { ...inertFile, "content-type": "application/atom+xml; charset=utf-8", vary: "cookie" };

/** Of an artifact that anyone may see. */
export const qrCode: Headers = {
  ...inertFile,
  "cross-origin-resource-policy": "cross-origin",
  "content-type": "image/svg+xml",
  "content-disposition": /^inline; filename="[a-z0-9-]+\.svg"$/,
  vary: "cookie",
};

const ofEmbedPage: Headers = {
  ...nosniff,
  ...requestId,
  ...corp,
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": /^sandbox /,
  "permissions-policy": /^(?:[a-z-]+=\(\)(?:, |$))+$/,
  "referrer-policy": "no-referrer",
  vary: "Accept-Language, Accept-Encoding",
};

/** The page that other sites frame. */
export const embedPage: Headers = { ...ofEmbedPage, "cache-control": "public, no-cache", etag: /^W\/"[\w-]{22}"$/ };
/** The same for an artifact that not everyone may see. */
export const embedRefusal: Headers = { ...ofEmbedPage, "cache-control": "no-store" };
/** From a former address. */
export const embedMoved: Headers = { ...nosniff, ...sentOn, location: /^http.*\/embed\// };

/** Any hashes are accepted. */
export const embedPolicy = (content: string): Readonly<Record<string, readonly string[]>> => ({
  ...embedRefusalPolicy,
  "script-src": ["'sha256-'"],
  "frame-src": [`${content}/_content/e/`],
});

export const embedRefusalPolicy: Readonly<Record<string, readonly string[]>> = {
  sandbox: ["allow-forms", "allow-modals", "allow-popups", "allow-popups-to-escape-sandbox", "allow-scripts"],
  "default-src": ["'none'"],
  "style-src": ["'sha256-'"],
  "base-uri": ["'none'"],
  "form-action": ["'none'"],
};

/** `shared` is the same for everyone. */
export type PageKind = "plain" | "own" | "secret" | "mailed" | "shared";

/** Of a page with any status; `pagePolicy` compares the policy. */
export const page = (kind: PageKind): Headers => ({
  ...nosniff,
  ...requestId,
  ...corp,
  "content-security-policy": /./,
  "cross-origin-opener-policy": "same-origin",
  "referrer-policy":
    kind === "secret" ? "no-referrer" : kind === "mailed" ? "same-origin" : "strict-origin-when-cross-origin",
  "cache-control":
    kind === "shared" ? /^(?:public|private), no-cache$/ : kind === "plain" ? "private, no-cache" : "private, no-store",
  "permissions-policy": /^(?:[a-z-]+=\((?:self)?\)(?:, |$))+$/,
});

/** Further headers of a public artifact's page for readers without a cookie, which is the same for all of them. */
export const readyPage: Headers = { etag: /^W\/"[\w-]{22}"$/, vary: "Accept, Accept-Language, Accept-Encoding" };

/** Of pages with scripts; any nonce or hash is accepted. */
export const pagePolicy = (
  app: string,
  content: string,
  inline: "'nonce-'" | "'sha256-'" = "'nonce-'",
): Readonly<Record<string, readonly string[]>> => ({
  "default-src": ["'none'"],
  "script-src": [inline, `${app}/_app/immutable/`],
  "style-src": ["'self'"],
  "style-src-attr": ["'sha256-S8qMpvofolR8Mpjy4kQvEm7m1q8clzU4dfDH0AmvZjo='", "'unsafe-hashes'"],
  "img-src": ["'self'", "data:"],
  "font-src": ["'self'"],
  "connect-src": ["'self'"],
  "base-uri": ["'none'"],
  "form-action": ["'self'"],
  "frame-ancestors": ["'none'"],
  "frame-src": [`${content}/_content/`],
});

/** Of the page that leads to the payment page, which is Stripe's or the fake's. */
export const formsOfBilling = (stripe: string) => ({ "form-action": ["'self'", stripe] });

/** Of pages that preview a text before it is published: in a frame, from the content host. */
export const formsOfDrafts = (content: string) => ({ "form-action": ["'self'", `${content}/_content/draft/`] });

/** Of answers of the web app that are not pages. */
export const barePolicy = (content: string): Readonly<Record<string, readonly string[]>> => ({
  "default-src": ["'none'"],
  "base-uri": ["'none'"],
  "form-action": ["'self'"],
  "frame-ancestors": ["'none'"],
  "frame-src": [`${content}/_content/`],
});

export type Framed = "md" | "html" | "jsx";

/** `runtime` is the URL of its folder; any nonce of jsx is accepted. */
export const contentPolicy = (
  type: Framed,
  app: string,
  runtime: string,
): Readonly<Record<string, readonly string[]>> => {
  const ours = type === "html" ? [] : [runtime];
  return {
    sandbox: (type === "md"
      ? ["allow-scripts"]
      : ["allow-scripts", "allow-forms", "allow-modals", "allow-pointer-lock"]
    ).toSorted(),
    "default-src": ["'none'"],
    "script-src": {
      md: [runtime],
      jsx: ["'nonce-'", runtime],
      html: [
        "'unsafe-eval'",
        "'unsafe-inline'",
        "'wasm-unsafe-eval'",
        "blob:",
        "data:",
        `${runtime}memory-database.js`,
      ],
    }[type],
    "style-src": ["'unsafe-inline'", ...(type === "html" ? ["data:"] : ours)],
    "img-src": type === "md" ? ["data:"] : ["blob:", "data:"],
    "font-src": ["data:", ...ours],
    "media-src": ["blob:", "data:"],
    "connect-src": type === "md" ? ["'none'"] : ["blob:", "data:"],
    "worker-src": ["blob:"],
    "child-src": ["blob:"],
    "frame-src": ["'none'"],
    "object-src": ["'none'"],
    "base-uri": ["'none'"],
    "form-action": ["'none'"],
    "frame-ancestors": [app],
  };
};

/** A document, which can load itself again at `own`; a draft is at no address. */
export const content = (type: Framed, runtime: string, isSteady: boolean, own: string | null): Headers => ({
  ...nosniff,
  ...requestId,
  ...corp,
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": /^sandbox /,
  "connection-allowlist": `("${runtime}*"${own === null ? "" : ` "${own}"`});webrtc=block`,
  "permissions-policy":
    type === "md" ? /^(?:[a-z-]+=\(\)(?:, |$))+$/ : /^(?:(?:[a-z-]+=\(\)|(?:fullscreen|gamepad)=\*)(?:, |$))+$/,
  "referrer-policy": "no-referrer",
  "x-dns-prefetch-control": "off",
  "cache-control": isSteady ? "public, no-cache" : "private, no-store",
  // The tag of a compressed form is weak.
  ...(isSteady ? { etag: /^W\/"[\w-]{27}"$/, "content-encoding": "br", vary: "Accept-Encoding" } : {}),
});

/** How an answer's headers differ from a class; headers of `also` are optional. */
export function faultsOf(answer: Answer, expected: Headers, also: Headers = {}): string[] {
  const missing = Object.entries(expected).flatMap(([name, value]) => {
    const sent = answer.headers.get(name);
    if (sent === null) return [`${name} is missing`];
    const is = typeof value === "string" ? sent === value : value.test(sent);
    return is ? [] : [`${name} is ${sent}`];
  });
  const more = [...answer.headers].flatMap(([name, sent]) => {
    if (name in expected || ofTheConnection.has(name)) return [];
    const value = also[name] ?? ofTheInstance[name];
    if (value === undefined) return [`${name} is sent: ${sent}`];
    return (typeof value === "string" ? sent === value : value.test(sent)) ? [] : [`${name} is ${sent}`];
  });
  return [...missing, ...more];
}
