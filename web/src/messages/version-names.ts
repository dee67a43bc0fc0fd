// The texts around the names of versions.
import { messages } from "./messages.ts";

export const versionNameTexts = messages({
  en: {
    onlyNamed: "Only named",
    noneNamed: "No named versions here",
    give: ({ version }: { version: number }) => `Name v${version}`,
    change: ({ version }: { version: number }) => `Rename v${version}`,
    label: ({ version }: { version: number }) => `Name of version ${version}`,
    save: "Save",
    removeHint: "An empty name removes it.",
  },
  de: {
    onlyNamed: "Nur benannte",
    noneNamed: "Hier gibt es keine benannten Versionen",
    give: ({ version }: { version: number }) => `v${version} benennen`,
    change: ({ version }: { version: number }) => `v${version} umbenennen`,
    label: ({ version }: { version: number }) => `Name von Version ${version}`,
    save: "Speichern",
    removeHint: "Ein leerer Name entfernt ihn.",
  },
});
