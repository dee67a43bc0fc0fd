// Converts a title in any script to a slug, for the command line and the web app alike. Pure, except that it loads the
// table of other scripts (half a megabyte) when a title needs it.
import { slugLength } from "../limits.ts";

/** Latin letters that do not decompose into a plain letter and a mark. */
export const spelled: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ð: "d",
  þ: "th",
  ł: "l",
  ı: "i",
};

/** Letters, marks and digits outside the Latin script. */
const otherScript = /(?![\p{ASCII}\p{Script=Latin}\p{Script=Inherited}])[\p{L}\p{M}\p{Nd}]/u;
const otherScripts = new RegExp(otherScript, "gu");

/** A symbol: neither ASCII nor punctuation. The table may have a name for it. */
const symbol = /[^\p{ASCII}\p{P}\p{Z}\p{C}]/u;

/** Whether a title has letters or digits of a script other than Latin. */
const isOtherScript = (title: string): boolean => otherScript.test(title.normalize("NFC"));

/** The slug of a title, at most `length` characters; null where no letter, digit or named symbol is left. */
export async function slugOfTitle(title: string, length: number = slugLength): Promise<string | null> {
  // Composed form: the parts of a decomposed Hangul syllable have other names.
  const text = title.normalize("NFC");
  const latin = isOtherScript(text) ? await spellOut(text, otherScripts) : text;
  const slug = slugOfLatin(latin, length);
  if (slug !== "") return slug;
  // Symbols beside words are dropped, so that "Party 🎉" keeps its slug.
  if (!symbol.test(text)) return null;
  return slugOfLatin(await spellOut(text, new RegExp(symbol, "gu")), length) || null;
}

/** Whether two titles share a slug by transliteration alone: in their own scripts they are different words. */
export function areDifferentWords(one: string, other: string): boolean {
  if (!isSpelledOut(one) && !isSpelledOut(other)) return false;
  const words = (title: string) =>
    title
      .normalize("NFKC")
      .toLowerCase()
      .replaceAll(/[\p{P}\p{Z}\p{C}]/gu, "");
  return words(one) !== words(other);
}

const isSpelledOut = (title: string): boolean => isOtherScript(title) || slugOfLatin(title, slugLength) === "";

/** The slug where the title gives none. `sha256` is the hash of the content, in hexadecimal. */
export const untitledSlug = (sha256: string): string => `untitled-${sha256.slice(0, 6)}`;

async function spellOut(text: string, characters: RegExp): Promise<string> {
  const { default: anyAscii } = await import("any-ascii");
  return text.replaceAll(characters, (character) =>
    // Each Han character is a word; letters of other scripts form words together.
    /\p{Script=Han}|\p{Extended_Pictographic}/u.test(character) ? ` ${anyAscii(character)} ` : anyAscii(character),
  );
}

/** Joins words of letters and digits by hyphens; empty where none are left. */
function slugOfLatin(text: string, length: number): string {
  const plain = text
    .toLowerCase()
    .replaceAll(/[ßæœøđðþłı]/g, (letter) => spelled[letter] ?? "")
    .normalize("NFKD")
    .replaceAll(/\p{M}|['’]/gu, "")
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "");
  if (plain.length <= length) return plain;
  const kept = plain.slice(0, length + 1);
  const end = kept.lastIndexOf("-");
  return kept.slice(0, end > length / 2 ? end : length).replace(/-+$/, "");
}
