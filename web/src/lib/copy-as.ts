// The same operation for other surfaces, as texts to copy.

export interface CopyAs {
  /** What they do, as a heading says it. */
  about: string;
  ways: { surface: "CLI" | "curl" | "MCP"; code: string }[];
  /** Whose credential it takes, where not any will do. */
  note: string | null;
}
