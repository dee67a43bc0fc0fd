// The texts for a reader who can no longer see an artifact.
import { viewerTexts } from "#messages/viewer.ts";
import type { Ending } from "./watch-artifact.ts";

export const endings = (): Record<Ending, { title: string; text: string }> => {
  const { lost, deleted } = viewerTexts();
  return { lost, deleted };
};
