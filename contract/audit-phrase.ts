// The pieces that sentences about events are made of, and how they are put together.

export interface SentencePart {
  readonly text: string;
  /** A name or a value, which stands out. */
  readonly strong?: true;
}

export type Phrase = readonly (string | SentencePart)[];

export const strong = (text: string): SentencePart => ({ text, strong: true });

/** The phrases as a list: "a, b and c". */
export function listed(phrases: readonly Phrase[]): Phrase {
  return phrases.flatMap((phrase, at) => {
    if (at === 0) return phrase;
    return [at === phrases.length - 1 ? " and " : ", ", ...phrase];
  });
}

const namedAtMost = 3;

/** The names as a list, of which a long one is cut short: "a, b, c and 4 more". */
export function names(all: readonly string[]): Phrase {
  const shown = all.length > namedAtMost + 1 ? all.slice(0, namedAtMost) : all;
  const more = all.length - shown.length;
  return listed([...shown.map((name) => [strong(name)]), ...(more > 0 ? [[`${more} more`]] : [])]);
}

/** Neighbours that look alike as one part; nothing that is empty. */
export function partsOf(phrase: Phrase): SentencePart[] {
  const parts: SentencePart[] = [];
  for (const piece of phrase) {
    const part = typeof piece === "string" ? { text: piece } : piece;
    const last = parts.at(-1);
    if (part.text === "") continue;
    if (last !== undefined && last.strong === part.strong)
      parts.splice(-1, 1, { ...last, text: last.text + part.text });
    else parts.push(part);
  }
  return parts;
}
