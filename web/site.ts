// The operator's branding of this instance: a name, a logo and a paragraph in place of Plinth's.

export interface Site {
  /** In the header and in the titles of pages. */
  readonly name?: string;
  /** Plain text in place of the landing page's description. */
  readonly about?: string;
  readonly logo?: SiteLogo;
}

export interface SiteLogo {
  readonly type: "image/svg+xml" | "image/png" | "image/webp";
  readonly body: Uint8Array<ArrayBuffer>;
}

/** What pages know of it: the logo by its address. */
export interface ShownSite {
  readonly name?: string;
  readonly about?: string;
  readonly logo?: string;
}

interface SiteFiles {
  readonly shown: ShownSite;
  /** The logo, where its address is asked for. */
  readonly logoAt: (request: Request, pathname: string) => Response | undefined;
}

/** The address changes with the logo, so caches keep it. */
export function siteFiles({ logo, ...words }: Site): SiteFiles {
  if (logo === undefined) return { shown: words, logoAt: () => undefined };
  const digest = new Bun.CryptoHasher("sha256").update(logo.body).digest("base64url").slice(0, 22);
  const address = `/_app/immutable/logo-${digest}`;
  const headers = {
    "content-type": logo.type,
    "content-length": String(logo.body.byteLength),
    "cache-control": "public, max-age=31536000, immutable",
    // An SVG that is opened by itself is a document.
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'",
    "cross-origin-resource-policy": "same-origin",
    "x-content-type-options": "nosniff",
  };
  return {
    shown: { ...words, logo: address },
    logoAt({ method }, pathname) {
      if (pathname !== address || (method !== "GET" && method !== "HEAD")) return undefined;
      return new Response(method === "HEAD" ? null : logo.body, { headers });
    },
  };
}
