// Letting an app or device act for the person at the screen, and what its permissions are called.
import type { AuthorizationError, RedirectKind } from "@plinth/contract/oauth";
import type { Scope } from "@plinth/contract/scopes";
import { de, en } from "./formats.ts";
import { messages } from "./messages.ts";

export const authorizeTexts = messages({
  en: {
    title: ({ app }: { app: string }) => `Authorize ${app}?`,
    ownIntro: "This is Plinth's own command line. Allow it only if you have just run <code>plinth login</code>.",
    intro:
      "The app calls itself <app/>, and anyone can use any name. Check the URL below, and allow it only if you have just started this yourself.",
    website: "Website (unverified)",
    appName: "App name (unverified)",
    actingAs: "Acting as",
    goBackTo: ({ app }: { app: string }) => `Go back to ${app}`,
    allow: "Allow",
    deny: "Deny",
    afterwards: "You can revoke access any time under <agents>Agents</agents>.",
    failed: "Authorization failed",
    failedIntro: "No access was granted. Go back to the app and start again from there.",
    expired: "This request has expired or is invalid. Start again from the app.",
    requestId: "Request ID:",
    reasons: {
      invalid_client: "The app that sent you here is not registered with this instance.",
      invalid_redirect: "The app asked to send you to a URL that it has not registered.",
      invalid_request: "The app's request is incomplete or unsafe.",
      rate_limited: "Too many requests. Wait a minute, then start again from the app.",
    } satisfies Record<AuthorizationError, string>,
    redirects: {
      website: "Access goes to the website",
      computer: "Access goes to an app on this computer, at",
      app: "Access goes to an app on this computer, by",
    } satisfies Record<RedirectKind, string>,
    connectDevice: "Connect an app",
    deviceIntro:
      "An app on another screen shows a code of eight letters. Enter it only if you started that app yourself. Support staff never ask for it.",
    code: "Code",
    codeInvalid: "This code isn't valid. Check it for typos; codes expire after 10 minutes.",
    continue: "Continue",
    codeMustBe: "The code on its screen must be",
    goBack: "Go back to your app",
    allowedText: "It gets access within a few seconds. You can close this page.",
    denied: "Access denied",
    deniedText: "The app received nothing. You can close this page.",
    viewAgents: "View connected agents",
    canDo: "This app can",
    alreadyCan: "already allowed",
    profileOnly: "see your profile only",
    forCommandLine: "For 90 days, or until you revoke it. Never more than you can do yourself at that moment.",
    untilRevoked: "Until you revoke it. Never more than you can do yourself at that moment.",
    forTenMinutes: "For 10 minutes. Never more than you can do yourself at that moment.",
  },
  de: {
    title: ({ app }: { app: string }) => `${app} autorisieren?`,
    ownIntro:
      "Das ist die Kommandozeile von Plinth selbst. Erlaube es nur, wenn du gerade <code>plinth login</code> ausgeführt hast.",
    intro:
      "Die App nennt sich <app/>, und jeder kann jeden Namen verwenden. Prüfe die URL unten und erlaube es nur, wenn du dies gerade selbst begonnen hast.",
    website: "Website (nicht bestätigt)",
    appName: "Name der App (nicht bestätigt)",
    actingAs: "Handelt als",
    goBackTo: ({ app }: { app: string }) => `Zurück zu ${app}`,
    allow: "Erlauben",
    deny: "Ablehnen",
    afterwards: "Du kannst den Zugriff jederzeit unter <agents>Agenten</agents> widerrufen.",
    failed: "Autorisierung fehlgeschlagen",
    failedIntro: "Es wurde kein Zugriff erteilt. Gehe zurück zur App und beginne dort noch einmal.",
    expired: "Diese Anfrage ist abgelaufen oder ungültig. Beginne in der App noch einmal.",
    requestId: "Anfrage-ID:",
    reasons: {
      invalid_client: "Die App, von der du kommst, ist bei dieser Instanz nicht registriert.",
      invalid_redirect: "Die App wollte dich zu einer URL leiten, die sie nicht registriert hat.",
      invalid_request: "Die Anfrage der App ist unvollständig oder unsicher.",
      rate_limited: "Zu viele Anfragen. Warte eine Minute und beginne dann in der App noch einmal.",
    },
    redirects: {
      website: "Zugriff erhält die Website",
      computer: "Zugriff erhält eine App auf diesem Computer, unter",
      app: "Zugriff erhält eine App auf diesem Computer, über",
    },
    connectDevice: "App verbinden",
    deviceIntro:
      "Eine App auf einem anderen Bildschirm zeigt einen Code aus acht Buchstaben. Gib ihn nur ein, wenn du diese App selbst gestartet hast. Kein Support fragt danach.",
    code: "Code",
    codeInvalid: "Dieser Code ist nicht gültig. Prüfe ihn auf Tippfehler; Codes laufen nach 10 Minuten ab.",
    continue: "Weiter",
    codeMustBe: "Der Code auf dem Bildschirm der App muss lauten",
    goBack: "Zurück zu deiner App",
    allowedText: "Sie erhält in wenigen Sekunden Zugriff. Du kannst diese Seite schließen.",
    denied: "Zugriff abgelehnt",
    deniedText: "Die App hat nichts erhalten. Du kannst diese Seite schließen.",
    viewAgents: "Verbundene Agenten ansehen",
    canDo: "Diese App kann",
    alreadyCan: "schon erlaubt",
    profileOnly: "nur dein Profil sehen",
    forCommandLine: "90 Tage lang oder bis du es widerrufst. Nie mehr, als du im selben Moment selbst darfst.",
    untilRevoked: "Bis du es widerrufst. Nie mehr, als du im selben Moment selbst darfst.",
    forTenMinutes: "10 Minuten lang. Nie mehr, als du im selben Moment selbst darfst.",
  },
});

