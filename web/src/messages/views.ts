// The texts of an artifact's views.
import { de, en } from "./formats.ts";
import { messages } from "./messages.ts";

export const viewsTexts = messages({
  en: {
    title: "Views",
    pageTitle: ({ title }: { title: string }) => `Views of ${title}`,
    total: ({ views, days }: { views: number; days: number }) =>
      `${en.plural(views, { one: "# view", other: "# views" })} in the last ${en.number(days)} days`,
    explanation:
      "How often the page was loaded, by day in UTC: loads, not people. Nothing about readers is stored. Members of this workspace, embedded frames and programs that identify themselves aren’t counted.",
    chart: ({ most, day }: { most: number; day: string }) =>
      `Views by day. The most were ${en.number(most)}, on ${en.day(day)}.`,
    asTable: "Show as a table",
    day: "Day",
    views: "Views",
  },
  de: {
    title: "Aufrufe",
    pageTitle: ({ title }) => `Aufrufe von ${title}`,
    total: ({ views, days }: { views: number; days: number }) =>
      `${de.plural(views, { one: "# Aufruf", other: "# Aufrufe" })} in den letzten ${de.number(days)} Tagen`,
    explanation:
      "Wie oft die Seite geladen wurde, nach Tagen in UTC: Aufrufe, nicht Personen. Über Leser wird nichts gespeichert. Mitglieder dieses Workspace, eingebettete Frames und Programme, die sich zu erkennen geben, werden nicht gezählt.",
    chart: ({ most, day }: { most: number; day: string }) =>
      `Aufrufe nach Tagen. Die meisten waren ${de.number(most)}, am ${de.day(day)}.`,
    asTable: "Als Tabelle anzeigen",
    day: "Tag",
    views: "Aufrufe",
  },
});
