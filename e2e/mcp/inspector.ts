// The protocol's inspector on the command line, as somebody runs it who tries a server out. Knows its options alone.
import { rm } from "node:fs/promises";
import { join } from "node:path";

import { cleanEnvironment, hung, temporaryFolder } from "../harness/process.ts";

const program = join(
  import.meta.dir,
  "../node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js",
);

/** Of the handshake's revisions, or of that of 2026. */
export type Era = "legacy" | "modern";

export interface Inspected {
  /** 5 where a tool refused, 1 where the protocol did. */
  readonly exitCode: number;
  /** Null where it failed before there was one. */
  readonly result: Record<string, unknown> | null;
  readonly stderr: string;
}

/** Asks one thing with a bearer token, from a home of its own. */
export async function inspect(origin: string, token: string, era: Era, words: readonly string[]): Promise<Inspected> {
  const home = await temporaryFolder("inspector");
  const connecting = ["--transport", "http", "--header", `Authorization: Bearer ${token}`, "--protocol-era", era];
  const timeoutFlags = ["--connect-timeout", String(hung)];
  const command = ["--cli", `${origin}/mcp`, ...connecting, ...timeoutFlags, "--format", "json", ...words];
  try {
    // Under Bun: it asks for a Node newer than the one that is needed otherwise.
    const child = Bun.spawn([process.execPath, "--bun", program, ...command], {
      env: { ...cleanEnvironment(), HOME: home, BUN_RUNTIME_TRANSPILER_CACHE_PATH: "0" },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
      timeout: hung,
    });
    const [stdout, stderr, exitCode] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ]);
    const { result = null } = (stdout === "" ? {} : JSON.parse(stdout)) as { result?: Record<string, unknown> };
    return { exitCode, result, stderr };
  } finally {
    await rm(home, { recursive: true });
  }
}
