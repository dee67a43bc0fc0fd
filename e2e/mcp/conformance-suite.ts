// Runs the MCP project's conformance suites for servers, unchanged. Knows their options and result files, but no
// expected result.
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";

import { hung, temporaryFolder } from "../harness/process.ts";

/** The released suite, and the newest of the next one, which speaks the revision of 2026 as well. */
export type Suite = "0.1.16" | "0.2.0-alpha.12";

interface Program {
  readonly package: string;
  /** Options that raise the time limits for a slow machine. */
  readonly timeoutFlags: readonly string[];
}

const programs: Readonly<Record<Suite, Program>> = {
  "0.1.16": { package: "mcp-conformance-2025", timeoutFlags: [] },
  "0.2.0-alpha.12": { package: "@modelcontextprotocol/conformance", timeoutFlags: ["--timeout", String(hung)] },
};

/** What a scenario came to, by the names of its checks. */
export interface Outcome {
  /** Those that hold. */
  readonly met: readonly string[];
  /** Those that don't, that warn, or that could not be made. */
  readonly unmet: readonly string[];
}

interface Check {
  readonly id: string;
  readonly status: "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO";
}

/** Every scenario for servers, with the revisions it is for; `extension` where it belongs to none. */
export async function scenariosOf(suite: Suite): Promise<ReadonlyMap<string, readonly string[]>> {
  const output = await run(suite, ["list", "--server"]);
  const lines = output.matchAll(/^ {2}- (\S+) \[(.+)\]$/gm);
  return new Map(Array.from(lines, ([, name = "", revisions = ""]) => [name, revisions.split(",")]));
}

/** Runs all scenarios against a server; with a revision those that are for it, and in that revision. */
export async function outcomesOf(suite: Suite, url: string, revision?: string): Promise<ReadonlyMap<string, Outcome>> {
  const folder = await temporaryFolder("conformance");
  try {
    const only = revision === undefined ? [] : ["--spec-version", revision];
    const { timeoutFlags } = programs[suite];
    await run(suite, ["server", "--url", url, "--suite", "all", "--output-dir", folder, ...only, ...timeoutFlags]);
    const written = await readdir(folder);
    const found = written.map(async (name): Promise<[string, Outcome]> => {
      const checks = (await Bun.file(join(folder, name, "checks.json")).json()) as Check[];
      return [name.replace(/^server-|-\d{4}-\d\d-\d\dT[\d-]+Z$/g, ""), outcomeOf(checks)];
    });
    return new Map(await Promise.all(found));
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Whether every message has the form that its revision demands: made in all scenarios, and not what one is about. */
export const general = "wire-schema-valid";

function outcomeOf(checks: readonly Check[]): Outcome {
  const idsOf = (...statuses: readonly Check["status"][]) =>
    [...new Set(checks.filter(({ status }) => statuses.includes(status)).map(({ id }) => id))].toSorted();
  return {
    met: idsOf("SUCCESS").filter((id) => id !== general),
    unmet: idsOf("FAILURE", "WARNING", "SKIPPED"),
  };
}

/** Runs the suite. Failed scenarios set another exit status than 0; its output describes them. */
async function run(suite: Suite, words: readonly string[]): Promise<string> {
  const program = join(import.meta.dir, "../node_modules", programs[suite].package, "dist/index.js");
  const child = Bun.spawn([process.execPath, "--bun", program, ...words], {
    stdin: "ignore",
    stdout: "pipe",
    stderr: "inherit",
    timeout: hung,
  });
  const output = await new Response(child.stdout).text();
  await child.exited;
  if (child.signalCode !== null) throw new Error(`suite ${suite} did not end: ${words.join(" ")}`);
  return output;
}
