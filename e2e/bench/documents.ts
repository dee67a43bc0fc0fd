// The documents of the benchmark: Markdown of about 10 KB, each different from the others and as compressible as prose.

import { randomFrom } from "../harness/random.ts";

const syllables = "ka lo mi ren tor ve shu pal dri on es qua lin bor ta uni".split(" ");
const bytesEach = 10_240;

/**
 * Enough clauses that a document rarely repeats one. Made once, because a round of publishing needs more than ten
 * thousand documents.
 */
const clauses = Array.from(clausesOf(randomFrom(7), 8192));

function* clausesOf(next: () => number, count: number): Generator<string> {
  const syllable = () => syllables[Math.floor(next() * syllables.length)] ?? "";
  const word = () => Array.from({ length: 1 + Math.floor(next() * 4) }, syllable).join("");
  for (let n = 0; n < count; n++) yield Array.from({ length: 12 }, word).join(" ");
}

/** A document; the same number gives the same text. */
export function document(number: number): string {
  const next = randomFrom(number);
  let text = `# Report ${number}\n\n`;
  for (let n = 0; text.length < bytesEach; n++)
    text += (clauses[Math.floor(next() * clauses.length)] ?? "") + (n % 8 === 7 ? ".\n\n" : ", ");
  return text.slice(0, bytesEach);
}
