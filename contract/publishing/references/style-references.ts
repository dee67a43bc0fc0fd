// The URLs of a style sheet: @import, url() and the strings of image-set(), by the tokens of css-syntax-3.
import { isTokenString, isTokenURL, tokenizer, TokenType } from "@csstools/css-tokenizer";

import { lineCounter, type Reference } from "./reference.ts";

const namesUrl = new Set(["url", "src", "image-set", "-webkit-image-set"]);

/** `firstLine` is the line of the text in its file. */
export function styleReferences(text: string, firstLine = 1): Reference[] {
  if (!/@import|url\(|image-set\(|src\(/i.test(text)) return [];
  const found: Reference[] = [];
  const lineAt = lineCounter(text, firstLine);
  const tokens = tokenizer({ css: text });
  /** The functions and parentheses that are open; true for those whose strings are URLs. */
  const open: boolean[] = [];
  let atRule = "";
  while (!tokens.endOfFile()) {
    const token = tokens.nextToken();
    const [type, , start] = token;
    if (type === TokenType.AtKeyword) atRule = token[4].value.toLowerCase();
    else if (type === TokenType.OpenCurly || type === TokenType.Semicolon) atRule = "";
    else if (type === TokenType.Function) open.push(namesUrl.has(token[4].value.toLowerCase()));
    else if (type === TokenType.OpenParen) open.push(false);
    else if (type === TokenType.CloseParen) open.pop();
    else if (atRule !== "namespace" && (isTokenURL(token) || isTokenString(token))) {
      const isUrl = isTokenURL(token) || open.at(-1) === true || (atRule === "import" && open.length === 0);
      if (isUrl) found.push({ url: token[4].value, line: lineAt(start), use: "load", from: "file" });
    }
  }
  // A font's oldest format, which no browser of today loads.
  return found.filter(({ url }) => !/\.eot(?:[?#]|$)/i.test(url));
}
