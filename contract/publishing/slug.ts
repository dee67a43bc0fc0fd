// The slug of a title in any script: the one way for the command line and the web app. Pure, but for loading the table of
// other scripts (half a megabyte) where a title needs it.
import { slugLength } from "../limits.ts";

/** Latin letters that do not come apart into a plain one and a mark. */
const spelled: Readonly<Record<string, string>> = {
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

/** Letters, marks and digits that Latin spelling does not cover. */
const otherScript = /(?![\p{ASCII}\p{Script=Latin}\p{Script=Inherited}])[\p{L}\p{M}\p{Nd}]/u;
const otherScripts = new RegExp(otherScript, "gu");

/** What is neither a letter of ours nor punctuation: the table may have a name for it. */
const symbol = /[^\p{ASCII}\p{P}\p{Z}\p{C}]/u;

/** Whether a title has letters or digits of a script other than Latin. */
const isOtherScript = (title: string): boolean => otherScript.test(title.normalize("NFC"));

/** The slug of a title: at most `length` characters of the form of slugs; null where no letter, digit or symbol with a name is left. */
export async function slugOfTitle(title: string, length: number = slugLength): Promise<string | null> {
  // Composed: a Hangul syllable that is taken apart has other names.
  const text = title.normalize("NFC");
  const latin = isOtherScript(text) ? await spellOut(text, otherScripts) : text;
  const slug = slugOfLatin(latin, length);
  if (slug !== "") return slug;
  // Symbols are left out beside words, so that "Party 🎉" keeps the address it has.
  if (!symbol.test(text)) return null;
  return slugOfLatin(await spellOut(text, new RegExp(symbol, "gu")), length) || null;
}

/** Whether two titles that share a slug share it by spelling alone: in their own scripts they are different words. */
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

/** The slug where a title gives none. `sha256` is that of the content, in hexadecimal. */
export const untitledSlug = (sha256: string): string => `untitled-${sha256.slice(0, 6)}`;

async function spellOut(text: string, characters: RegExp): Promise<string> {
  const { default: anyAscii } = await import("any-ascii");
  return text.replaceAll(characters, (character) =>
    // Han characters are words; letters of other scripts make words together.
    /\p{Script=Han}|\p{Extended_Pictographic}/u.test(character) ? ` ${anyAscii(character)} ` : anyAscii(character),
  );
}

/** Words of letters and digits joined by hyphens; empty where none are left. */
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
