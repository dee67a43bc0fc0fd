// A document that a visitor pasted before signing in: kept in this browser until a page publishes it, for an hour.
// localStorage, because a sign-in link may open in another tab.

const key = "plinth-document";
const keptMs = 60 * 60 * 1000;

interface KeptDocument {
  /** As a file would be called, from which its type is inferred. */
  readonly name: string;
  readonly text: string;
}

/** Whether the browser had room for it. */
export function keepDocument({ name, text }: KeptDocument): boolean {
  try {
    localStorage.setItem(key, JSON.stringify({ name, text, until: Date.now() + keptMs }));
    return true;
  } catch {
    return false;
  }
}

/** Null where there is none, or only one that is too old, which is deleted. */
export function keptDocument(): KeptDocument | null {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? "null");
    if (typeof kept !== "object" || kept === null) return null;
    const { name, text, until } = kept as Record<string, unknown>;
    if (typeof name === "string" && typeof text === "string" && typeof until === "number" && until > Date.now())
      return { name, text };
    forgetDocument();
  } catch {
    // Storage that is switched off, or another program's value.
  }
  return null;
}

export function forgetDocument(): void {
  try {
    localStorage.removeItem(key);
  } catch {
    // Storage that is switched off holds nothing.
  }
}
