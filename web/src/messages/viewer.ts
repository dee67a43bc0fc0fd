// The texts of the artifact page's script (src/viewer). No others, because the script stays small.
import { de, en } from "./formats.ts";
import { messages } from "./messages.ts";

export const viewerTexts = messages({
  en: {
    newVersion: ({ version }: { version: number }) => `New version available (v${version})`,
    versionOf: ({ version, latest }: { version: number; latest: number }) =>
      `v${version}, version ${version} of ${latest}`,
    readingOld: ({ version, latest }: { version: number; latest: number }) =>
      `You're viewing version ${version}. The latest is version ${latest}.`,
    andMore: ({ count }: { count: number }) => `And ${en.number(count)} more.`,
    errors: ({ count }: { count: number }) => en.plural(count, { one: "# error", other: "# errors" }),
    blocked: ({ count }: { count: number }) => `${en.number(count)} blocked`,
    requestsBlocked: ({ count }: { count: number }) =>
      en.plural(count, { one: "# request was blocked", other: "# requests were blocked" }),
    scriptErrors: ({ count }: { count: number }) =>
      en.plural(count, { one: "# error in its script", other: "# errors in its script" }),
    inComponent: ({ component }: { component: string }) => `in ${component}`,
    line: ({ line }: { line: number }) => `line ${line}`,
    lineAndColumn: ({ line, column }: { line: number; column: number }) => `line ${line}, column ${column}`,
    failing: { what: "Errors", why: "The document failed in the frame. Its author can fix it." },
    network: {
      what: "Network requests",
      why: "A document can't talk to other sites, so it can't send away what you read or type here.",
    },
    workers: { what: "Workers from other sites", why: "A document can only run its own workers." },
    forms: { what: "Form submission", why: "Forms can't be sent anywhere. Forms that a script handles work." },
    frames: { what: "Embedded pages", why: "A document can't embed other pages." },
    plugins: { what: "Plug-ins", why: "A document can't embed plug-in content." },
    base: { what: "Base URL", why: "A document can't change where its links start from." },
    media: { what: "Audio and video from other sites", why: "They must be part of the document, as data: URLs." },
    navigation: {
      what: "Navigation",
      why: "The document tried to navigate to another page. It stays in its frame.",
    },
    features: {
      what: "Features of the device",
      why: "A document can't use your device or what you keep on it: anyone may have written it.",
    },
    other: { what: "Something else", why: "The document's sandbox doesn't allow it." },
    scripts: "Scripts",
    stylesheets: "Stylesheets",
    images: "Images",
    fonts: "Fonts",
    ofThisKind: ({ things }: { things: string }) => `${things} of this kind`,
    ofThisKindWhy: "The document's sandbox doesn't run or load them.",
    fromOthers: ({ things }: { things: string }) => `${things} from other sites`,
    htmlWhy:
      "Documents load packages kept by this instance, and otherwise only what its operator lists in HTML_CDN_ALLOWLIST.",
    jsxWhy: "Documents of this type load only the libraries included with this instance.",
    mdWhy: "Documents of this type load nothing from other sites.",
    lost: {
      title: "You no longer have access to this page",
      text: "Ask the person who shared it with you to share it again.",
    },
    deleted: { title: "This page was deleted", text: "Its owner can restore it for 30 days." },
    expiresAnyMoment: "Expires any moment",
    expires: ({ left }: { left: string }) => `Expires ${left}`,
    versionExpiresAnyMoment: ({ version }: { version: number }) => `Version ${version} expires any moment.`,
    versionExpires: ({ version, left }: { version: number; left: string }) => `Version ${version} expires ${left}.`,
    versionsExpire: ({ count, days, first }: { count: number; days: number; first: string }) =>
      `${en.plural(count, { one: "# version expires", other: "# versions expire" })} within ${days} days: ${first}`,
  },
  de: {
    newVersion: ({ version }) => `Neue Version verfügbar (v${version})`,
    versionOf: ({ version, latest }) => `v${version}, Version ${version} von ${latest}`,
    readingOld: ({ version, latest }) => `Du siehst Version ${version}. Die neueste ist Version ${latest}.`,
    andMore: ({ count }) => `Und ${de.number(count)} weitere.`,
    errors: ({ count }) => de.plural(count, { one: "# Fehler", other: "# Fehler" }),
    blocked: ({ count }) => `${de.number(count)} blockiert`,
    requestsBlocked: ({ count }) =>
      de.plural(count, { one: "# Anfrage wurde blockiert", other: "# Anfragen wurden blockiert" }),
    scriptErrors: ({ count }) => de.plural(count, { one: "# Fehler im Skript", other: "# Fehler im Skript" }),
    inComponent: ({ component }) => `in ${component}`,
    line: ({ line }) => `Zeile ${line}`,
    lineAndColumn: ({ line, column }) => `Zeile ${line}, Spalte ${column}`,
    failing: {
      what: "Fehler",
      why: "Das Dokument ist im Rahmen gescheitert. Wer es geschrieben hat, kann es beheben.",
    },
    network: {
      what: "Netzwerkanfragen",
      why: "Ein Dokument kann nicht mit anderen Seiten sprechen. Was du hier liest oder eingibst, bleibt hier.",
    },
    workers: { what: "Worker von anderen Seiten", why: "Ein Dokument kann nur eigene Worker ausführen." },
    forms: {
      what: "Absenden eines Formulars",
      why: "Formulare können nirgendwohin gesendet werden. Formulare, die ein Skript auswertet, funktionieren.",
    },
    frames: { what: "Eingebettete Seiten", why: "Ein Dokument kann keine anderen Seiten einbetten." },
    plugins: { what: "Plug-ins", why: "Ein Dokument kann keine Plug-ins einbetten." },
    base: { what: "Basis-URL", why: "Ein Dokument kann nicht ändern, wovon seine Links ausgehen." },
    media: { what: "Audio und Video von anderen Seiten", why: "Sie müssen als data:-URLs Teil des Dokuments sein." },
    navigation: {
      what: "Navigation",
      why: "Das Dokument wollte eine andere Seite öffnen. Es bleibt in seinem Rahmen.",
    },
    features: {
      what: "Funktionen des Geräts",
      why: "Ein Dokument kann dein Gerät und was du darauf aufbewahrst nicht nutzen: Jeder kann es geschrieben haben.",
    },
    other: { what: "Etwas anderes", why: "Die Sandbox des Dokuments erlaubt es nicht." },
    scripts: "Skripte",
    stylesheets: "Stylesheets",
    images: "Bilder",
    fonts: "Schriften",
    ofThisKind: ({ things }) => `${things} dieser Art`,
    ofThisKindWhy: "Die Sandbox des Dokuments führt sie nicht aus und lädt sie nicht.",
    fromOthers: ({ things }) => `${things} von anderen Seiten`,
    htmlWhy:
      "Dokumente laden Pakete, die diese Instanz aufbewahrt, und sonst nur, was ihr Betreiber in HTML_CDN_ALLOWLIST nennt.",
    jsxWhy: "Dokumente dieses Typs laden nur die Bibliotheken, die zu dieser Instanz gehören.",
    mdWhy: "Dokumente dieses Typs laden nichts von anderen Seiten.",
    lost: {
      title: "Du hast keinen Zugriff mehr auf diese Seite",
      text: "Bitte die Person, die sie mit dir geteilt hat, sie noch einmal zu teilen.",
    },
    deleted: {
      title: "Diese Seite wurde gelöscht",
      text: "Sie kann 30 Tage lang von ihrem Besitzer wiederhergestellt werden.",
    },
    expiresAnyMoment: "Läuft jeden Moment ab",
    expires: ({ left }) => `Läuft ${left} ab`,
    versionExpiresAnyMoment: ({ version }) => `Version ${version} läuft jeden Moment ab.`,
    versionExpires: ({ version, left }) => `Version ${version} läuft ${left} ab.`,
    versionsExpire: ({ count, days, first }) =>
      `${de.plural(count, { one: "# Version läuft", other: "# Versionen laufen" })} in den nächsten ${days} Tagen ab: ${first}`,
  },
});
