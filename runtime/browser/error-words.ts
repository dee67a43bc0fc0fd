// What an error of a document says. Thrown by the document, it may hold anything.

export function describe(error: unknown): string {
  try {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  } catch {
    return "An error that cannot be described"; // even reading it threw
  }
}
