// Markdown for tests of what is rendered: with time enough that a busy machine leaves nothing out.
import { timeBudget } from "../../time-budget.ts";
import { showImages } from "../../document/remote-images.ts";
import { renderMarkdown as render } from "../renderer.ts";

/** Milliseconds: more would mean that it hangs. */
const AMPLE_MS = 60_000;

/** The HTML of a document's body, whose images of other sites are missing. */
export const renderMarkdown = async (source: string): Promise<string> =>
  showImages((await render(source, "all", timeBudget(AMPLE_MS))).html, () => ({ missing: "why" }));
