// The query of an artifact's address: which version, and which view of it.
import type { FrameView } from "@plinth/contract/frame";

export interface Shown {
  version: number;
  latest: number;
  view: FrameView;
}

/** With its question mark; empty for the document of the head. */
export function artifactQuery({ version, latest, view }: Shown): string {
  const parts = [...(version === latest ? [] : [`v=${version}`]), ...(view === "source" ? ["view=source"] : [])];
  return parts.length === 0 ? "" : `?${parts.join("&")}`;
}
