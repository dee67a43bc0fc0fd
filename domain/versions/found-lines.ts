// The lines that an answer lists, each after its number. What does not fit is left for the next request.
const encoder = new TextEncoder();

/** Lines that `grep` finds at once. */
export const mostFound = 1000;
/** Bytes of the answer. */
export const foundBytes = 256 * 1024;
/** UTF-16 units of a listed line with its number; a longer one is cut. */
export const foundCharacters = 1000;

interface FoundLines {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly found: number;
  /** The first line that was left out. */
  readonly nextLine?: number;
}

export interface FoundLine {
  readonly line: number;
  /** At least `foundCharacters` of it where it has so many. */
  readonly text: string;
}

/** Takes as many as fit, and asks for no more after them. */
export function foundLines(lines: Iterable<FoundLine>, most = Infinity): FoundLines {
  const bytes = new Uint8Array(foundBytes);
  let used = 0;
  let found = 0;
  let last = 0;
  let isFull = false;
  for (const { line, text } of lines) {
    const written = encoder.encode(`${shortened(`${line}: ${text}`)}\n`);
    isFull ||= found === most || used + written.length > foundBytes;
    // A line is left out after a line before it, so that reading on from there never begins with the same lines again.
    if (isFull && line > last) return { bytes: bytes.slice(0, used), found, nextLine: line };
    if (isFull) continue;
    bytes.set(written, used);
    used += written.length;
    found++;
    last = line;
  }
  return { bytes: bytes.slice(0, used), found };
}

const shortened = (line: string): string =>
  line.length <= foundCharacters ? line : `${line.slice(0, foundCharacters).toWellFormed()}…`;
