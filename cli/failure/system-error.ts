// Errors of the operating system: their codes, such as ENOENT, and a failed write to standard output.

/** Undefined where it has none that is text. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;

/** Whether it carries one of these. */
export function isCode(error: unknown, ...codes: readonly string[]): boolean {
  const code = codeOf(error);
  return code !== undefined && codes.includes(code);
}

/** A separate class, because a lost connection carries the same codes. */
export class OutputFailure extends Error {
  override readonly name = "OutputFailure";
  /** The system's code, such as EPIPE or ENOSPC; empty where there is none. */
  readonly code: string;

  constructor(code: string, cause: unknown) {
    super(`Standard output cannot be written${code === "" ? "" : ` (${code})`}`, { cause });
    this.code = code;
  }

  /** Whether the reader closed the pipe. A stream that has failed once says only that it is gone. */
  get isClosedPipe(): boolean {
    return this.code === "EPIPE" || this.code === "ERR_STREAM_DESTROYED";
  }
}
