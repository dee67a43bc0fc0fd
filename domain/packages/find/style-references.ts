// The URLs of a style sheet's text: @import and url(), by the tokens of css-syntax-3.
import { isTokenString, isTokenURL, tokenizer, TokenType } from "@csstools/css-tokenizer";

/** A URL of a style sheet, and where it stands: for a string its quotes included, for url(…) all of it. */
interface StyleUrl {
  readonly url: string;
  readonly use: "style" | "asset";
  readonly syntax: "css-string" | "css-argument" | "css-url";
  readonly start: number;
  readonly end: number;
}

/** Of @import its first string or url(); elsewhere each url(), with quotes or without. */
export function styleUrls(text: string): StyleUrl[] {
  if (!/@import|url\(/i.test(text)) return [];
  const found: StyleUrl[] = [];
  let isImport = false;
  let inUrl = false;
  const tokens = tokenizer({ css: text });
  while (!tokens.endOfFile()) {
    const token = tokens.nextToken();
    const [type, , first, last] = token;
    const place = { use: isImport ? ("style" as const) : ("asset" as const), start: first, end: last + 1 };
    if (type === TokenType.Whitespace || type === TokenType.Comment) continue;
    if (type === TokenType.AtKeyword) isImport = token[4].value.toLowerCase() === "import";
    else if (isTokenURL(token)) found.push({ ...place, url: token[4].value, syntax: "css-url" });
    else if (type === TokenType.Function) inUrl = token[4].value.toLowerCase() === "url";
    else if (isTokenString(token) && (isImport || inUrl))
      found.push({ ...place, url: token[4].value, syntax: inUrl ? "css-argument" : "css-string" });
    if (type !== TokenType.AtKeyword && type !== TokenType.Function) inUrl = false;
    // What follows the first URL of @import is its layer and media.
    if (type !== TokenType.AtKeyword && !inUrl) isImport = false;
  }
  return found.filter(({ url }) => !url.startsWith("data:") && !url.startsWith("#"));
}
