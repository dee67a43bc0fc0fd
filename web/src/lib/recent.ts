// The artifacts opened in this browser, for the search to begin with. Forgotten on signing out (app.html).

export interface Recent {
  path: string;
  title: string;
}

const most = 6;
const isRecent = (value: unknown): value is Recent =>
  typeof value === "object" &&
  value !== null &&
  "path" in value &&
  typeof value.path === "string" &&
  /^\/[^/\\]/.test(value.path) &&
  "title" in value &&
  typeof value.title === "string";

/** The newest first; none where storage is forbidden or holds something else. */
export function recents(storage: () => Pick<Storage, "getItem"> = () => localStorage): Recent[] {
  try {
    const kept: unknown = JSON.parse(storage().getItem("recent") ?? "[]");
    return Array.isArray(kept) ? kept.filter(isRecent) : [];
  } catch {
    // A browser that keeps nothing, or something that was not written here.
    return [];
  }
}

export function remember(
  { path, title }: Recent,
  storage: () => Pick<Storage, "getItem" | "setItem"> = () => localStorage,
): void {
  const others = recents(storage).filter((other) => other.path !== path);
  try {
    storage().setItem("recent", JSON.stringify([{ path, title }, ...others].slice(0, most)));
  } catch (error) {
    console.info(String(error));
  }
}
