// Where a text has what looks like a secret, and of what kind (docs/decisions/command-line.md, "Likely secrets"). Never
// says what it is.
import { isPlaceholder, secretKinds } from "./secret-kinds.ts";

/** Of one file; whoever has more knows enough. */
const MAX_FOUND = 20;

export interface LikelySecret {
  readonly kind: string;
  /** Counted from 1. */
  readonly line: number;
  readonly column: number;
}

/** The likely secrets of a text in the order of their places. */
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
