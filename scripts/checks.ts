// The static checks and how they run: side by side, all of them even when one fails. Tools that can cache their results do
// so below node_modules/.plinth and web/.svelte-kit.
import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { type Count, root, seconds } from "./step.ts";

export interface Check {
  readonly name: string;
  readonly command: readonly string[];
  /** Below the root; the root by default. */
  readonly folder?: string;
  /** Further variables of the environment. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** Each checker has its own copy of the types, so more than one for two processors costs more than it saves. */
const checkers = ["--checkers", String(Math.min(4, Math.max(1, Math.floor(availableParallelism() / 2))))];

export const checks: readonly Check[] = [
  // The slowest first.
  { name: "tsc", command: ["tsc", "--noEmit", ...checkers] },
  { name: "oxlint", command: ["oxlint", "."] },
  {
    name: "svelte-check",
    // With TypeScript 7, which takes half the time of svelte-check's own version.
    command: ["svelte-check", "--tsconfig", "./tsconfig.check.json", "--fail-on-warnings", "--tsgo", "--incremental"],
    folder: "web",
  },
  // Checks the command line against the oldest Node that its package supports.
  {
    name: "tsc of the command line for Node 20",
    command: ["tsc", "--noEmit", "-p", "cli/tsconfig.node20.json", ...checkers],
  },
  { name: "oxfmt", command: ["oxfmt", "--check", "."] },
  { name: "citations", command: ["scripts/citations.ts"] },
  { name: "prose", command: ["scripts/prose.ts"] },
  { name: "literal text", command: ["scripts/literal-text.ts"] },
  { name: "generated documents", command: ["scripts/generated-documents.ts"] },
  { name: "secrets", command: ["scripts/secrets.ts"] },
];

/** @throws Error without a check of that name */
export function checkNamed(name: string): Check {
  const found = checks.find((each) => each.name === name);
  if (found === undefined) throw new Error(`There is no check "${name}"`);
  return found;
}

/** Runs checks in parallel, except those whose folder is not in this checkout. */
export async function runChecks(wanted: readonly Check[]): Promise<Count> {
  const found = await Promise.all(wanted.filter(isHere).map(isClean));
  const passed = found.filter(Boolean).length;
  return { passed, failed: found.length - passed };
}

/** A container image of one part has no web app to check. */
export const isHere = ({ folder = "." }: Check): boolean => existsSync(join(root, folder, "tsconfig.json"));

/** Runs one check, and prints its output where it fails. */
export async function isClean({ name, command, folder = ".", environment }: Check): Promise<boolean> {
  const started = performance.now();
  const run = Bun.spawn([process.execPath, "--bun", "--silent", "run", ...command], {
    cwd: join(root, folder),
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [output, errors, exitCode] = await Promise.all([
    new Response(run.stdout).text(),
    new Response(run.stderr).text(),
    run.exited,
  ]);
  if (exitCode !== 0) console.log((output + errors).trimEnd());
  console.log(`${name}: ${exitCode === 0 ? "passed" : "FAILED"} in ${seconds(started)} s`);
  return exitCode === 0;
}
