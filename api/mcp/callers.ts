// The hosts and origins that may reach the MCP endpoint: this instance's host names, and in a browser the allowed pages
// (the protocol's defence against DNS rebinding). No cookie is read here, so no more is necessary.
import { localhostAllowedHostnames, validateHostHeader, validateOriginHeader } from "@modelcontextprotocol/server";
import { AppError } from "@plinth/contract/errors";
import type { Config } from "@plinth/domain/config";

/** Decides whether a request may be answered, and the CORS headers for a browser. */
export function createCallerCheck({ publicUrl, mcpAllowedOrigins, allowedHosts }: Config) {
  const { host: ownHost, hostname, origin: ownOrigin } = new URL(publicUrl);
  const loopback = localhostAllowedHostnames();
  const hosts = [...loopback, hostname, ...allowedHosts];
  const pages: ReadonlySet<string> = new Set([ownOrigin, ...mcpAllowedOrigins]);
  // Programs on the caller's own computer serve their pages at any free port.
  const mayAsk = (origin: string | null) =>
    origin === null || pages.has(origin) || validateOriginHeader(origin, loopback).ok;
  return {
    /** @throws forbidden */
    require({ headers, url }: Request): void {
      const host = headers.get("host") ?? new URL(url).host;
      if (host !== ownHost && !validateHostHeader(host, hosts).ok)
        throw refused("This instance has another name", `Use ${publicUrl}/mcp`);
      if (!mayAsk(headers.get("origin")))
        throw refused(
          "Pages of that origin may not speak to this instance",
          "A program sends no Origin; the operator allows one with MCP_ALLOWED_ORIGINS",
        );
    },
    /** The headers of a response that a page may read. */
    cors({ headers }: Request): Record<string, string> {
      const origin = headers.get("origin");
      if (origin === null || !mayAsk(origin)) return { vary: "origin" };
      return {
        vary: "origin",
        "access-control-allow-origin": origin,
        "access-control-expose-headers": "WWW-Authenticate, Retry-After, RateLimit, RateLimit-Policy, X-Request-Id",
      };
    },
  };
}

const refused = (detail: string, hint: string): AppError => new AppError("forbidden", detail, { hint });
