// The log: JSON lines on standard error. Never a token, a cookie or content: of an error only what names it.
import { sqlState } from "@plinth/db/connection";

/** Writes down a fault of ours, to be found by its request's identifier. */
export function logFault(error: unknown, requestId: string): void {
  const root = rootOf(error);
  const line = {
    time: new Date().toISOString(),
    level: "error",
    requestId,
    error: root instanceof Error ? `${root.name}: ${root.message}` : "thrown without an error",
    ...(sqlState(error) === null ? {} : { sqlState: sqlState(error) }),
    at:
      root instanceof Error
        ? root.stack
            ?.split("\n")
            .slice(1, 6)
            .map((frame) => frame.trim())
        : undefined,
  };
  process.stderr.write(`${JSON.stringify(line)}\n`);
}

/** The innermost cause: Drizzle's own message repeats the parameters, and so what people wrote. */
function rootOf(error: unknown): unknown {
  let root = error;
  while (root instanceof Error && root.cause instanceof Error) root = root.cause;
  return root;
}
