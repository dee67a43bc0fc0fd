// What the start says, on standard error (docs/reference/experience.md §1).
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
  /** What the data is kept in. */
  readonly database: string;
  /** By `performance.now()`. */
  readonly startedAt: number;
  /** How to sign in, and what to beware of. */
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

/** What a process that is one of several says: which it is, since when, where, and notes as the banner has them. */
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

/** Where the command line looks for an instance unless told. */
const usualAddress = "http://localhost:3000";

/** How one signs in. On a terminal that is a link; elsewhere lines are collected, so it is the command for one. */
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

/** Cookies are tied to TLS where there is TLS (docs/reference/security.md §3). */
export function transportNotes({ publicUrl }: Pick<Config, "publicUrl">): string[] {
  const { protocol, hostname } = new URL(publicUrl);
  if (protocol === "https:" || isLoopback(hostname)) return [];
  return ["Warning: PUBLIC_URL is plain http, so whoever is on the way can read sessions. Put TLS before it."];
}
