// What a server process of `bun run dev` and the process that started it say to each other.

/** Sent once, when the server process serves. */
export interface Serving {
  /** Where it listens. */
  readonly origin: string;
  /** Lines for the banner. */
  readonly notes: readonly string[];
}

/** Tells the starter that this process serves, and from then on ends with the starter. @throws Error without a starter */
export function tellStarter(serving: Serving): void {
  if (process.send === undefined) throw new Error("This process is started by `bun run dev`.");
  process.send(serving);
  process.on("disconnect", () => process.kill(process.pid, "SIGTERM"));
}
