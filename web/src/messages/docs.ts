// The texts around the documentation, whose pages themselves are in English.
import { en, de } from "./formats.ts";
import { messages } from "./messages.ts";

export const docsTexts = messages({
  en: {
    documentation: "Documentation",
    inEnglish: "The documentation is in English only.",
    searchLabel: "Search the documentation",
    searchPlaceholder: "Search docs",
    search: "Search",
    allPages: "All pages",
    reference: "Interactive reference",
    onThisPage: "On this page",
    turns: "Previous and next page",
    previous: "Previous",
    next: "Next",
    asMarkdown: "This page as Markdown",
    searchTitle: ({ query }: { query: string }) => `${query} · Search`,
    typeWords: "Type a word, a command, an error code or the name of a field.",
    nothingFound: ({ query }: { query: string }) => `Nothing matches “${query}”. Use fewer or other words.`,
    found: ({ count, query }: { count: number; query: string }) =>
      `${en.plural(count, { one: "# result", other: "# results" })} for “${query}”`,
  },
  de: {
    documentation: "Dokumentation",
    inEnglish: "Die Dokumentation gibt es nur auf Englisch.",
    searchLabel: "Die Dokumentation durchsuchen",
    searchPlaceholder: "In der Doku suchen",
    search: "Suchen",
    allPages: "Alle Seiten",
    reference: "Interaktive Referenz",
    onThisPage: "Auf dieser Seite",
    turns: "Vorige und nächste Seite",
    previous: "Zurück",
    next: "Weiter",
    asMarkdown: "Diese Seite als Markdown",
    searchTitle: ({ query }) => `${query} · Suche`,
    typeWords: "Gib ein Wort, einen Befehl, einen Fehlercode oder den Namen eines Felds ein.",
    nothingFound: ({ query }) => `Nichts passt zu „${query}“. Versuche es mit weniger oder anderen Wörtern.`,
    found: ({ count, query }) => `${de.plural(count, { one: "# Treffer", other: "# Treffer" })} für „${query}“`,
  },
});
