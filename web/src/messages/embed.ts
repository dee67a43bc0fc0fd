// The texts of the embed page, and of the embed code where an artifact is shared.
import { messages } from "./messages.ts";

export const embedTexts = messages({
  en: {
    onInstance: ({ host }: { host: string }) => `on ${host}`,
    notAvailable: "This document isn't available.",
    tryAgain: "This document can't be shown right now. Try again in a moment.",
    embed: "Embed",
    code: "Embed code",
    codeHint: "Paste it into a web page. It works for as long as this is public.",
    copyCode: "Copy embed code",
    publicOnly: "Make it public to embed it in other sites.",
  },
  de: {
    onInstance: ({ host }) => `auf ${host}`,
    notAvailable: "Dieses Dokument ist nicht verfügbar.",
    tryAgain: "Dieses Dokument kann gerade nicht angezeigt werden. Versuche es gleich noch einmal.",
    embed: "Einbetten",
    code: "Code zum Einbetten",
    codeHint: "Füge ihn in eine Webseite ein. Er funktioniert, solange dies öffentlich ist.",
    copyCode: "Code kopieren",
    publicOnly: "Mache es öffentlich, um es in andere Seiten einzubetten.",
  },
});