export const scopeTexts = messages({
  en: {
    /** As the end of "This app can …". */
    scopes: {
      "artifacts:read": "read every artifact you can see, private ones too",
      "artifacts:create": "publish new artifacts and create projects",
      "artifacts:update": "publish new versions, restore old ones and change titles",
      "artifacts:delete": "delete artifacts and restore them",
      "artifacts:share": "create and revoke share links",
      "artifacts:access:read": "see who has access, and the history of it",
      "artifacts:access:write": "change who has access, including making an artifact public",
      "agents:manage": "create and revoke tokens for agents, and manage workspaces and keys for you",
    } satisfies Record<Scope, string>,
    presets: {
      publish: { label: "Publish", hint: "Read, publish and update. Enough for an agent or a CI job." },
      read: { label: "Read only", hint: "Read what you can see, and change nothing." },
      all: { label: "Full access to artifacts", hint: "Also delete, share and change access." },
      custom: { label: "Custom", hint: "Select individual scopes." },
    },
    everything: "Everything",
    count: ({ count }: { count: number }) => en.plural(count, { one: "# scope", other: "# scopes" }),
  },
  de: {
    scopes: {
      "artifacts:read": "jedes Artefakt lesen, das du sehen kannst, auch private",
      "artifacts:create": "neue Artefakte veröffentlichen und Projekte anlegen",
      "artifacts:update": "neue Versionen veröffentlichen, alte wiederherstellen und Titel ändern",
      "artifacts:delete": "Artefakte löschen und wiederherstellen",
      "artifacts:share": "Freigabelinks erstellen und widerrufen",
      "artifacts:access:read": "sehen, wer Zugriff hat und wie sich das geändert hat",
      "artifacts:access:write": "ändern, wer Zugriff hat, auch Artefakte öffentlich machen",
      "agents:manage": "Tokens für Agenten erstellen und widerrufen sowie Workspaces und Schlüssel für dich verwalten",
    },
    presets: {
      publish: {
        label: "Veröffentlichen",
        hint: "Lesen, veröffentlichen und aktualisieren. Genug für einen Agenten oder einen CI-Job.",
      },
      read: { label: "Nur lesen", hint: "Lesen, was du sehen kannst, und nichts ändern." },
      all: { label: "Voller Zugriff auf Artefakte", hint: "Auch löschen, teilen und den Zugriff ändern." },
      custom: { label: "Eigene Auswahl", hint: "Einzelne Scopes auswählen." },
    },
    everything: "Alles",
    count: ({ count }: { count: number }) => de.plural(count, { one: "# Scope", other: "# Scopes" }),
  },
});
