// Which hosts this instance answers to. A page of another site can point its name at this address (DNS rebinding)
// and would read what it has published as if it were the same origin.
import { AppError } from "@plinth/contract/errors";

import type { Environment } from "./environment.ts";
import { isLoopback } from "./identity-environment.ts";

/** Sent by programs that reach a process by the address of its machine: health checks, and Prometheus with its token. */
const exempt: ReadonlySet<string> = new Set(["/api/health", "/metrics"]);

/** Addresses of every interface, the loopback one among them. */
const everyInterface: ReadonlySet<string> = new Set(["0.0.0.0", "::", "[::]"]);

type Hosts = Pick<Environment, "publicUrl" | "contentOrigin" | "allowedHosts" | "host">;

/** Makes the check: the refusal of a request to that URL, null where its host is one of this instance's. */
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
