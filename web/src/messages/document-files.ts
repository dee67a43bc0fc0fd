// Files that are published with a document, and texts that can't be published.
import { filesLimits } from "@plinth/contract/limits";
import { leftOutReasons } from "@plinth/contract/publishing/references/left-out";
import { de, en } from "./formats.ts";
import { messages } from "./messages.ts";

export const documentFilesTexts = messages({
  en: {
    countAndSize: ({ count, size }: { count: number; size: string }) =>
      `${en.plural(count, { one: "# file", other: "# files" })}, ${size}`,
    more: ({ count }: { count: number }) => `and ${en.number(count)} more`,
    uploading: ({ done, of, size, ofSize }: { done: number; of: number; size: string; ofSize: string }) =>
      `Uploading: ${en.number(done)} of ${en.plural(of, { one: "# file", other: "# files" })}, ${size} of ${ofSize}`,
    notFound: ({ count }: { count: number }) =>
      en.plural(count, { one: "# referenced file wasn't found.", other: "# referenced files weren't found." }),
    skipped: "Skipped:",
    notTaken: ({ count }: { count: number }) =>
      en.plural(count, {
        one: "# file of the folder can't be published with it:",
        other: "# files of the folder can't be published with it:",
      }),
    line: ({ line }: { line: number }) => `line ${line}`,
    lineOf: ({ file, line }: { file: string; line: number }) => `${file}, line ${line}`,
    secretInFile: "A file contains what looks like a secret.",
    publicSecretInFile: "A file contains what looks like a secret, and anyone could read it.",
    secretKind: ({ kind }: { kind: string }) => kind,
    outside: "it is outside of what you chose",
    inPackages: "it is in node_modules",
    hidden: "it is hidden",
    skippedBecause: ({ reason }: { reason: string }) => reason,
    tooLarge: ({ name, limit }: { name: string; limit: string }) =>
      `${name} is too large. Upload files up to ${limit}.`,
    noText: ({ name, limit }: { name: string; limit: string }) =>
      `${name} isn't a text file. Upload UTF-8 files up to ${limit}.`,
    notRead: ({ name }: { name: string }) => `Couldn't read ${name}.`,
    otherType: ({ name, type, own }: { name: string; type: string; own: string }) =>
      `${name} is ${type}, but this artifact is ${own}. An artifact's type can't be changed.`,
    noDocument: ({ type }: { type: string }) => `There's no ${type} document among these files.`,
    severalDocuments: ({ count, type, names }: { count: number; type: string; names: string }) =>
      `There are ${en.number(count)} ${type} documents: ${names}. Choose one, with its files.`,
    andMore: ({ names, count }: { names: string; count: number }) => `${names} and ${en.number(count)} more`,
    needsHttps: "Publishing files with a document requires https or localhost. Only the text can be published here.",
    notUploaded: ({ path, reason }: { path: string; reason: string }) => `Couldn't upload ${path}. ${reason}`,
    changedSince: "It has changed since you chose it. Choose it again.",
  },
  de: {
    countAndSize: ({ count, size }) => `${de.plural(count, { one: "# Datei", other: "# Dateien" })}, ${size}`,
    more: ({ count }) => `und ${de.number(count)} weitere`,
    uploading: ({ done, of, size, ofSize }) =>
      `Wird hochgeladen: ${de.number(done)} von ${de.plural(of, { one: "# Datei", other: "# Dateien" })}, ${size} von ${ofSize}`,
    notFound: ({ count }) =>
      de.plural(count, {
        one: "# verwendete Datei wurde nicht gefunden.",
        other: "# verwendete Dateien wurden nicht gefunden.",
      }),
    skipped: "Übersprungen:",
    notTaken: ({ count }) =>
      de.plural(count, {
        one: "# Datei des Ordners kann nicht mit veröffentlicht werden:",
        other: "# Dateien des Ordners können nicht mit veröffentlicht werden:",
      }),
    line: ({ line }) => `Zeile ${line}`,
    lineOf: ({ file, line }) => `${file}, Zeile ${line}`,
    secretInFile: "Eine Datei enthält etwas, das wie ein Geheimnis aussieht.",
    publicSecretInFile: "Eine Datei enthält etwas, das wie ein Geheimnis aussieht, und jeder könnte es lesen.",
    secretKind: ({ kind }) => germanSecrets[kind] ?? kind,
    outside: "sie liegt außerhalb der Auswahl",
    inPackages: "sie liegt in node_modules",
    hidden: "sie ist versteckt",
    skippedBecause: ({ reason }) => germanReason(reason),
    tooLarge: ({ name, limit }) => `${name} ist zu groß. Lade Dateien bis ${limit} hoch.`,
    noText: ({ name, limit }) => `${name} ist keine Textdatei. Lade UTF-8-Dateien bis ${limit} hoch.`,
    notRead: ({ name }) => `${name} konnte nicht gelesen werden.`,
    otherType: ({ name, type, own }) =>
      `${name} ist ${type}, aber dieses Artefakt ist ${own}. Der Typ eines Artefakts lässt sich nicht ändern.`,
    noDocument: ({ type }) => `Unter diesen Dateien ist kein ${type}-Dokument.`,
    severalDocuments: ({ count, type, names }) =>
      `Es gibt ${de.number(count)} ${type}-Dokumente: ${names}. Wähle eines aus, mit seinen Dateien.`,
    andMore: ({ names, count }) => `${names} und ${de.number(count)} weitere`,
    needsHttps:
      "Dateien lassen sich nur über https oder auf localhost mit einem Dokument veröffentlichen. Hier geht nur der Text.",
    notUploaded: ({ path, reason }) => `${path} konnte nicht hochgeladen werden. ${reason}`,
    changedSince: "Die Datei wurde geändert, nachdem du sie ausgewählt hast. Wähle sie noch einmal aus.",
  },
});

