// The language of a page: the one in the cookie, which the visitor chose, or the first supported one of their browser.
// Must not import Svelte or Kit, because small scripts import it.

export const languages = ["en", "de"] as const;
export type Language = (typeof languages)[number];

/** Each language as it calls itself. */
export const languageNames = { en: "English", de: "Deutsch" } as const satisfies Record<Language, string>;

export const languageCookie = "language";

export const isLanguage = (value: unknown): value is Language => languages.some((language) => language === value);

/** The language of a request's answer. */
export function languageOf(headers: Headers): Language {
  const chosen = /(?:^|;\s*)language=(\w+)/.exec(headers.get("cookie") ?? "")?.[1];
  return isLanguage(chosen) ? chosen : acceptedLanguage(headers.get("accept-language") ?? "");
}

/** The best of an `Accept-Language` header (RFC 9110 §12.5.4), compared by its primary subtag; English otherwise. */
function acceptedLanguage(header: string): Language {
  const wanted = header
    .slice(0, 1000)
    .split(",")
    .map((range) => {
      const [, tag = "", quality = "1"] = /^\s*([a-z]+)(?:-[\w-]+)?\s*(?:;\s*q=([\d.]+))?\s*$/i.exec(range) ?? [];
      return { language: tag.toLowerCase(), quality: Number(quality) };
    })
    .filter(({ language, quality }) => isLanguage(language) && quality > 0)
    // Stable: of equal ones the first.
    .toSorted((one, other) => other.quality - one.quality)[0]?.language;
  return isLanguage(wanted) ? wanted : "en";
}

let read = (): Language => (globalThis.document?.documentElement.lang === "de" ? "de" : "en");

/** The language of the page: on the server of the request that is being answered, in the browser of `<html lang>`. */
export const currentLanguage = (): Language => read();

/** Says where the server finds the language of the request that it is answering. Called once, by hooks.server.ts. */
export function readLanguageBy(reader: () => Language): void {
  read = reader;
}
