// What is said to a reader when an artifact is no longer theirs to see.
import { viewerTexts } from "#messages/viewer.ts";
import type { Ending } from "./watch-artifact.ts";

export const endings = (): Record<Ending, { title: string; text: string }> => {
  const { lost, deleted } = viewerTexts();
  return { lost, deleted };
};
