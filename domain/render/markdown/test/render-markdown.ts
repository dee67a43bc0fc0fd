// Markdown for tests of what is rendered.
import { showImages } from "../../document/remote-images.ts";
import { renderMarkdown as render } from "../renderer.ts";

/** The HTML of a document's body, whose images of other sites are missing. */
export const renderMarkdown = async (source: string): Promise<string> =>
  showImages((await render(source)).html, () => ({ missing: "why" }));
