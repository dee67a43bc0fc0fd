// The pieces of a document that are made apart from its text: formulas and blocks of code. Each is made of one text alone,
// so that it is known by the hash of it, made once wherever it stands, and kept for the next version.
import { escapeHtml } from "../escape-html.ts";

export interface Piece {
  /** Of all that it is made of. */
  readonly key: string;
  readonly kind: "inline" | "display" | "code";
  readonly source: string;
  /** Of code, in lower case; empty for a formula. */
  readonly language: string;
}

/**
 * The work of a piece, by its kind and length, about a microsecond each: a bound of it gives the same document on every
 * machine, however busy that is.
 */
export const workOf = ({ kind, source }: Piece): number =>
  kind === "code" ? 200 + 6 * source.length : 500 + 30 * source.length;

/** The work of the first piece in a language besides: its grammar is loaded, and compiled as it is used. */
export const languageWork = 250_000;

/** What may be made together: so much that a process is free for others soon. */
export const partWork = 300_000;

/** Why a piece is shown as it was written. */
export const leftBecause = {
  beyond: "The document has more formulas and code than can be shown",
  slow: "It takes too long to make",
} as const;

/** A piece as it was written, with the reason; without one where it is still to be made. */
export function asWritten({ kind, source }: Piece, why: string | null): string {
  if (why !== null) return kind === "code" ? plainCode(source, why) : formulaAsWritten(source, why);
  return kind === "code" ? escapeHtml(source) : `<code>${escapeHtml(source)}</code>`;
}

export const formulaAsWritten = (source: string, why: string): string =>
  `<code class="math-error" title="${reason(why)}">${escapeHtml(source)}</code>`;

export const plainCode = (source: string, why: string): string =>
  `<span class="plain-code" title="${reason(why)}">${escapeHtml(source)}</span>`;

const reason = (why: string): string => escapeHtml(why.slice(0, 300));

/** Where a piece is to stand: no text of an author has a `<`, and no attribute a quote, that is not escaped. */
const holeOf = (index: number): string => `<!--"${index}"-->`;
const hole = /<!--"(\d+)"-->/;

/** The text around the pieces, which takes their places by `placed`. */
export interface Layout {
  readonly written: string;
  /** Each once, in the order of their first places. */
  readonly pieces: readonly Piece[];
  /** How often they stand in it. */
  readonly places: number;
  /** Characters of the document with its pieces. */
  readonly mostCharacters: number;
}

/** Collects the pieces of a document. */
export class Pieces {
  readonly #found = new Map<string, { readonly piece: Piece; readonly index: number }>();

  /** The text that stands for the piece until it is placed. */
  place(kind: Piece["kind"], source: string, language = ""): string {
    const key = new Bun.CryptoHasher("sha256")
      .update(`${kind}\n${language}\n${source}`)
      .digest("base64url")
      .slice(0, 27);
    const index = this.#found.get(key)?.index ?? this.#found.size;
    this.#found.set(key, { piece: { key, kind, source, language }, index });
    return holeOf(index);
  }

  /** The layout of the document that was written with them: pieces are in the order of the text. */
  layout(written: string, mostCharacters: number): Layout {
    const all = [...this.#found.values()].map(({ piece }) => piece);
    const inOrder = new Map<number, number>();
    const parts = written.split(hole);
    const renumbered = parts.map((part, n) => (n % 2 === 0 ? part : holeOf(numbered(inOrder, Number(part))))).join("");
    const pieces = [...inOrder.keys()].flatMap((index) => all[index] ?? []);
    return { written: renumbered, pieces, places: (parts.length - 1) / 2, mostCharacters };
  }
}

function numbered(inOrder: Map<number, number>, index: number): number {
  const known = inOrder.get(index) ?? inOrder.size;
  inOrder.set(index, known);
  return known;
}

/** How many characters the document has with all of its pieces as they were written. */
export function leastCharacters({ written, pieces }: Layout): number {
  const lengths = pieces.map((piece) => asWritten(piece, leftBecause.beyond).length);
  return written
    .split(hole)
    .reduce((sum, part, n) => sum + (n % 2 === 0 ? part.length : (lengths[Number(part)] ?? 0)), 0);
}

/**
 * The document with its pieces, as far as its length allows: those that it does not, and those that are not made, are shown
 * as they were written.
 */
export function placed(
  layout: Layout,
  made: readonly (string | undefined)[],
  why: string | null = leftBecause.beyond,
): string {
  const { written, pieces, mostCharacters } = layout;
  let room = mostCharacters - leastCharacters(layout);
  const raw = pieces.map((piece) => asWritten(piece, why));
  return written
    .split(hole)
    .map((part, n) => {
      if (n % 2 === 0) return part;
      const [whole, plain = ""] = [made[Number(part)], raw[Number(part)]];
      const further = (whole?.length ?? 0) - plain.length;
      if (whole === undefined || further > room) return plain;
      room -= Math.max(0, further);
      return whole;
    })
    .join("");
}
