// The host names that this instance accepts. Otherwise a page of another site could point its name at this IP address
// (DNS rebinding) and read what the instance has published as if it were same-origin.
import { AppError } from "@plinth/contract/errors";

import type { Environment } from "./environment.ts";
import { isLoopback } from "./identity-environment.ts";

/**
 * Paths for programs that reach a process by its machine's IP address: health checks, and Prometheus with its token.
 */
const exempt: ReadonlySet<string> = new Set(["/api/health", "/metrics"]);

/** Addresses of every interface, including the loopback interface. */
const everyInterface: ReadonlySet<string> = new Set(["0.0.0.0", "::", "[::]"]);

type Hosts = Pick<Environment, "publicUrl" | "contentOrigin" | "allowedHosts" | "host">;

/** Creates the check, which returns the error for a URL of another host, or null. */
export function createHostCheck({ publicUrl, contentOrigin, allowedHosts, host }: Hosts) {
  const own: ReadonlySet<string> = new Set([
    ...[publicUrl, contentOrigin].map((origin) => new URL(origin).hostname),
    ...allowedHosts,
  ]);
  const hasLoopback = isLoopback(host) || everyInterface.has(host);
  return ({ hostname, pathname }: URL): AppError | null => {
    if (own.has(hostname) || (hasLoopback && isLoopback(hostname)) || exempt.has(pathname)) return null;
    return new AppError("misdirected_request", "This instance does not answer to that host name", {
      hint: `Use ${publicUrl}; the operator adds names with ALLOWED_HOSTS`,
    });
  };
}
