// The texts of the web app. Every text that a person reads in it is in this folder, one file for each area, in English
// and German; `bun run check` ("literal text") refuses a text in a component or another module.
//
//     // messages/history.ts
//     export const historyTexts = messages({
//       en: {
//         title: "Version history",
//         restored: ({ version }: { version: number }) => `Restored version ${version}.`,
//         count: ({ count }: { count: number }) => en.plural(count, { one: "# version", other: "# versions" }),
//         terms: "Read the <link>terms</link> first.",
//       },
//       de: { … the same names and parameters, or the type checker refuses it … },
//     });
//
//     // A component or a module that runs in the browser
//     const text = historyTexts();
//     <h1>{text.title}</h1>  <p>{text.count({ count })}</p>
//
// - `historyTexts()` takes the language of the page: on the server of the request that is answered (a load, an action and
//   a component can all call it), in the browser of `<html lang>`. Call it where the text is needed, in a component at the
//   top of its script, never at the top level of another module: that runs once for all requests.
// - Numbers, dates, times, lists and plurals come from `en` and `de` of formats.ts, or from `formats()` outside messages.
// - A sentence with a link or emphasis inside stays one text: `<Rich text={text.terms}>` with a snippet for each tag.
//   Names that people chose go into a Rich text as a tag (`<name/>`), never as a parameter.
// - German addresses the reader as "du", has infinitives on buttons ("Speichern"), and the quotes „“.
// - A small script of a page (src/viewer, src/plain) imports no messages: its texts are in the markup of the page.
import { type Language, currentLanguage } from "./language.ts";

/** A text, a function of named parameters, or a group of texts. */
interface Texts {
  readonly [name: string]: string | ((values: never) => string) | Texts;
}

/** The same names with the same parameters. */
type SameTexts<T> = T extends string
  ? string
  : T extends (...values: infer Values) => string
    ? (...values: Values) => string
    : { readonly [Name in keyof T]: SameTexts<T[Name]> };

/** The texts of an area: those of the page's language, or of the one that is given. */
export interface Messages<T> {
  (language?: Language): T;
  /** For tests. */
  readonly languages: Readonly<Record<Language, T>>;
}

/** Declares the texts of an area in each language. */
export function messages<T extends Texts>(languages: {
  readonly en: T;
  readonly de: SameTexts<NoInfer<T>>;
}): Messages<SameTexts<T>> {
  const all = languages as unknown as Record<Language, SameTexts<T>>;
  return Object.assign((language: Language = currentLanguage()) => all[language], { languages: all });
}
