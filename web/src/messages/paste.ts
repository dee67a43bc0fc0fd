// The texts of the landing page's paste box while it is used.
import { messages } from "./messages.ts";

export const pasteTexts = messages({
  en: {
    tooLarge: "This document is too large to preview here. You can still publish it.",
    preview: "Preview of your document",
    noPreview: "The preview is not available at the moment. You can still publish.",
    /** The script puts the file's name in. */
    noDocument: "{file} isn't a Markdown, HTML or JSX file.",
    noRoom: "This browser has no room to keep the document. Sign in first, then drop it again.",
  },
  de: {
    tooLarge: "Dieses Dokument ist zu groß für eine Vorschau. Du kannst es trotzdem veröffentlichen.",
    preview: "Vorschau deines Dokuments",
    noPreview: "Die Vorschau ist gerade nicht verfügbar. Du kannst trotzdem veröffentlichen.",
    noDocument: "{file} ist keine Markdown-, HTML- oder JSX-Datei.",
    noRoom: "In diesem Browser ist kein Platz für das Dokument. Melde dich zuerst an und lege es dann noch einmal ab.",
  },
});

export type PasteTexts = ReturnType<typeof pasteTexts>;
