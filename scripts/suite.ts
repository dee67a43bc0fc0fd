// One run of `bun test` over given files, and its report. It must not know which suites exist.
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { type Outcome, readOutcomes } from "./junit.ts";
import { type Count, root } from "./step.ts";

/**
 * The duration of each file when this was last written, in ms: the slowest start first. `--update-timings` writes it.
 */
const timings = join(root, "scripts/test-timings.json");

export type Needs = "redis" | "s3" | "engines";

const needing = /\.(redis|s3|engines)\.test\.tsx?$/;

/** The system packages that a test file requires, by its name: a Redis server, Ceph's radosgw, or Firefox and WebKit. */
export const needsOf = (file: string): Needs | undefined => needing.exec(file)?.[1] as Needs | undefined;

/** Every test file of the checkout, below its root. */
export function testFiles(): string[] {
  return [...new Bun.Glob("{*,scripts}/**/*.test.{ts,tsx}").scanSync({ cwd: root })]
    .filter((path) => !/(^|\/)(node_modules|build|dist|\.svelte-kit)\//.test(path))
    .toSorted();
}

interface Run {
  /** Further options of `bun test`. */
  readonly options: readonly string[];
  /** Shuffles the files instead of starting with the slowest. */
  readonly seed?: number | undefined;
  /** Runs whole sets instead of samples. */
  readonly isWhole?: boolean;
}

export interface SuiteOutcome extends Count {
  /** The files with a failed test; all of them where the run failed without one. */
  readonly failedFiles: readonly string[];
  /** What each failed test said, and each file of which no test ran. */
  readonly failures: readonly string[];
  /** How long the tests of each file took. */
  readonly secondsOf: ReadonlyMap<string, number>;
}

/**
 * Runs test files in parallel, one for each processor. A run that fails without a failed test counts as one failed
 * test.
 */
export async function runSuite(
  files: readonly string[],
  { options, seed, isWhole = false }: Run,
): Promise<SuiteOutcome> {
  const directory = mkdtempSync(join(tmpdir(), "plinth-suite-"));
  const report = join(directory, "report.xml");
  try {
    const workers = Math.min(files.length, Math.max(2, availableParallelism()));
    const command = [
      "test",
      // bunfig.toml has no key for the time limit.
      "--timeout=60000",
      // Overrides bunfig.toml's pattern, which excludes tests that `bun test` alone cannot run.
      "--path-ignore-patterns=none",
      "--reporter=junit",
      `--reporter-outfile=${report}`,
      // Files of a worker share the module registry, which is twice as fast.
      ...(workers > 1 ? [`--parallel=${workers}`, "--no-isolate"] : []),
      ...(workers > 1 && seed === undefined ? [`--timings=${timings}`] : []),
      ...options,
    ];
    // All workers get the same seed for random choices of tests (e2e/support/test-seed.ts).
    process.env["TEST_SEED"] ??= String(Math.floor(Math.random() * 0x7fffffff));
    console.log(`TEST_SEED=${process.env["TEST_SEED"]} repeats what the tests chose`);
    const ordered = seed === undefined ? files : shuffled(files, seed);
    const run = Bun.spawn([process.execPath, ...command, ...ordered.map((file) => `./${file}`)], {
      cwd: root,
      // With later changes; by default a child gets the environment that this process started with.
      env: { ...process.env, ...(isWhole && { TEST_SAMPLES: "all" }) },
      stdio: ["ignore", "inherit", "inherit"],
    });
    const exitCode = await run.exited;
    const outcomes = existsSync(report) ? readOutcomes(readFileSync(report, "utf8")) : [];
    printSlowest(outcomes);
    const unloaded = exitCode === 0 ? [] : withoutOutcome(files, outcomes);
    const failedTests = outcomes.filter(({ failure }) => failure !== undefined);
    const failures = [
      ...failedTests.map(failureText),
      ...unloaded.map((file) => `(fail) ${file}: no test of it ran; its error is above`),
    ];
    const failed = failures.length;
    const passed = outcomes.filter(({ failure, isSkipped }) => failure === undefined && !isSkipped).length;
    if (exitCode !== 0 && failed === 0) console.log(`\nThe run ended with status ${exitCode} and no failed test.`);
    const secondsOf = new Map<string, number>();
    for (const { file, seconds } of outcomes) secondsOf.set(file, (secondsOf.get(file) ?? 0) + seconds);
    if (exitCode !== 0 && failed === 0) return { passed, failed: 1, failedFiles: files, failures, secondsOf };
    return { passed, failed, failedFiles: [...failedTests.map(({ file }) => file), ...unloaded], failures, secondsOf };
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** Sorts by a hash of each path with the seed: the same order for the same seed, independently of the other files. */
function shuffled(files: readonly string[], seed: number): string[] {
  const places = new Map(files.map((file) => [file, Bun.hash.xxHash32(file, seed)]));
  return files.toSorted((one, other) => (places.get(one) ?? 0) - (places.get(other) ?? 0));
}

function printSlowest(outcomes: readonly Outcome[]): void {
  const run = outcomes.filter(({ isSkipped }) => !isSkipped);
  const slowest = run.toSorted((one, other) => other.seconds - one.seconds).slice(0, 20);
  if (run.length <= slowest.length) return;
  console.log("\nThe slowest tests:");
  for (const { seconds, file, name } of slowest) console.log(`${seconds.toFixed(1).padStart(6)} s  ${file} > ${name}`);
}

const failureText = ({ file, name, failure = "" }: Outcome): string =>
  `(fail) ${file} > ${name}\n${shortened(failure)}\n` +
  `alone: bun run test ${file} -t ${JSON.stringify(patternOf(name.replaceAll(" > ", " ")))}`;

/** The beginning and the end: a counterexample can be long, and what was wrong with it follows it. */
const shortened = (failure: string): string =>
  failure.length <= 4000 ? failure.trimEnd() : `${failure.slice(0, 1500)}\n…\n${failure.slice(-2500).trimEnd()}`;

/** A file that fails while it is loaded, as by a set-up at its top level, has no test in the report. */
function withoutOutcome(files: readonly string[], outcomes: readonly Outcome[]): string[] {
  const reported = new Set(outcomes.map(({ file }) => file));
  return files.filter((file) => !reported.has(file));
}

const patternOf = (name: string): string => name.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
