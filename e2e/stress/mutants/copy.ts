// A throw-away copy of the checkout that mutants are put into and tests are run in. The checkout itself is only read.
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { apply, type Mutant } from "./mutant.ts";

export interface Run {
  readonly outcome: "passed" | "failed" | "timeout";
  readonly output: string;
}

export interface Copy {
  /** Runs test files with this mutant in place, and takes it out again. */
  test(tests: readonly string[], mutant: Mutant | null): Promise<Run>;
  remove(): Promise<void>;
}

interface CopyOptions {
  readonly root: string;
  /** The paths to copy, from the root. */
  readonly files: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

export async function makeCopy({ root, files, env, timeoutMs }: CopyOptions): Promise<Copy> {
  const directory = await mkdtemp(join(tmpdir(), "plinth-mutants-"));
  for (const file of files) await cp(join(root, file), join(directory, file), { recursive: true });
  // The links of a package point to packages of the root's folder, which is not copied, and to each other.
  const folders = new Set(
    files.flatMap((file) => [file.split("/", 1), file.split("/", 2)].map((parts) => parts.join("/"))),
  );
  for (const folder of folders) {
    const modules = join(root, folder, "node_modules");
    if (existsSync(modules))
      await cp(modules, join(directory, folder, "node_modules"), { recursive: true, verbatimSymlinks: true });
  }
  if (existsSync(join(root, "node_modules")))
    await symlink(join(root, "node_modules"), join(directory, "node_modules"));

  return {
    async test(tests, mutant) {
      if (mutant === null) return runTests(directory, tests, env, timeoutMs);
      const path = join(directory, mutant.file);
      const source = await readFile(path, "utf8");
      try {
        await writeFile(path, apply(source, mutant));
        return await runTests(directory, tests, env, timeoutMs);
      } finally {
        await writeFile(path, source);
      }
    },
    remove: () => rm(directory, { recursive: true, force: true }),
  };
}

/** In a process group, so that what the tests started ends with them. */
async function runTests(
  cwd: string,
  tests: readonly string[],
  env: Readonly<Record<string, string>>,
  timeoutMs: number,
): Promise<Run> {
  const command = ["test", "--timeout=60000", "--bail=1", ...tests.map((test) => `./${test}`)];
  const run = Bun.spawn([process.execPath, ...command], {
    cwd,
    env: { ...process.env, ...env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    detached: true,
  });
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    endGroup(run.pid);
  }, timeoutMs);
  const said = Promise.all([new Response(run.stdout).text(), new Response(run.stderr).text()]);
  const code = await run.exited;
  clearTimeout(timer);
  endGroup(run.pid);
  const output = (await said).join("\n").slice(-20_000);
  return { outcome: isLate ? "timeout" : code === 0 ? "passed" : "failed", output };
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
