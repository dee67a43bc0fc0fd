// Handles messages to a page that is read beside another: it scrolls with the other, sends its text, and marks changes.
import { follow } from "../scroll-together.ts";
import { markRanges, sendText } from "./mark-changes.ts";

export interface Asked {
  readonly type: string;
  readonly on?: unknown;
  readonly top?: unknown;
  readonly ranges?: unknown;
  readonly kind?: unknown;
}

export function answer({ type, on, top, ranges, kind }: Asked): void {
  if (type === "plinth:follow") follow(on === true, top);
  else if (type === "plinth:compare") sendText();
  else markRanges(ranges, kind);
}
