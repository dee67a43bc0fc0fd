// The words of the demo project in a dashboard's list.
import { messages } from "./messages.ts";

export const demoProjectTexts = messages({
  en: {
    title: "Demo project",
    description:
      "A report, a dashboard, a prototype, and a proposal with its history: all invented, all yours to change.",
  },
  de: {
    title: "Demo-Projekt",
    description:
      "Ein Bericht, ein Dashboard, ein Prototyp und ein Angebot mit Versionsverlauf: alles erfunden, alles zum Ändern.",
  },
});
