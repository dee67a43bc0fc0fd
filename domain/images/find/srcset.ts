// The candidates of a srcset, as browsers split it (HTML standard, "parse a srcset attribute").
import { imageUrl, type ImagePiece } from "../reference.ts";

interface Candidate {
  readonly url: string;
  /** With the space ahead of it; empty where there is none. */
  readonly descriptor: string;
}

/** Pieces in which each candidate is one image and one text; null where none of them is of another site. */
export function srcsetPieces(text: string): ImagePiece[] | null {
  const pieces = candidatesOf(text).flatMap(({ url, descriptor }): ImagePiece[] => {
    const image = imageUrl(url);
    return image === null ? [url + descriptor] : [image, descriptor];
  });
  return pieces.some((piece) => typeof piece !== "string") ? pieces : null;
}

/** More are left out: each is kept and written. */
const candidatesMax = 500;

const isSpace = (character: string | undefined): boolean => character !== undefined && /[\t\n\f\r ]/.test(character);

function candidatesOf(text: string): Candidate[] {
  const found: Candidate[] = [];
  let at = 0;
  while (at < text.length && found.length < candidatesMax) {
    while (isSpace(text[at]) || text[at] === ",") at++;
    const start = at;
    while (at < text.length && !isSpace(text[at])) at++;
    const word = text.slice(start, at);
    const url = word.replace(/,+$/, "");
    if (url === "") continue;
    // A comma at its end ends the candidate.
    if (url !== word) found.push({ url, descriptor: "" });
    else {
      const end = descriptorEnd(text, at);
      const descriptor = text.slice(at, end).trim();
      found.push({ url, descriptor: descriptor === "" ? "" : ` ${descriptor}` });
      at = end;
    }
  }
  return found;
}

/** The next comma that is in no parentheses. */
function descriptorEnd(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    if (text[at] === "(") depth++;
    else if (text[at] === ")") depth--;
    else if (text[at] === "," && depth <= 0) return at;
  }
  return text.length;
}
