// Describes an error of a document. The document can throw any value.

export function describe(error: unknown): string {
  try {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  } catch {
    return "An error that cannot be described"; // even reading it threw
  }
}
