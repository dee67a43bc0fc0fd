// The steps before a start or a test run (install, builds). Each runs when its inputs have changed or its output is
// missing. Also prints the last line of a run. Plain Bun, because it runs before the dependencies are installed. It
// must not know the steps.
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** The root of the checkout. */
export const root = dirname(import.meta.dir);

export interface Step {
  /** Shown while the step runs, and the name of its stamp file. */
  name: string;
  /** The program of the step. In a checkout without that file (an image of one part) the step does nothing. */
  source: string;
  /** Folders, files or glob patterns below the root. */
  inputs: string[];
  /** The path that must exist afterwards, below the root. */
  output: string;
  /** Arguments for the current Bun, and the working directory. */
  arguments: string[];
  folder?: string;
  /** Removes old output before the step. */
  before?: () => void;
}

/**
 * Runs a step unless it is up to date, and prints one line with its time. On failure it shows the output and exits with
 * the step's status.
 */
export function ensure(step: Step): void {
  if (!existsSync(join(root, step.source))) return;
  const stamp = join(root, "node_modules/.plinth", step.name.replaceAll(" ", "-"));
  const output = join(root, step.output);
  const wanted = fingerprint(step);
  if (existsSync(output) && existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
  rmSync(stamp, { force: true });
  step.before?.();
  runStep(step.name, [process.execPath, ...step.arguments], join(root, step.folder ?? "."));
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, wanted);
}

/**
 * Runs a command and prints one line on standard error, `plinth: <name> … 1.2 s`, whose end follows when the command
 * has ended. The command's output is held back and only shown on failure; this process then exits with the command's
 * status.
 */
export function runStep(name: string, command: readonly string[], folder: string): void {
  const started = performance.now();
  process.stderr.write(`plinth: ${name} … `);
  const { exitCode, output } = runCaptured(command, folder);
  process.stderr.write(`${exitCode === 0 ? "" : "failed after "}${seconds(started)} s\n`);
  if (exitCode === 0) return;
  process.stderr.write(output.endsWith("\n") ? output : `${output}\n`);
  process.exit(exitCode);
}

/** Through a file, which keeps the order of both streams and has no size limit. */
function runCaptured(command: readonly string[], folder: string): { exitCode: number; output: string } {
  const directory = mkdtempSync(join(tmpdir(), "plinth-step-"));
  const path = join(directory, "output");
  const file = openSync(path, "a");
  try {
    const run = Bun.spawnSync([...command], { cwd: folder, stdio: ["inherit", file, file] });
    const signal = run.signalCode === undefined ? "" : `Ended by ${run.signalCode}.\n`;
    return { exitCode: run.exitCode ?? 1, output: readFileSync(path, "utf8") + signal };
  } finally {
    closeSync(file);
    rmSync(directory, { recursive: true });
  }
}

/** Runs the current Bun, which need not be on the PATH (`npx bun`), with its output on standard error. */
export function runBun(args: string[], folder = "."): number {
  return Bun.spawnSync([process.execPath, ...args], {
    cwd: join(root, folder),
    stdio: ["inherit", 2, 2],
  }).exitCode;
}

/** Seconds since `performance.now()` was `from`, formatted for people. */
export function seconds(from: number): string {
  return ((performance.now() - from) / 1000).toFixed(1);
}

/** The results of a test run or of the checks. */
export interface Count {
  passed: number;
  failed: number;
}

/** Prints the totals as the last line, `N passed, N failed`, and sets the exit code. */
export function conclude(counts: readonly Count[]): void {
  const passed = counts.reduce((sum, each) => sum + each.passed, 0);
  const failed = counts.reduce((sum, each) => sum + each.failed, 0);
  console.log(`\n${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
}

// By content, not by time: a fresh clone or a switch of branches changes every time.
function fingerprint({ inputs, arguments: words }: Step): string {
  const hash = new Bun.CryptoHasher("sha256");
  hash.update(JSON.stringify([Bun.version, words]));
  for (const path of inputs.flatMap(files).toSorted()) {
    hash.update(`\0${path}\0`).update(readFileSync(join(root, path)));
  }
  return hash.digest("hex");
}

/** Files that no build reads: what builds made, tests and their support. */
const made = /(^|\/)(node_modules|build|dist|\.svelte-kit|test)\/|\.(test|case)\.ts$/;

function files(input: string): string[] {
  const isFolder = statSync(join(root, input), { throwIfNoEntry: false })?.isDirectory() === true;
  const pattern = new Bun.Glob(isFolder ? `${input}/**/*` : input);
  return [...pattern.scanSync({ cwd: root, dot: true })].filter((path) => !made.test(path));
}