/** By the names of contract/publishing/secret-kinds; those that are the same in German are missing. */
const germanSecrets: Readonly<Record<string, string>> = {
  "AWS access key": "AWS-Zugriffsschlüssel",
  "AWS secret access key": "geheimer AWS-Zugriffsschlüssel",
  "GitHub token": "GitHub-Token",
  "GitLab token": "GitLab-Token",
  "Slack token": "Slack-Token",
  "Slack webhook": "Slack-Webhook",
  "Stripe live key": "Stripe-Live-Schlüssel",
  "Anthropic key": "Anthropic-Schlüssel",
  "OpenAI key": "OpenAI-Schlüssel",
  "Google key": "Google-Schlüssel",
  "npm token": "npm-Token",
  "PyPI token": "PyPI-Token",
  "Plinth token": "Plinth-Token",
  "private key": "privater Schlüssel",
  "JSON web token": "JSON-Web-Token",
  "password in a database address": "Passwort in der Adresse einer Datenbank",
  "password in an address": "Passwort in einer Adresse",
};

const { fileBytes, files, versionBytes } = filesLimits;
const megabytes = (bytes: number): string => `${de.number(bytes / 1_000_000)} MB`;

const germanReasons: Readonly<Record<keyof typeof leftOutReasons, string>> = {
  rooted: "ihr Pfad beginnt an der Wurzel einer Website",
  type: "Dateien dieses Typs werden nicht veröffentlicht",
  size: `sie ist größer als ${megabytes(fileBytes)}`,
  count: `eine Version hat höchstens ${de.number(files)} Dateien`,
  total: `die Dateien einer Version haben zusammen höchstens ${megabytes(versionBytes)}`,
  unreadable: "sie kann nicht gelesen werden",
  hidden: "sie ist versteckt",
  packages: "sie liegt in node_modules",
  folderLink: "sie führt zu einem Ordner",
  unnamed: "nichts im Dokument nennt sie",
  sameName: "eine andere Datei hat in Unicodes Normalform C denselben Pfad",
};

/** Reasons of this file are German already. */
function germanReason(reason: string): string {
  const [kind] = Object.entries(leftOutReasons).find(([, english]) => english === reason) ?? [];
  if (kind !== undefined) return germanReasons[kind as keyof typeof leftOutReasons];
  return reason.startsWith("its path ") ? "ihr Pfad ist nicht erlaubt" : reason;
}
