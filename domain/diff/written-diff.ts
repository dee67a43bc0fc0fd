// A diff in the two forms that it is sent in, written where it is made: the JSON of a large one takes 0.1 s, which the
// event loop does not have.
import type { Diff } from "@plinth/contract/schemas/artifact";
import type { FilesDiff } from "@plinth/contract/schemas/file";

import { coarseDiff } from "@plinth/contract/diff/coarse-diff";
import { exactDiff } from "@plinth/contract/diff/exact-diff";
import { unifiedDiff } from "./unified-diff.ts";

export interface ComparedTexts {
  readonly before: string;
  readonly after: string;
  /** Whether the exact diff is left out, because it took too long. */
  readonly isCoarse: boolean;
  /** The fields that come before the diff in its JSON. */
  readonly head: {
    readonly artifactId: string;
    readonly from: number;
    readonly to: number;
    readonly files: FilesDiff;
  };
  /** The file names of the unified diff. */
  readonly names: { readonly oldName: string; readonly newName: string };
}

export interface WrittenDiff {
  /** UTF-8: the answer of `version.diff`, `Diff` of contract/schemas/artifact.ts. */
  readonly json: Uint8Array<ArrayBuffer>;
  /** UTF-8: the same as a unified diff. */
  readonly unified: Uint8Array<ArrayBuffer>;
  /** What a summary says, so that the whole is not parsed for it. */
  readonly facts: Pick<Diff, "from" | "to" | "files" | "stats" | "coarse"> & { readonly hunks: number };
}

const encoder = new TextEncoder();

/** Diffs two texts by lines; coarse where it is asked for, or where the exact diff reached a limit. */
export function writtenDiff({ before, after, isCoarse, head, names }: ComparedTexts): WrittenDiff {
  const diff = (isCoarse ? null : exactDiff(before, after)) ?? coarseDiff(before, after);
  const hunks = diff.hunks.map((hunk) => ({ ...hunk, lines: hunk.lines.map(({ kind, text }) => ({ kind, text })) }));
  return {
    json: encoder.encode(JSON.stringify({ ...head, ...diff, hunks })),
    unified: encoder.encode(unifiedDiff(diff, names)),
    facts: {
      from: head.from,
      to: head.to,
      files: head.files,
      stats: diff.stats,
      coarse: diff.coarse,
      hunks: hunks.length,
    },
  };
}
