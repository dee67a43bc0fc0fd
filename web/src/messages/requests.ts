// The texts of the card on which a reader answers what a document asks for (lib/frame-requests).
import { de, en } from "./numbers.ts";
import { messages } from "./messages.ts";

const characters = { one: "# character", other: "# characters" };
const zeichen = { one: "# Zeichen", other: "# Zeichen" };

export const requestsTexts = messages({
  en: {
    writeEmail: "Write an email?",
    open: ({ host }: { host: string }) => `Open ${host}?`,
    urlNote: "This document chose the URL. It may contain what you typed or see here.",
    write: "Write",
    openIt: "Open",
    save: ({ name, size }: { name: string; size: string }) => `Save ${name}, ${size}?`,
    fileNote: "This document created the file.",
    saveIt: "Save",
    copied: ({ count }: { count: number }) => `Copied ${en.plural(count, characters)}`,
    copy: ({ count }: { count: number }) => `Copy ${en.plural(count, characters)}?`,
    copyIt: "Copy",
    couldNotCopy: "Couldn't copy",
  },
  de: {
    writeEmail: "E-Mail schreiben?",
    open: ({ host }) => `${host} öffnen?`,
    urlNote: "Dieses Dokument hat die URL gewählt. Sie kann enthalten, was du hier eingegeben hast oder siehst.",
    write: "Schreiben",
    openIt: "Öffnen",
    save: ({ name, size }) => `${name} speichern (${size})?`,
    fileNote: "Dieses Dokument hat die Datei erstellt.",
    saveIt: "Speichern",
    copied: ({ count }) => `${de.plural(count, zeichen)} kopiert`,
    copy: ({ count }) => `${de.plural(count, zeichen)} kopieren?`,
    copyIt: "Kopieren",
    couldNotCopy: "Kopieren nicht möglich",
  },
});
