// The differences of versions that were compared, by their tags: comparing two texts of 60,000 lines again takes a second
// of a child process.
import { LRUCache } from "lru-cache";

import type { WrittenDiff } from "./written-diff.ts";

const mostBytes = 16 * 1024 * 1024;

export type KeptDiffs = Pick<LRUCache<string, WrittenDiff>, "get" | "set">;

export const createKeptDiffs = (): KeptDiffs =>
  new LRUCache({ maxSize: mostBytes, sizeCalculation: ({ json, unified }) => json.length + unified.length + 256 });
