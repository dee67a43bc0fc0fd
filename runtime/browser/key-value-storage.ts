// `window.storage`, the asynchronous storage that other hosts of artifacts have, in the memory of the page: texts by key, in a
// space of the reader's and in one that all readers share there.
import { memoryStorage } from "./memory-storage.ts";

interface Entry {
  readonly key: string;
  readonly value: string;
  readonly shared: boolean;
}

export interface KeyValueStorage {
  /** @throws where there is no such key, as in other hosts */
  get(key: unknown, shared?: unknown): Promise<Entry>;
  set(key: unknown, value: unknown, shared?: unknown): Promise<Entry>;
  delete(key: unknown, shared?: unknown): Promise<{ key: string; deleted: boolean; shared: boolean }>;
  list(prefix?: string | null, shared?: unknown): Promise<{ keys: string[]; prefix?: string; shared: boolean }>;
}

export function keyValueStorage(): KeyValueStorage {
  const spaces = [memoryStorage(), memoryStorage()] as const;
  const spaceOf = (shared: unknown): Storage => spaces[shared === true ? 1 : 0];
  return {
    async get(key, shared) {
      const value = spaceOf(shared).getItem(String(key));
      if (value === null) throw new Error(`Key not found: ${String(key)}`);
      return { key: String(key), value, shared: shared === true };
    },
    async set(key, value, shared) {
      spaceOf(shared).setItem(String(key), String(value));
      return { key: String(key), value: String(value), shared: shared === true };
    },
    async delete(key, shared) {
      const deleted = spaceOf(shared).getItem(String(key)) !== null;
      spaceOf(shared).removeItem(String(key));
      return { key: String(key), deleted, shared: shared === true };
    },
    async list(prefix, shared) {
      const start = prefix ?? "";
      const keys = Object.keys(spaceOf(shared)).filter((key) => key.startsWith(start));
      return { keys, ...(start !== "" && { prefix: start }), shared: shared === true };
    },
  };
}
