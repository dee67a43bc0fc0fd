// The texts of what is around every page: header, footer, the choice of a language, page titles.
import { messages } from "./messages.ts";

export const chromeTexts = messages({
  en: {
    skip: "Skip to content",
    dashboard: "Dashboard",
    docs: "Docs",
    signIn: "Sign in",
    documentation: "Documentation",
    language: "Language",
    languageHint: "Saved in this browser only.",
    saveLanguage: "Save language",
  },
  de: {
    skip: "Zum Inhalt springen",
    dashboard: "Dashboard",
    docs: "Doku",
    signIn: "Anmelden",
    documentation: "Dokumentation",
    language: "Sprache",
    languageHint: "Wird nur in diesem Browser gespeichert.",
    saveLanguage: "Sprache speichern",
  },
});
