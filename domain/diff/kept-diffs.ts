// The differences of versions that were compared, by their tags: comparing two texts of 60,000 lines again takes a second
// of a child process.
import { createCache, type Cache } from "@plinth/platform/caches";

import type { WrittenDiff } from "./written-diff.ts";

export type KeptDiffs = Pick<Cache<WrittenDiff>, "get" | "set">;

export const createKeptDiffs = (): KeptDiffs =>
  createCache("diffs", { sizeCalculation: ({ json, unified }) => json.length + unified.length + 256 });
