// The title that an html document gives itself. Apart from inference.ts, because few runs of the command line need the
// parser of html.
import { titleLength } from "../limits.ts";
import { htmlWords } from "./html-words.ts";

/** Null where it has none. It is only a suggestion. */
export function ownTitleOf(content: string): string | null {
  const { title } = htmlWords(content);
  return title === null ? null : Array.from(title).slice(0, titleLength).join("");
}
