// Prose of invented words for benchmarks: a few words are a large part of every text and most are rare, as Zipf's law has
// it, and the more frequent a word is, the shorter it is.
import { randomFrom } from "../harness/random.ts";

const vocabularySize = 30_000;
/** Of the ranks, with Mandelbrot's correction, so that of 1,630 words some 660 are different, much as in English. */
const exponent = 1.16;
const shift = 2.7;
const consonants = "bcdfghklmnprstvw";
const vowels = "aeiou";

const vocabulary = makeVocabulary(randomFrom(11));
/** How often any of the words up to this one is used. */
const upTo = vocabulary.map(
  (
    (sum) => (_, rank) =>
      (sum += 1 / (rank + shift) ** exponent)
  )(0),
);
const all = upTo.at(-1) ?? 0;

function makeVocabulary(next: () => number): string[] {
  const letterOf = (letters: string) => letters[Math.floor(next() * letters.length)] ?? "";
  const words = new Set<string>();
  while (words.size < vocabularySize) {
    const length = Math.round(1.2 + Math.log2(words.size + 1) * 0.5 + next() * 1.5);
    words.add(Array.from({ length }, (_, at) => letterOf(at % 2 === 0 ? consonants : vowels)).join(""));
  }
  return [...words];
}

function wordAt(place: number): string {
  let [first, last] = [0, upTo.length - 1];
  while (first < last) {
    const middle = (first + last) >> 1;
    if ((upTo[middle] ?? 0) < place) first = middle + 1;
    else last = middle;
  }
  return vocabulary[first] ?? "";
}

const capital = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);

/** A title of four words and a text of sentences in paragraphs; the same number gives the same. */
export function prose(number: number, bytes: number): { readonly title: string; readonly content: string } {
  const next = randomFrom(number);
  const word = () => wordAt(next() * all);
  const sentence = () => {
    const words = Array.from({ length: 6 + Math.floor(next() * 16) }, (_, at) =>
      at % 7 === 6 ? `${word()},` : word(),
    );
    return `${capital(words.join(" ")).replace(/,$/, "")}.`;
  };
  let content = "";
  for (let n = 1; content.length < bytes; n++) content += sentence() + (n % 6 === 0 ? "\n\n" : " ");
  return { title: capital(Array.from({ length: 4 }, word).join(" ")), content: content.slice(0, bytes) };
}
