// Where the user's own files lie. Reads no file.
import { homedir } from "node:os";
import { join } from "node:path";

import type { Environment } from "../environment.ts";

/** The home directory; a user without any (a bare number in a container) has the root, as containers set it. */
export function homeOf(env: Environment): string {
  if (env["HOME"]) return env["HOME"];
  try {
    return homedir();
  } catch (error) {
    if (isMissing(error)) return "/";
    throw error;
  }
}

/** Node tells the system's own code in `info`, Bun as `code`. */
function isMissing(error: unknown): boolean {
  const { code, info } = error as { code?: string; info?: { code?: string } };
  return (info?.code ?? code) === "ENOENT";
}

/** Where the user's own settings and credentials live. */
export function configDirectory(env: Environment): string {
  const base = env["XDG_CONFIG_HOME"];
  return join(base !== undefined && base.startsWith("/") ? base : join(homeOf(env), ".config"), "plinth");
}

/** Where the client keeps what it may lose: `$XDG_STATE_HOME/plinth`. */
export function stateDirectory(env: Environment): string {
  const base = env["XDG_STATE_HOME"];
  return join(base?.startsWith("/") ? base : join(homeOf(env), ".local/state"), "plinth");
}
