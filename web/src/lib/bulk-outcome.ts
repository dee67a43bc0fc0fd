// The outcome of an action on many artifacts, as the dashboard says it.
import { dashboardTexts } from "../messages/dashboard.ts";
import type { Refusal } from "./form-outcome.ts";

/** A form posts so many at most. */
export const bulkLimit = 50;

const bulkActions = ["publish", "hide", "move", "duplicate", "delete", "undo"] as const;
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

/** "3 artifacts deleted", and what was not. */
export function bulkSentence(action: BulkAction, { done, refused }: BulkOutcome): string {
  const text = dashboardTexts();
  if (done.length + refused.length === 0) return text.chooseFirst;
  const said = text.done[action]({ count: done.length });
  return refused.length === 0 ? text.doneAll({ done: said }) : text.doneBut({ done: said, refused: refused.length });
}

export const isBulkAction = (action: string): action is BulkAction => bulkActions.some((one) => one === action);
