// `bun run check`: runs every static check in parallel, and all of them even when one fails; with `--changed` only those
// of a change (check-changed.ts). Tools that can cache their results do so below node_modules/.plinth and web/.svelte-kit.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { install } from "./install.ts";
import { requirePinnedBun } from "./pinned-bun.ts";
import { conclude, type Count, root, seconds } from "./step.ts";

export interface Check {
  readonly name: string;
  readonly command: readonly string[];
  /** Below the root; the root by default. */
  readonly folder?: string;
}

/** Generates the file that the web app's tsconfig extends. */
const preparation: Check = { name: "svelte-kit sync", command: ["svelte-kit", "sync"], folder: "web" };

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

/** Runs all checks in parallel, and prints the output of each when it has ended. */
export async function check(): Promise<Count> {
  if (isHere(preparation)) {
    dropStaleCache();
    if (!(await isClean(preparation))) return { passed: 0, failed: 1 };
  }
  return runChecks(checks);
}

/** Runs checks in parallel, except those whose folder is not in this checkout. */
export async function runChecks(wanted: readonly Check[]): Promise<Count> {
  const found = await Promise.all(wanted.filter(isHere).map(isClean));
  const passed = found.filter(Boolean).length;
  return { passed, failed: found.length - passed };
}

/** A container image of one part has no web app to check. */
const isHere = ({ folder = "." }: Check): boolean => existsSync(join(root, folder, "tsconfig.json"));

async function isClean({ name, command, folder = "." }: Check): Promise<boolean> {
  const started = performance.now();
  const run = Bun.spawn([process.execPath, "--bun", "--silent", "run", ...command], {
    cwd: join(root, folder),
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

/** svelte-check only compares components, so results of another version or configuration must be deleted. */
function dropStaleCache(): void {
  const cache = join(root, "web/.svelte-kit/.svelte-check");
  const stamp = join(root, "node_modules/.plinth/svelte-check");
  const hash = new Bun.CryptoHasher("sha256");
  // One of these modules has the compiler's options.
  const modules = [...new Bun.Glob("web/*.ts").scanSync({ cwd: root })].toSorted();
  for (const path of ["bun.lock", "web/tsconfig.check.json", "web/tsconfig.json", ...modules])
    hash.update(readFileSync(join(root, path)));
  const wanted = hash.digest("hex");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
  rmSync(cache, { recursive: true, force: true });
  mkdirSync(join(root, "node_modules/.plinth"), { recursive: true });
  writeFileSync(stamp, wanted);
}

if (import.meta.main) {
  await requirePinnedBun();
  install();
  const [option, ref] = process.argv.slice(2);
  if (option !== undefined && option !== "--changed") throw new Error("Usage: bun run check [--changed [ref]]");
  // Only here: that module imports this one.
  const run = option === undefined ? check : async () => (await import("./check-changed.ts")).checkChanged(ref);
  conclude([await run()]);
}
