// Owns one run of `bun test`, counted from its JUnit report. Must not know which suites there are.
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "./step.ts";

export interface Count {
  passed: number;
  failed: number;
}

const apart = /\.(redis|engines)\.test\.ts$/;

/** The test files below a folder: those that need a Redis server, those that need other browsers, or all others. */
export function testFiles(folder: string, kind: "redis" | "engines" | "usual"): string[] {
  const found = new Bun.Glob(`${folder}/**/*.test.{ts,tsx}`).scanSync({ cwd: root });
  return [...found]
    .filter((path) => !/(^|\/)(node_modules|build|dist|\.svelte-kit)\//.test(path))
    .filter((path) => (apart.exec(path)?.[1] ?? "usual") === kind)
    .toSorted();
}

/** Runs test files in one process. A run that ends badly without a failed test counts as one. */
export async function runSuite(files: string[], options: string[] = []): Promise<Count> {
  const directory = mkdtempSync(join(tmpdir(), "plinth-suite-"));
  const report = join(directory, "report.xml");
  try {
    // bunfig.toml has no key for the time limit.
    const command = ["test", "--timeout=60000", "--reporter=junit", `--reporter-outfile=${report}`, ...options];
    const run = Bun.spawn([process.execPath, ...command, ...files.map((file) => `./${file}`)], {
      cwd: root,
      // As it is now; by default a child gets the environment this process began with.
      env: process.env,
      stdio: ["ignore", "inherit", "inherit"],
    });
    const exitCode = await run.exited;
    const counted = existsSync(report) ? count(readFileSync(report, "utf8")) : noTests;
    return exitCode === 0 || counted.failed > 0 ? counted : { ...counted, failed: 1 };
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** Prints the sum as the last line, `N passed, N failed`, and sets the exit code by it. */
export function conclude(counts: Count[]): void {
  const passed = counts.reduce((sum, each) => sum + each.passed, 0);
  const failed = counts.reduce((sum, each) => sum + each.failed, 0);
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
}

const noTests: Count = { passed: 0, failed: 0 };

function count(xml: string): Count {
  const suites = /<testsuites [^>]*>/.exec(xml)?.[0] ?? "";
  const read = (name: string) => Number(new RegExp(` ${name}="(\\d+)"`).exec(suites)?.[1] ?? 0);
  const failed = read("failures") + read("errors");
  return { passed: read("tests") - failed - read("skipped"), failed };
}
