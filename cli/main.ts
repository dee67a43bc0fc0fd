// Entry of the `plinth` command. Answers `--version` by itself; everything else is loaded only when it is
// needed, so that starting costs nothing. Holds no top-level await: bytecode cannot.
import { versionText } from "./version.ts";

async function main(argv: readonly string[]): Promise<void> {
  if (argv.length === 1 && argv[0] === "--version") {
    // Not `process.stdout`: making that stream takes longer than all the rest of this.
    console.log(versionText("text"));
    return;
  }
  const [{ run }, { processIo }] = await Promise.all([import("./run.ts"), import("./process-io.ts")]);
  process.exitCode = await run(argv, processIo());
  // An interrupted request would keep the process alive until it is answered.
  if (process.exitCode === 130) process.exit();
}

void main(process.argv.slice(2));
