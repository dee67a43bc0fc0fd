// The messages between a server process of `bun run dev` and its parent.

/** Sent once, when the server process serves. */
export interface Serving {
  /** The server's origin. */
  readonly origin: string;
  /** Lines for the banner. */
  readonly notes: readonly string[];
}

/** Reports to the parent that this process serves, and ends with the parent. @throws Error without a parent */
export function tellStarter(serving: Serving): void {
  if (process.send === undefined) throw new Error("This process is started by `bun run dev`.");
  process.send(serving);
  process.on("disconnect", () => process.kill(process.pid, "SIGTERM"));
}
