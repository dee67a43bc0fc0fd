// Checks whether the environment configures the network. Separate from environment-fetch.ts, which few runs need.
import type { Environment } from "../environment.ts";

/** The value of a proxy's variable, which is written in small letters or in capitals. */
export const variable = (env: Environment, name: string): string | undefined =>
  env[name.toLowerCase()] || env[name] || undefined;

/** Whether Node's own `fetch` would pass over what the environment says. */
export const needsOwnFetch = (env: Environment): boolean =>
  Boolean(variable(env, "HTTP_PROXY") ?? variable(env, "HTTPS_PROXY") ?? env["SSL_CERT_FILE"]);
