// The code an error of the system or of Node carries, such as ENOENT. Knows nothing of the service's codes.

/** Undefined where it has none that is text. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;

/** Whether it carries one of these. */
export function isCode(error: unknown, ...codes: readonly string[]): boolean {
  const code = codeOf(error);
  return code !== undefined && codes.includes(code);
}
