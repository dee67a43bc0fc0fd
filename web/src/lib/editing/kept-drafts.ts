// Unsaved drafts, kept in this browser until they are saved: one text for each artifact and account, so that it
// survives a reload or a crash, and another account on the same machine does not see it. Never sent.
import { parsedJson } from "@plinth/platform/malformed";

export interface KeptDraft {
  readonly text: string;
  readonly note: string;
  /** The version that was changed. */
  readonly baseVersion: number;
  /** ISO 8601. */
  readonly keptAt: string;
}

export interface KeptDrafts {
  read(): KeptDraft | null;
  /** False where the browser has no room for it, or keeps nothing at all. */
  keep(draft: KeptDraft): boolean;
  clear(): void;
}

type Store = Pick<Storage, "getItem" | "setItem" | "removeItem">;

/** `account` is null for a person who edits by a share link alone. `storage` gives none, or throws, where it is forbidden. */
export function keptDrafts(
  { artifactId, account }: { artifactId: string; account: string | null },
  storage: () => Store = () => localStorage,
): KeptDrafts {
  const key = `plinth:draft:${account ?? "link"}:${artifactId}`;
  /** Storage throws where it is forbidden or full, and then there is nothing kept. */
  function attempt<Result>(work: (store: Store) => Result, otherwise: Result): Result {
    try {
      return work(storage());
    } catch (error) {
      console.info(String(error));
      return otherwise;
    }
  }
  return {
    read: () => attempt((store) => draftOf(store.getItem(key)), null),
    keep: (draft) =>
      attempt((store) => {
        store.setItem(key, JSON.stringify(draft));
        return true;
      }, false),
    clear: () => attempt((store) => store.removeItem(key), undefined),
  };
}

/** What lies there may be anything. */
function draftOf(stored: string | null): KeptDraft | null {
  if (stored === null) return null;
  const value = parsedJson(stored);
  if (typeof value !== "object" || value === null) return null;
  const { text, note, baseVersion, keptAt } = value as Record<string, unknown>;
  const isDraft =
    typeof text === "string" &&
    typeof note === "string" &&
    Number.isSafeInteger(baseVersion) &&
    (baseVersion as number) > 0 &&
    typeof keptAt === "string" &&
    !Number.isNaN(Date.parse(keptAt));
  return isDraft ? { text, note, baseVersion: baseVersion as number, keptAt } : null;
}
