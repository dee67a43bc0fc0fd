// The candidates of a srcset, as browsers split it (HTML standard, "parse a srcset attribute").

interface SrcsetCandidate {
  readonly url: string;
  /** With the space ahead of it; empty where there is none. */
  readonly descriptor: string;
}

/** More are left out. */
const candidatesMax = 500;

const isSpace = (character: string | undefined): boolean => character !== undefined && /[\t\n\f\r ]/.test(character);

export function srcsetCandidates(text: string): SrcsetCandidate[] {
  const found: SrcsetCandidate[] = [];
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
