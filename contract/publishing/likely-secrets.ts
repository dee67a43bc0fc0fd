// Finds likely secrets in a text, with the kind of each (docs/decisions/command-line.md, "Likely secrets"). It never
// returns the secret.
import { isPlaceholder, secretKinds } from "./secret-kinds.ts";

/** The most secrets that are reported for one file; more would tell the author nothing new. */
const MAX_FOUND = 20;

export interface LikelySecret {
  readonly kind: string;
  /** Counted from 1. */
  readonly line: number;
  readonly column: number;
}

/** The likely secrets of a text, in order of position. */
export function likelySecrets(text: string): LikelySecret[] {
  const found: { kind: string; index: number }[] = [];
  for (const { name, pattern, isReal } of secretKinds) {
    let count = 0;
    for (const match of text.matchAll(pattern)) {
      const secret = match.groups?.["secret"] ?? match[0];
      if (!(isReal ? isReal(secret, match) : !isPlaceholder(secret))) continue;
      found.push({ kind: name, index: match.index });
      if (++count === MAX_FOUND) break;
    }
  }
  found.sort((a, b) => a.index - b.index);
  return placed(found.slice(0, MAX_FOUND), text);
}

function placed(found: readonly { kind: string; index: number }[], text: string): LikelySecret[] {
  let line = 1;
  let start = 0;
  return found.map(({ kind, index }) => {
    for (let end = text.indexOf("\n", start); end >= 0 && end < index; end = text.indexOf("\n", start)) {
      line++;
      start = end + 1;
    }
    return { kind, line, column: index - start + 1 };
  });
}
