// `bun run bench`: builds the programs that the benchmark measures, then runs e2e/bench/main.ts.
import { join } from "node:path";

import { buildCli } from "./build-cli.ts";
import { buildRuntime } from "./build-runtime.ts";
import { buildWeb } from "./build-web.ts";
import { install } from "./install.ts";
import { requirePinnedBun } from "./pinned-bun.ts";
import { root } from "./step.ts";

await requirePinnedBun();
install();
buildRuntime();
buildWeb();
buildCli();
const { exitCode } = Bun.spawnSync([process.execPath, "bench/main.ts", ...process.argv.slice(2)], {
  cwd: join(root, "e2e"),
  stdio: ["inherit", "inherit", "inherit"],
});
process.exitCode = exitCode;
