// Owns `bun run check`: every static check, all of them even when one fails.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { install } from "./install.ts";
import { requirePinnedBun } from "./pinned-bun.ts";
import { conclude, type Count, root, seconds } from "./step.ts";

interface Check {
  name: string;
  command: string[];
  folder?: string;
}

/** What the checks read of the web app: its tsconfig extends what this makes. */
const preparation: Check = { name: "svelte-kit sync", command: ["svelte-kit", "sync"], folder: "web" };

const checks: Check[] = [
  {
    name: "svelte-check",
    command: ["svelte-check", "--tsconfig", "./tsconfig.json", "--fail-on-warnings"],
    folder: "web",
  },
  { name: "oxlint", command: ["oxlint", "."] },
  { name: "oxfmt", command: ["oxfmt", "--check", "."] },
  { name: "tsc", command: ["tsc", "--noEmit"] },
  // What the command line uses is held against the oldest Node its package runs on.
  { name: "tsc of the command line for Node 20", command: ["tsc", "--noEmit", "-p", "cli/tsconfig.node20.json"] },
];

/** Runs all of them at once, and prints what each found once it has ended. */
export async function check(): Promise<Count> {
  if (isHere(preparation) && !(await isClean(preparation))) return { passed: 0, failed: 1 };
  const found = await Promise.all(checks.filter(isHere).map(isClean));
  const passed = found.filter(Boolean).length;
  return { passed, failed: found.length - passed };
}

/** An image of one part has no web app to check. */
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

if (import.meta.main) {
  await requirePinnedBun();
  install();
  conclude([await check()]);
}
