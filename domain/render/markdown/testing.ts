// Markdown for tests, rendered in their own thread.
import { renderMarkdown as render } from "./renderer.ts";

/** The HTML of a document's body, whole: a busy machine leaves colours and formulas out, and is asked again. */
export async function renderMarkdown(source: string): Promise<string> {
  let rendered = await render(source);
  for (let more = 20; !rendered.whole && more > 0; more--) rendered = await render(source);
  return rendered.html;
}
