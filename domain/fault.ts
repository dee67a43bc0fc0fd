// Log fields of a thrown error: its name, message and stack frames, never text that a person wrote.
import { framesOf, withoutSecrets, type Fields } from "@plinth/platform/log-line";
import { sqlState } from "@plinth/db/connection";

/** The fields of a line of the log. */
export function describeFault(error: unknown): Fields {
  const root = rootOf(error);
  const state = sqlState(error);
  return {
    error: root instanceof Error ? `${root.name}: ${withoutSecrets(root.message)}` : "thrown without an error",
    ...(state !== null && { sqlState: state }),
    at: root instanceof Error ? framesOf(root) : undefined,
  };
}

/** The innermost cause: Drizzle's own message repeats the parameters, and so what people wrote. */
function rootOf(error: unknown): unknown {
  let root = error;
  while (root instanceof Error && root.cause instanceof Error) root = root.cause;
  return root;
}
