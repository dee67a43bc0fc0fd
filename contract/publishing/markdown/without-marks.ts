// The words of a heading or a title without what is read beyond CommonMark and is no word of it.
import { withoutCitationMarks } from "./citation-marks.ts";
import { withoutWikiSyntax } from "./wiki-syntax.ts";

const footnotes = /\[\^[^\s[\]]{1,200}\]/g;

/** With the words of wiki links; without comments, embeds, models' citation marks and references to footnotes. */
export const withoutMarks = (inline: string): string =>
  withoutCitationMarks(withoutWikiSyntax(inline)).replaceAll(footnotes, "");
