// How long a key or a share link is valid, as a form offers it.
import { de, en } from "./formats.ts";
import { messages } from "./messages.ts";

export const expiryTexts = messages({
  en: {
    days: ({ count }: { count: number }) => en.duration(count, "day"),
    year: "1 year",
    never: "Never",
  },
  de: {
    days: ({ count }) => de.duration(count, "day"),
    year: "1 Jahr",
    never: "Nie",
  },
});
