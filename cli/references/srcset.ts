// The URLs of a srcset, as browsers split it (HTML standard, "parse a srcset attribute").

/** More are left out. */
const candidatesMax = 500;

export function srcsetUrls(text: string): string[] {
  const found: string[] = [];
  let at = 0;
  while (at < text.length && found.length < candidatesMax) {
    while (at < text.length && /[\s,]/.test(text[at] ?? "")) at++;
    const start = at;
    while (at < text.length && !/\s/.test(text[at] ?? "")) at++;
    const word = text.slice(start, at);
    const url = word.replace(/,+$/, "");
    if (url === "") continue;
    found.push(url);
    // A comma at its end ends the candidate.
    if (url === word) at = descriptorEnd(text, at);
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
