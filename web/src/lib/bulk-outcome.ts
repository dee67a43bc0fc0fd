// What became of many artifacts at once, as the dashboard says it.
import type { Refusal } from "./form-outcome.ts";

/** A form posts so many at most. */
export const bulkLimit = 50;

export const bulkActions = ["publish", "hide", "move", "duplicate", "delete", "undo"] as const;
export type BulkAction = (typeof bulkActions)[number];

export interface Refused {
  artifactId: string;
  /** Null where it can no longer be seen. */
  title: string | null;
  problem: Refusal;
}

export interface BulkOutcome {
  /** Identifiers. */
  done: string[];
  refused: Refused[];
}

const endings: Readonly<Record<BulkAction, string>> = {
  publish: "made public",
  hide: "made private",
  move: "moved",
  duplicate: "duplicated",
  delete: "deleted",
  undo: "brought back with their share links",
};

/** "3 artifacts deleted", and what was not. */
export function bulkSentence(action: BulkAction, { done, refused }: BulkOutcome): string {
  if (done.length + refused.length === 0) return "Choose some artifacts first.";
  const some = done.length === 0 ? "Nothing" : `${done.length} artifact${done.length === 1 ? "" : "s"}`;
  const ending = done.length === 1 ? endings[action].replace("their", "its") : endings[action];
  return `${some} ${ending}${refused.length === 0 ? "" : `, ${refused.length} not`}.`;
}

export const isBulkAction = (action: string): action is BulkAction => bulkActions.some((one) => one === action);
