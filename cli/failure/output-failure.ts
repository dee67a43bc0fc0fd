// A result that could not be written to standard output, as its own error: a lost connection carries the same codes.

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
