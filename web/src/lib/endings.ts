// The text that a reader gets when they lose access to an artifact.
import type { Ending } from "./watch-artifact.ts";

export const endings: Record<Ending, { title: string; text: string }> = {
  lost: {
    title: "You no longer have access to this page",
    text: "Whoever shared it with you can tell you why, or share it again.",
  },
  deleted: { title: "This page was deleted", text: "Its owner can bring it back for 30 days." },
};
