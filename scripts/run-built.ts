// Runs a program of e2e that needs the built runtime, web app and command line; builds first what is out of date.
import { join } from "node:path";

import { buildCli } from "./build-cli.ts";
import { buildClient } from "./build-client.ts";
import { buildRuntime } from "./build-runtime.ts";
import { buildWeb } from "./build-web.ts";
import { install } from "./install.ts";
import { requirePinnedBun } from "./pinned-bun.ts";
import { root } from "./step.ts";

/** Runs the program, a path below e2e, with this process's arguments and ends with its exit code. */
export async function runBuilt(program: string): Promise<void> {
  await requirePinnedBun();
  install();
  buildRuntime();
  buildWeb();
  buildCli();
  buildClient();
  const { exitCode } = Bun.spawnSync([process.execPath, program, ...process.argv.slice(2)], {
    cwd: join(root, "e2e"),
    stdio: ["inherit", "inherit", "inherit"],
  });
  process.exitCode = exitCode;
}
