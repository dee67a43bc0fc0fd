// The protocol's inspector on the command line, as a developer runs it to try out a server. Knows only its options.
import { rm } from "node:fs/promises";
import { join } from "node:path";

import { cleanEnvironment, hung, runToEnd, temporaryFolder } from "../harness/process.ts";

const program = join(
  import.meta.dir,
  "../node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js",
);

/** Of the handshake's revisions, or of that of 2026. */
export type Era = "legacy" | "modern";

export interface Inspected {
  /** 5 where a tool refused, 1 where the protocol did. */
  readonly exitCode: number;
  /** Null if it failed before there was a result. */
  readonly result: Record<string, unknown> | null;
  readonly stderr: string;
}

/** Sends one request with a bearer token and a separate home. */
export async function inspect(origin: string, token: string, era: Era, words: readonly string[]): Promise<Inspected> {
  const home = await temporaryFolder("inspector");
  const connecting = ["--transport", "http", "--header", `Authorization: Bearer ${token}`, "--protocol-era", era];
  const timeoutFlags = ["--connect-timeout", String(hung)];
  const command = ["--cli", `${origin}/mcp`, ...connecting, ...timeoutFlags, "--format", "json", ...words];
  try {
    // Under Bun, because it needs a newer Node than the rest.
    const env = { ...cleanEnvironment(), HOME: home, BUN_RUNTIME_TRANSPILER_CACHE_PATH: "0" };
    const { code, stdout, stderr } = await runToEnd([process.execPath, "--bun", program, ...command], { env });
    const { result = null } = (stdout === "" ? {} : JSON.parse(stdout)) as { result?: Record<string, unknown> };
    return { exitCode: code, result, stderr };
  } finally {
    await rm(home, { recursive: true });
  }
}
