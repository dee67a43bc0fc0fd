// Makes the Bun version that package.json pins run the scripts. Another version, for example the latest one from `npx
// bun`, starts the pinned one. This module imports none of the scripts, so that any version of Bun can run it.
import packageJson from "../package.json" with { type: "json" };

/** Set for a Bun that this module has started, so that a wrong answer of npx does not cause a loop. */
const marker = "PLINTH_PINNED_BUN";

/**
 * Returns in the pinned Bun. Otherwise it prints one line, runs the same script with the same arguments in the pinned
 * Bun, which npx finds or downloads, forwards signals, and exits with its status; with 1 where npx has none.
 */
export async function requirePinnedBun(pinned: string = packageJson.engines.bun): Promise<void> {
  if (Bun.version === pinned) return;
  if (process.env[marker] !== undefined) fail(pinned, `npx brought Bun ${Bun.version}`);
  console.error(`plinth: This is Bun ${Bun.version}. Going on with Bun ${pinned}, the version in package.json.`);
  const child = Bun.spawn([findPinned(pinned), ...process.argv.slice(1)], {
    env: { ...process.env, [marker]: pinned },
    stdio: ["inherit", "inherit", "inherit"],
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => child.kill(signal));
  process.exit(await child.exited);
}

/**
 * npx returns the path instead of running the program, so that signals reach the program and its status is unchanged.
 */
function findPinned(pinned: string): string {
  const npx = Bun.which("npx");
  if (npx === null) return fail(pinned, "there is no npx to get it with");
  const { exitCode, stdout, stderr } = Bun.spawnSync([npx, "--yes", `bun@${pinned}`, "--print", "process.execPath"], {
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const path = stdout.toString().trim();
  if (exitCode === 0 && path !== "") return path;
  const lines = stderr.toString().trim().split("\n");
  return fail(pinned, `npx did not get it: ${lines.find((line) => /network|offline|request/i.test(line)) ?? lines[0]}`);
}

function fail(pinned: string, reason: string): never {
  console.error(`plinth: Bun ${pinned} is required, and ${reason}`);
  console.error(`plinth: Go online and try again, or install it: npm install --global bun@${pinned}`);
  process.exit(1);
}
