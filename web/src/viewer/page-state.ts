// The state of the page, as the server wrote it into the page.
import type { FrameView, FramedType } from "@plinth/contract/frame";
import { part } from "#lib/parts.ts";

interface PageState {
  artifactId: string;
  type: FramedType;
  version: number;
  /** The head when the page was made. */
  latest: number;
  view: FrameView;
  /** What the relative links of the document are relative to. */
  base: string;
}

export const pageState = JSON.parse(part("page")?.dataset["shown"] ?? "{}") as PageState;
