// The credentials that a copied command requires.
import { messages } from "./messages.ts";

export const copyAsTexts = messages({
  en: {
    login: "Requires your own login (plinth login): an API key can't do this.",
    session: "Only you can do this, signed in here.",
  },
  de: {
    login: "Dafür musst du selbst angemeldet sein (plinth login): Ein API-Schlüssel genügt nicht.",
    session: "Das kannst nur du, hier angemeldet.",
  },
});
