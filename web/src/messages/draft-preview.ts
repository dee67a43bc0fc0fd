// The texts in place of a document's preview.
import { messages } from "./messages.ts";

export const draftPreviewTexts = messages({
  en: {
    tooLarge: "Too large to preview or save.",
    notLoaded: "The preview isn't available at the moment.",
  },
  de: {
    tooLarge: "Zu groß für eine Vorschau und zum Speichern.",
    notLoaded: "Die Vorschau ist gerade nicht verfügbar.",
  },
});
