// The texts of the sheet of keyboard shortcuts.
import { messages } from "./messages.ts";

export const keysTexts = messages({
  en: {
    title: "Keyboard shortcuts",
    close: "Close",
    search: "Search and commands",
    focusSearch: "Focus search",
    theseKeys: "Keyboard shortcuts",
    onThisPage: "On this page",
    inFrame:
      "While the document has focus, it receives your keys. Click the bar above it, or press Shift+Tab until you are back there.",
    everywhere: "Everywhere",
    goTo: "Go to",
    switchOff: "Turn off single-key shortcuts in <link>Settings, Appearance</link>.",
    dashboard: "Dashboard",
    settings: "Settings",
    workspaces: "Workspaces",
    apiKeys: "API keys",
    connectAgent: "Connect an agent",
  },
  de: {
    title: "Tastenkürzel",
    close: "Schließen",
    search: "Suche und Befehle",
    focusSearch: "Zum Suchfeld",
    theseKeys: "Tastenkürzel",
    onThisPage: "Auf dieser Seite",
    inFrame:
      "Solange das Dokument den Fokus hat, bekommt es deine Tasten. Klicke auf die Leiste darüber oder drücke Umschalt+Tab, bis du wieder dort bist.",
    everywhere: "Überall",
    goTo: "Gehe zu",
    switchOff: "Kürzel mit einzelnen Tasten schaltest du unter <link>Einstellungen, Darstellung</link> aus.",
    dashboard: "Dashboard",
    settings: "Einstellungen",
    workspaces: "Workspaces",
    apiKeys: "API-Schlüssel",
    connectAgent: "Agent verbinden",
  },
});
