// The messages of the start, on standard error (docs/reference/experience.md §1).
import type { Connection } from "@plinth/db/connection";
import type { Config } from "@plinth/domain/config";
import { createOwnerLink, type Owner } from "@plinth/domain/identity/owner";

import packageJson from "../package.json" with { type: "json" };
import type { Environment, ProcessKind } from "./environment.ts";
import { isLoopback } from "./identity-environment.ts";
import type { Start } from "./run.ts";

interface About {
  readonly environment: Environment;
  readonly version: string;
  /** Where the data is stored. */
  readonly database: string;
  /** In the time of `performance.now()`. */
  readonly startedAt: number;
  /** How to sign in, and warnings. */
  readonly notes: readonly string[];
}

export function banner({ environment, version, database, startedAt, notes }: About): string {
  const { publicUrl, dataDir } = environment;
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const lines = [
    `plinth ${version} · ready in ${seconds} s`,
    `  Web  ${publicUrl}        API  /api      Docs  /docs      MCP  /mcp`,
    `  Data ${dataDir} (${database})`,
    ...notes.map((note) => `  ${note}`),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

/** The start message of one process among several: its kind, start time, URL, and notes like those of the banner. */
export function readyLine(
  kind: ProcessKind,
  { startedAt }: Pick<Start, "startedAt">,
  where: string,
  notes: readonly string[] = [],
): string {
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const lines = [
    `plinth ${packageJson.version} · ${kind} ready in ${seconds} s · ${where}`,
    ...notes.map((note) => `  ${note}`),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

/** The default URL of the command line. */
const usualAddress = "http://localhost:3000";

/** How to sign in: a link on a terminal. Elsewhere the output is logged, so it is the command that creates a link. */
export async function signInNotes(db: Connection, config: Config, owner: Owner | null, onTerminal: boolean) {
  const { publicUrl, identity } = config;
  if (identity.providers.length > 0) return [`Sign in with ${identity.providers.map(({ name }) => name).join(", ")}`];
  if (owner === null) return [];
  if (onTerminal) {
    const { url } = await createOwnerLink(db, config, owner);
    return ["No identity provider configured. Sign in as the owner (one use, 30 minutes):", url];
  }
  const where = publicUrl === usualAddress ? "" : ` --base-url ${publicUrl}`;
  return [
    "No identity provider configured. For a link that signs the owner in:",
    `plinth operator user sign-in-link --user-id ${owner.userId}${where}`,
  ];
}

/** Cookies require TLS where the public URL has it (docs/reference/security.md §3). */
export function transportNotes({ publicUrl }: Pick<Config, "publicUrl">): string[] {
  const { protocol, hostname } = new URL(publicUrl);
  if (protocol === "https:" || isLoopback(hostname)) return [];
  return ["Warning: PUBLIC_URL is plain http, so others on the network can read sessions. Put TLS in front of it."];
}
