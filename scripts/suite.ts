// Owns one run of `bun test` over chosen files, and what it says of it. Must not know which suites there are.
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { type Outcome, readOutcomes } from "./junit.ts";
import { type Count, root } from "./step.ts";

/** How long each file took when this was last written, in ms: the longest begin first. `--update-timings` writes it. */
const timings = join(root, "scripts/test-timings.json");

export type Needs = "redis" | "engines";

const needing = /\.(redis|engines)\.test\.tsx?$/;

/** What a test file takes beside npm's packages, by its name: a Redis server, or Firefox and WebKit. */
export const needsOf = (file: string): Needs | undefined => needing.exec(file)?.[1] as Needs | undefined;

/** Every test file of the checkout, below its root. */
export function testFiles(): string[] {
  return [...new Bun.Glob("{*,scripts}/**/*.test.{ts,tsx}").scanSync({ cwd: root })]
    .filter((path) => !/(^|\/)(node_modules|build|dist|\.svelte-kit)\//.test(path))
    .toSorted();
}

interface Run {
  /** Further ones of `bun test`. */
  readonly options: readonly string[];
  /** For another order of the files than the longest first. */
  readonly seed?: number | undefined;
}

/** Runs test files, as many at once as there are processors. A run that ends badly without a failed test counts as one. */
export async function runSuite(files: readonly string[], { options, seed }: Run): Promise<Count> {
  const directory = mkdtempSync(join(tmpdir(), "plinth-suite-"));
  const report = join(directory, "report.xml");
  try {
    const workers = Math.min(files.length, Math.max(2, availableParallelism()));
    const command = [
      "test",
      // bunfig.toml has no key for the time limit.
      "--timeout=60000",
      // The pattern replaces bunfig.toml's, which leaves out what `bun test` alone cannot run.
      "--path-ignore-patterns=none",
      "--reporter=junit",
      `--reporter-outfile=${report}`,
      // A file sees what another one left in the module registry, as it always has: twice as fast.
      ...(workers > 1 ? [`--parallel=${workers}`, "--no-isolate"] : []),
      ...(workers > 1 && seed === undefined ? [`--timings=${timings}`] : []),
      ...options,
    ];
    // What tests choose by chance (doubles/test-seed.ts) is the same in all workers.
    process.env["TEST_SEED"] ??= String(Math.floor(Math.random() * 0x7fffffff));
    console.log(`TEST_SEED=${process.env["TEST_SEED"]} repeats what the tests chose`);
    const ordered = seed === undefined ? files : shuffled(files, seed);
    const run = Bun.spawn([process.execPath, ...command, ...ordered.map((file) => `./${file}`)], {
      cwd: root,
      // As it is now; by default a child gets the environment this process began with.
      env: process.env,
      stdio: ["ignore", "inherit", "inherit"],
    });
    const exitCode = await run.exited;
    const outcomes = existsSync(report) ? readOutcomes(readFileSync(report, "utf8")) : [];
    tellSlowest(outcomes);
    tellFailed(outcomes);
    const failed = outcomes.filter(({ failure }) => failure !== undefined).length;
    const passed = outcomes.filter(({ failure, isSkipped }) => failure === undefined && !isSkipped).length;
    if (exitCode !== 0 && failed === 0) console.log(`\nThe run ended with status ${exitCode} and no failed test.`);
    return { passed, failed: exitCode !== 0 && failed === 0 ? 1 : failed };
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** By a hash of each with the seed: the same order for the same seed, whichever files there are. */
function shuffled(files: readonly string[], seed: number): string[] {
  const places = new Map(files.map((file) => [file, Bun.hash.xxHash32(file, seed)]));
  return files.toSorted((one, other) => (places.get(one) ?? 0) - (places.get(other) ?? 0));
}

function tellSlowest(outcomes: readonly Outcome[]): void {
  const run = outcomes.filter(({ isSkipped }) => !isSkipped);
  const slowest = run.toSorted((one, other) => other.seconds - one.seconds).slice(0, 20);
  if (run.length <= slowest.length) return;
  console.log("\nThe slowest tests:");
  for (const { seconds, file, name } of slowest) console.log(`${seconds.toFixed(1).padStart(6)} s  ${file} > ${name}`);
}

/** Last of all, as the record of a run may keep its end alone. */
function tellFailed(outcomes: readonly Outcome[]): void {
  for (const { file, name, failure } of outcomes) {
    if (failure === undefined) continue;
    console.log(`\n(fail) ${file} > ${name}\n${failure.slice(0, 1500).trimEnd()}`);
    console.log(`alone: bun run test ${file} -t ${JSON.stringify(patternOf(name.replaceAll(" > ", " ")))}`);
  }
}

const patternOf = (name: string): string => name.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
