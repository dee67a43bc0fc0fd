// The texts of copying, for every page's small script.
import { messages } from "./messages.ts";

export const copyTexts = messages({
  en: { copied: "Copied", couldNotCopy: "Couldn't copy" },
  de: { copied: "Kopiert", couldNotCopy: "Kopieren nicht möglich" },
});
