/** The message of the bundler in one line: its own messages are coloured, and quote the source over many lines. */
export const bundlerMessage = (error: unknown): string | undefined =>
  Bun.stripANSI(error instanceof Error ? error.message : String(error))
    .split("\n")
    .find((line) => /\w/.test(line) && !line.startsWith("Build failed"));
