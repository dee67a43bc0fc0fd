// The texts of the API's refusals in the language of the page, by code. English has the API's own words, which name the
// refused thing; German has a sentence for each code.
import type { ErrorCode } from "@plinth/contract/errors";
import { currentLanguage, type Language } from "./language.ts";
import { messages } from "./messages.ts";

const german: Readonly<Record<ErrorCode, string>> = {
  invalid_request: "Die Eingabe ist nicht gültig. Prüfe sie und versuche es erneut.",
  invalid_source: "Der Quelltext lässt sich nicht übersetzen: Er enthält einen Syntaxfehler.",
  unauthenticated: "Melde dich an, um fortzufahren.",
  token_expired: "Der Schlüssel ist abgelaufen.",
  forbidden: "Das ist dir nicht erlaubt. Bitte einen Admin um Zugriff.",
  insufficient_scope: "Diesem Schlüssel fehlt eine Berechtigung.",
  plan_required: "Das ist im aktuellen Plan nicht enthalten.",
  seat_limit_reached: "Alle Plätze des Plans sind belegt.",
  storage_limit_reached: "Der Speicher für Dateien ist voll.",
  not_found: "Das gibt es nicht, oder du hast keinen Zugriff darauf.",
  version_expired: "Diese Version ist abgelaufen.",
  slug_conflict: "Dieser Name ist schon vergeben.",
  source_path_conflict: "Ein anderes Artefakt hat diesen Quellpfad.",
  version_conflict: "Inzwischen wurde eine andere Version veröffentlicht.",
  idempotency_conflict: "Dieser Idempotenzschlüssel wurde schon für eine andere Anfrage verwendet.",
  last_admin: "Ein Workspace braucht mindestens einen Admin. Mache zuerst ein anderes Mitglied zum Admin.",
  invitation_used: "Diese Einladung wurde schon verwendet.",
  email_conflict: "Diese E-Mail-Adresse ist schon vergeben.",
  project_not_empty: "Das Projekt enthält noch Artefakte. Verschiebe oder lösche sie zuerst.",
  content_too_large: "Der Inhalt ist zu groß.",
  misdirected_request: "Die Anfrage ist für einen anderen Host.",
  rate_limited: "Zu viele Anfragen. Warte einen Moment und versuche es erneut.",
  internal: "Etwas ist schiefgelaufen. Versuche es erneut.",
  not_implemented: "Dieses Format gibt es hier nicht.",
  billing_unavailable: "Die Abrechnung ist gerade nicht verfügbar.",
  identity_unavailable: "Der Anmeldedienst ist gerade nicht verfügbar.",
  busy: "Der Server ist ausgelastet. Versuche es gleich noch einmal.",
  unavailable: "Gerade nicht verfügbar. Versuche es gleich noch einmal.",
};

/** What a person reads of a refusal. */
export const problemDetail = (
  { code, detail }: { readonly code: ErrorCode; readonly detail: string },
  language: Language = currentLanguage(),
): string => (language === "de" ? german[code] : detail);

/** What to do next, which the API says in English alone. */
export const problemHint = (hint: string | undefined, language: Language = currentLanguage()): string | undefined =>
  language === "de" ? undefined : hint;

/** The fault of a field. */
export const fieldProblem = (message: string, language: Language = currentLanguage()): string =>
  language === "de" ? problemTexts("de").invalidField : message;

export const problemTexts = messages({
  en: {
    invalidField: "Not valid",
    serverAnswered: ({ status }: { status: number }) => `The server answered ${status} without saying why.`,
    notReached: "The server can't be reached. Nothing is lost: try again when you are connected.",
  },
  de: {
    invalidField: "Nicht gültig",
    serverAnswered: ({ status }) => `Der Server hat mit ${status} geantwortet, ohne einen Grund zu nennen.`,
    notReached: "Der Server ist nicht erreichbar. Nichts ist verloren: Versuche es erneut, sobald du verbunden bist.",
  },
});
