// Folds the letters of words, so that what a keyboard lacks and what people leave out is found: `é` by `e`, `ß` by `ss`,
// `ı` by `i`, `ς` as `σ`, Arabic and Hebrew without their points. Marks that make another letter stay: those of `й` and
// of kana, and the vowels of Indic scripts and of Thai. Every text here is in Unicode's form NFKC.
import { spelled } from "@plinth/contract/publishing/slug";

/** Letters that are another one with marks, or that `whole` has. */
const letter =
  /[\u00DF-\u024F\u0390\u03AC-\u03B0\u03C2\u03CA-\u03CE\u0450\u0451\u0453\u045C\u045D\u0622-\u0626\u06C0\u06C2\u06D3\u1E00-\u1FFF]/g;
/** Few texts have any beside their letters. */
const anyMark = /[\u0300-\u036F\u0591-\u05C7\u0610-\u061A\u064B-\u065F\u0670\u06D6-\u06ED\u0640]/;
/** The first eight of a letter, so that a text of nothing else takes no longer. */
const latinAndGreek = String.raw`[\u0300-\u036F](?<=[\p{Script=Latin}\p{Script=Greek}][\u0300-\u036F]{1,8})|[\u0300\u0301]+`;
const hebrew = String.raw`[\u0591-\u05BD\u05BF\u05C1\u05C2\u05C4\u05C5\u05C7]+`;
/** With the line that makes a word longer. */
const arabic = String.raw`[\u0610-\u061A\u0640\u064B-\u065F\u0670\u06D6-\u06DC\u06DF-\u06E4\u06E7\u06E8\u06EA-\u06ED]+`;
const letterOrMarks = new RegExp([letter.source, latinAndGreek, hebrew, arabic].join("|"), "gu");

/** What folds in a text. */
const foldsIn = (text: string): RegExp => (anyMark.test(text) ? letterOrMarks : letter);

/** Letters that Unicode does not take apart. */
const whole: Readonly<Record<string, string>> = { ...spelled, ħ: "h", ŧ: "t", ς: "σ" };

const isMark = new RegExp(`^(?:${anyMark.source})`);
/** Of each letter that was met: there are a thousand. */
const bases = new Map<string, string>();

function fold(found: string): string {
  const known = bases.get(found);
  if (known !== undefined) return known;
  if (isMark.test(found)) return "";
  const [bare = found] = found.normalize("NFD");
  const base = whole[bare] ?? bare;
  bases.set(found, base);
  return base;
}

/** A text in lower case without what makes no difference. */
export const folded = (text: string): string => text.replace(foldsIn(text), fold);

interface FoldedText {
  readonly text: string;
  /** Where a place of it is in the text that was folded; within a letter that became two, its end. */
  readonly placeOf: (at: number) => number;
}

/** A text in lower case and folded. */
export function foldedText(text: string): FoldedText {
  // Of all letters this one alone becomes two in lower case.
  const lower = text.replaceAll("İ", "i").toLowerCase();
  /** The ends of what became longer or shorter, in both texts. */
  const ends = [{ at: 0, place: 0 }];
  let longer = 0;
  const result = lower.replace(foldsIn(lower), (found: string, place: number) => {
    const short = fold(found);
    longer += short.length - found.length;
    const end = place + found.length;
    if (short.length !== found.length) ends.push({ at: end + longer, place: end });
    return short;
  });
  return {
    text: result,
    placeOf(at) {
      let [first, last] = [0, ends.length - 1];
      while (first < last) {
        const middle = (first + last + 1) >> 1;
        if ((ends[middle]?.at ?? 0) <= at) first = middle;
        else last = middle - 1;
      }
      const end = ends[first] ?? { at: 0, place: 0 };
      return end.place + at - end.at;
    },
  };
}
