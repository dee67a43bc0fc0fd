// The documents of the benchmark: Markdown of about 10 KB, each different from the others and as compressible as prose.

const syllables = [
  "ka",
  "lo",
  "mi",
  "ren",
  "tor",
  "ve",
  "shu",
  "pal",
  "dri",
  "on",
  "es",
  "qua",
  "lin",
  "bor",
  "ta",
  "uni",
];
const bytesEach = 10_240;

/**
 * Enough clauses that a document rarely repeats one. Made once, because a round of publishing needs more than ten
 * thousand documents.
 */
const clauses = Array.from(clausesOf(generator(7), 8192));

function* clausesOf(next: () => number, count: number): Generator<string> {
  const syllable = () => syllables[next() % syllables.length] ?? "";
  const word = () => Array.from({ length: 1 + (next() % 4) }, syllable).join("");
  for (let n = 0; n < count; n++) yield Array.from({ length: 12 }, word).join(" ");
}

/** A document; the same number gives the same text. */
export function document(number: number): string {
  const next = generator(number);
  let text = `# Report ${number}\n\n`;
  for (let n = 0; text.length < bytesEach; n++)
    text += (clauses[next() % clauses.length] ?? "") + (n % 8 === 7 ? ".\n\n" : ", ");
  return text.slice(0, bytesEach);
}

/** xorshift32: small, and the same on every machine. */
function generator(seed: number): () => number {
  let state = (seed * 2_654_435_761 + 1) >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>>= 0) >>> 8;
  };
}
