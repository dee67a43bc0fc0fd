// The words of a search document as PostgreSQL reads a `tsvector`: each with its positions, and with the part of the
// document that it stands in.
import { lexemesOf, piecesOf, wordsIn } from "./words.ts";

/** Title and slug, description, text. */
type Weight = "A" | "B" | "D";

/** Further words are found, but not as a phrase: PostgreSQL counts no further. */
const lastPosition = 16_000;
/** Positions of one word, so that `ts_rank` takes a fraction of a millisecond. */
const positionsOfOne = 100;
/** Between two parts, so that no phrase goes from one to the other. */
const gap = 16;

export class DocumentWords {
  private readonly found = new Map<string, string[]>();
  private position = 0;

  /** Reads a long text in pieces: requests are answered in between. */
  async add(text: string, weight: Weight): Promise<void> {
    const letter = weight === "D" ? "" : weight;
    for await (const piece of piecesOf(text))
      for (const lexeme of lexemesOf(wordsIn(piece))) {
        this.position++;
        const places = this.placesOf(lexeme);
        if (this.position <= lastPosition && places.length < positionsOfOne) places.push(`${this.position}${letter}`);
      }
    this.position += gap;
  }

  mark(lexemes: Iterable<string>): void {
    for (const lexeme of lexemes) this.placesOf(lexeme);
  }

  /** Lexemes have letters, digits, marks, spaces and signs, and neither a quote nor a backslash. */
  toString(): string {
    return [...this.found]
      .map(([lexeme, places]) => `'${lexeme}'${places.length === 0 ? "" : `:${places.join(",")}`}`)
      .join(" ");
  }

  private placesOf(lexeme: string): string[] {
    let places = this.found.get(lexeme);
    if (places === undefined) this.found.set(lexeme, (places = []));
    return places;
  }
}
