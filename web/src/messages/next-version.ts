// The texts of a next version that is dropped on the page of an artifact, or on its card.
import { messages } from "./messages.ts";

export const nextVersionTexts = messages({
  en: {
    drop: "Drop the next version of <title/>",
    hint: "You see the changes before anything is published.",
  },
  de: {
    drop: "Nächste Version von <title/> hier ablegen",
    hint: "Du siehst die Änderungen, bevor etwas veröffentlicht wird.",
  },
});
