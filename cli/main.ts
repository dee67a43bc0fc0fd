// Entry of the `plinth` command. Answers `--version` by itself and precomputed lines from their text; everything else is
// loaded only when it is needed, so that starting costs nothing. Holds no top-level await: bytecode cannot.
import { versionText } from "./version.ts";

async function main(argv: readonly string[]): Promise<void> {
  if (argv.length === 1 && argv[0] === "--version") {
    // Not `process.stdout`: making that stream takes longer than all the rest of this.
    console.log(versionText("text"));
    return;
  }
  const [{ precomputedOutput }, { processIo }] = await Promise.all([
    import("./precomputed.ts"),
    import("./io/process-io.ts"),
  ]);
  const io = processIo();
  const answer = await precomputedOutput(argv, io);
  if (answer !== null) return io.stdout.write(answer);
  const { run } = await import("./run.ts");
  process.exitCode = await run(argv, io);
  // An interrupted request would keep the process alive until it is answered.
  if (process.exitCode === 130) process.exit();
}

/** Ends the process with one failure instead of the runtime's own report, which prints the program's source. */
async function giveUp(thrown: unknown): Promise<never> {
  const [{ reportCrash }, { processIo }] = await Promise.all([import("./crash.ts"), import("./io/process-io.ts")]);
  process.exit(await reportCrash(thrown, process.argv.slice(2), processIo()));
}

process.on("uncaughtException", (error) => void giveUp(error));
process.on("unhandledRejection", (error) => void giveUp(error));
main(process.argv.slice(2)).catch(giveUp);
