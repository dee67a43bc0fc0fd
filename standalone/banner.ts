// What the start says, on standard error (contract 1).
import type { Environment } from "./environment.ts";

interface About {
  readonly environment: Environment;
  readonly version: string;
  /** What the data is kept in. */
  readonly database: string;
  /** By `performance.now()`. */
  readonly startedAt: number;
}

export function banner({ environment, version, database, startedAt }: About): string {
  const { publicUrl, dataDir } = environment;
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  return `plinth ${version} · ready in ${seconds} s
  Web  ${publicUrl}        API  /api      Docs  /docs      MCP  /mcp
  Data ${dataDir} (${database})
  Make a user and a key: plinth operator user create --email you@example.com --username you
`;
}
