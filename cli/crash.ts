// The last resort for an error that no command caught: one failure on standard error, never the program's own source.
import { toFailure } from "./command/error-hints.ts";
import { OutputFailure } from "./failure/system-error.ts";
import type { Io } from "./io/io.ts";
import { redactSecrets, printFailure } from "./output/print.ts";
import { guessFormat, isOn } from "./session/settings.ts";
import { withoutControls } from "./terminal/style.ts";

/** Prints the failure, with the stack under `--debug` alone; the exit code. */
export async function reportCrash(error: unknown, argv: readonly string[], io: Io): Promise<number> {
  // Only a read comes here with it: run.ts catches what a command meets.
  if (error instanceof OutputFailure && error.isClosedPipe) return 0;
  const failure = toFailure(error, null);
  const secrets = [io.env["SERVICE_TOKEN"], io.env["SERVICE_SHARE_TOKEN"], io.env["OPERATOR_TOKEN"], ...argv].filter(
    (secret) => secret !== undefined && /^pl[kaso]_/.test(secret),
  ) as string[];
  const hide = (text: string): string => redactSecrets(text, secrets);
  if (argv.includes("--debug") || isOn(io.env["SERVICE_DEBUG"]))
    await io.stderr.write(
      `${withoutControls(hide(error instanceof Error ? (error.stack ?? error.message) : String(error)))}\n`,
    );
  await printFailure(failure, guessFormat(argv, io), io, hide);
  return failure.exitCode;
}
