// The documents of the benchmark: markdown of about 10 KB, each different from every other, no more
// compressible than prose.

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

/** A document; the same number gives the same text. */
export function document(number: number): string {
  const next = generator(number);
  const parts = [`# Report ${number}\n\n`];
  for (let length = 0, words = 0; length < bytesEach; words++) {
    const word = Array.from({ length: 1 + (next() % 4) }, () => syllables[next() % syllables.length]).join("");
    const text = word + (words % 90 === 89 ? ".\n\n" : words % 12 === 11 ? ", " : " ");
    parts.push(text);
    length += text.length;
  }
  return parts.join("").slice(0, bytesEach);
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
