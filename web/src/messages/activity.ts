// The list of audit events, of an artifact or a workspace. The words of the events are in the contract (audit-words.ts).
import type { Surface } from "@plinth/contract/audit-kinds";
import { messages } from "./messages.ts";

export const activityTexts = messages({
  en: {
    title: ({ title }: { title: string }) => `${title} – Activity`,
    heading: "Activity",
    text: "Every version, change of access and share link, and who was behind it. The workspace's plan sets how long it is kept.",
    kind: "Kind",
    all: "All activity",
    show: "Show",
    when: "When",
    who: "Who",
    through: "Through",
    unverified: "(unverified)",
    where: "Where",
    requestId: "Request ID",
    none: "No activity yet.",
    noneOfKind: "No activity of this kind.",
    anArtifact: "an artifact",
    surfaces: { web: "Web", cli: "CLI", api: "API", mcp: "MCP", system: "System" } satisfies Record<Surface, string>,
  },
  de: {
    title: ({ title }) => `${title} – Aktivität`,
    heading: "Aktivität",
    text: "Jede Version, jede Änderung des Zugriffs und jeder Freigabelink, und wer dahinter stand. Wie lange das aufbewahrt wird, bestimmt der Plan des Workspace.",
    kind: "Art",
    all: "Alle Aktivität",
    show: "Anzeigen",
    when: "Wann",
    who: "Wer",
    through: "Über",
    unverified: "(nicht bestätigt)",
    where: "Wo",
    requestId: "Anfrage-ID",
    none: "Noch keine Aktivität.",
    noneOfKind: "Keine Aktivität dieser Art.",
    anArtifact: "ein Artefakt",
    surfaces: { web: "Web", cli: "CLI", api: "API", mcp: "MCP", system: "System" },
  },
});
