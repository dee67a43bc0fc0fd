// From where the MCP endpoint is spoken to: under names of this instance's own, and in a browser from pages that are
// allowed to (the protocol's defence against DNS rebinding). No cookie is read here, so this guards no more than that.
import { localhostAllowedHostnames, validateHostHeader, validateOriginHeader } from "@modelcontextprotocol/server";
import { AppError } from "@plinth/contract/errors";
import type { Config } from "@plinth/domain/config";

/** Says whether a request may be answered, and what a browser is told of that. */
export function createCallerCheck({ publicUrl, mcpAllowedOrigins }: Config) {
  const own = [...localhostAllowedHostnames(), new URL(publicUrl).hostname];
  const pages = [...own, ...mcpAllowedOrigins.map((origin) => new URL(origin).hostname)];
  return {
    /** @throws forbidden */
    require({ headers, url }: Request): void {
      const host = headers.get("host") ?? new URL(url).host;
      if (!validateHostHeader(host, own).ok) throw refused("This instance has another name", `Use ${publicUrl}/mcp`);
      if (!validateOriginHeader(headers.get("origin"), pages).ok)
        throw refused(
          "Pages of that origin may not speak to this instance",
          "A program sends no Origin; the operator allows one with MCP_ALLOWED_ORIGINS",
        );
    },
    /** Of an answer to a page that may read it. */
    cors({ headers }: Request): Record<string, string> {
      const origin = headers.get("origin");
      if (origin === null || !validateOriginHeader(origin, pages).ok) return { vary: "origin" };
      return {
        vary: "origin",
        "access-control-allow-origin": origin,
        "access-control-expose-headers": "WWW-Authenticate, Retry-After, X-Request-Id",
      };
    },
  };
}

const refused = (detail: string, hint: string): AppError => new AppError("forbidden", detail, { hint });
