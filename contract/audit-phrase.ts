// The parts of the sentences about events, and the functions that join them.
import type { Fields } from "./audit-fields.ts";
import type { AuditEvent } from "./schemas/audit.ts";

export interface SentencePart {
  readonly text: string;
  /** A name or a value, which is shown in bold. */
  readonly strong?: true;
}

export type Phrase = readonly (string | SentencePart)[];

export interface PhraseContext {
  readonly before: Fields;
  readonly after: Fields;
  readonly event: AuditEvent;
  /** The artifact by its name, or "it". */
  readonly it: Phrase[number];
  /** " of *Report*", or nothing. */
  readonly ofIt: Phrase;
}

/** A sentence does not name the target where the actor is the target. */
export const isOneself = ({ actor: { id, onBehalfOf }, target }: AuditEvent): boolean =>
  (onBehalfOf?.userId ?? id) === target.id;

export const strong = (text: string): SentencePart => ({ text, strong: true });

/** Joins the phrases as a list: "a, b and c". */
export function listed(phrases: readonly Phrase[], and = "and"): Phrase {
  return phrases.flatMap((phrase, at) => {
    if (at === 0) return phrase;
    return [at === phrases.length - 1 ? ` ${and} ` : ", ", ...phrase];
  });
}

const namedAtMost = 3;

/** Joins the names as a list and shortens a long one: "a, b, c and 4 more". */
export function names(all: readonly string[], { and = "and", more: others = "more" } = {}): Phrase {
  const shown = all.length > namedAtMost + 1 ? all.slice(0, namedAtMost) : all;
  const more = all.length - shown.length;
  return listed([...shown.map((name) => [strong(name)]), ...(more > 0 ? [[`${more} ${others}`]] : [])], and);
}

/** Merges neighbours of the same kind into one part and drops empty parts. */
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
