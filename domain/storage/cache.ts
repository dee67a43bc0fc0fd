// Bytes of contents by hash, as much as fits. Holds nothing about who may have them: whether a caller may is
// asked of the database each time.
import { createCache } from "@plinth/platform/caches";

export interface Held {
  readonly sha256: string;
  readonly bytes: Uint8Array;
}

export interface ContentCache {
  /** The bytes last seen under an artifact's version, so that the database need not send them again. */
  held(key: string): Held | undefined;
  hold(key: string, sha256: string, bytes: Uint8Array): void;
}

export function createContentCache(): ContentCache {
  const byHash = createCache<Uint8Array>("contents", {
    sizeCalculation: (bytes) => bytes.length + 256,
  });
  const hints = createCache<string>("contentHints");
  return {
    held(key) {
      const sha256 = hints.get(key);
      const bytes = sha256 === undefined ? undefined : byHash.get(sha256);
      return sha256 === undefined || bytes === undefined ? undefined : { sha256, bytes };
    },
    hold(key, sha256, bytes) {
      hints.set(key, sha256);
      byHash.set(sha256, bytes);
    },
  };
}
