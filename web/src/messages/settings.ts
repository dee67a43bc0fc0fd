// The settings of a person: their sections, account, appearance, sessions and trash.
import { messages } from "./messages.ts";
import { de, en } from "./formats.ts";

export const settingsTexts = messages({
  en: {
    settings: "Settings",
    signedInAs: ({ email }: { email: string }) => `Signed in as ${email}`,
    account: "Account",
    accountText: "Your username, your name and your email address.",
    appearance: "Appearance",
    appearanceText: "Theme, language and keyboard shortcuts in this browser.",
    sessions: "Sessions",
    sessionsText: "The browsers you're signed in with.",
    keys: "API keys",
    keysText: "For CI jobs, scripts and the command line.",
    connect: "Connect",
    connectText: "Claude Code, Codex, Cursor, VS Code, Claude: one line each.",
    agents: "Agents",
    agentsText: "Agents, CLI sessions and connected apps.",
    workspaces: "Workspaces",
    workspacesText: "Your workspaces, their members and invitations.",
    billing: "Billing",
    billingText: "Plan, seats, usage and invoices.",
    trash: "Trash",
    trashText: "Artifacts deleted in the last 30 days, to restore.",
    actions: "Actions",
  },
  de: {
    settings: "Einstellungen",
    signedInAs: ({ email }) => `Angemeldet als ${email}`,
    account: "Konto",
    accountText: "Dein Benutzername, dein Name und deine E-Mail-Adresse.",
    appearance: "Darstellung",
    appearanceText: "Farbschema, Sprache und Tastenkürzel in diesem Browser.",
    sessions: "Sitzungen",
    sessionsText: "Die Browser, in denen du angemeldet bist.",
    keys: "API-Schlüssel",
    keysText: "Für CI-Jobs, Skripte und die Kommandozeile.",
    connect: "Verbinden",
    connectText: "Claude Code, Codex, Cursor, VS Code, Claude: je eine Zeile.",
    agents: "Agenten",
    agentsText: "Agenten, CLI-Sitzungen und verbundene Apps.",
    workspaces: "Workspaces",
    workspacesText: "Deine Workspaces, ihre Mitglieder und Einladungen.",
    billing: "Abrechnung",
    billingText: "Plan, Plätze, Nutzung und Rechnungen.",
    trash: "Papierkorb",
    trashText: "In den letzten 30 Tagen gelöschte Artefakte, zum Wiederherstellen.",
    actions: "Aktionen",
  },
});

export const accountTexts = messages({
  en: {
    account: "Account",
    email: "Email",
    verified: "verified",
    notVerified: "not verified",
    plan: "Plan",
    emailFrom: "Your email comes from your sign-in provider.",
    username: "Username",
    noUsername: "No username yet.",
    chooseUsername: "Choose a username",
    usernameText:
      "Your URLs start with it. After a change, old URLs redirect to the new ones, and no other account can use the old name.",
    changeUsername: "Change username",
    usernameChanged: "Username changed. Your page is at <page/> now.",
    name: "Name",
    nameText: "Shown beside your username to people you work with.",
    saveName: "Save name",
    saved: "Saved.",
  },
  de: {
    account: "Konto",
    email: "E-Mail",
    verified: "bestätigt",
    notVerified: "nicht bestätigt",
    plan: "Plan",
    emailFrom: "Deine E-Mail-Adresse kommt von deinem Anmeldeanbieter.",
    username: "Benutzername",
    noUsername: "Noch kein Benutzername.",
    chooseUsername: "Benutzernamen wählen",
    usernameText:
      "Deine URLs beginnen damit. Nach einer Änderung leiten alte URLs zu den neuen weiter, und kein anderes Konto kann den alten Namen verwenden.",
    changeUsername: "Benutzernamen ändern",
    usernameChanged: "Benutzername geändert. Deine Seite ist jetzt unter <page/>.",
    name: "Name",
    nameText: "Steht neben deinem Benutzernamen, für alle, mit denen du arbeitest.",
    saveName: "Namen speichern",
    saved: "Gespeichert.",
  },
});

export const appearanceTexts = messages({
  en: {
    appearance: "Appearance",
    pageTitle: "Appearance · Settings",
    onlyHere: "Saved in this browser only.",
    needsJavaScript:
      "Changing these settings requires JavaScript. Without it, pages follow your system and have no keyboard shortcuts.",
    theme: "Theme",
    system: "System",
    systemHint: "Light or dark, as on this device.",
    light: "Light",
    dark: "Dark",
    shortcuts: "Keyboard shortcuts",
    singleKey: "Single-key shortcuts",
    singleKeyText:
      "<key>?</key> lists the shortcuts of a page. Turn them off if you use speech input or press keys by accident. Search keeps its shortcut.",
    motion: "Motion",
    motionText: "Respects your system's reduced-motion setting.",
    notKept: "This browser doesn't store settings for this site, so your choice lasts until you leave the page.",
  },
  de: {
    appearance: "Darstellung",
    pageTitle: "Darstellung · Einstellungen",
    onlyHere: "Wird nur in diesem Browser gespeichert.",
    needsJavaScript:
      "Diese Einstellungen lassen sich nur mit JavaScript ändern. Ohne JavaScript folgen Seiten deinem System und haben keine Tastenkürzel.",
    theme: "Farbschema",
    system: "System",
    systemHint: "Hell oder dunkel wie auf diesem Gerät.",
    light: "Hell",
    dark: "Dunkel",
    shortcuts: "Tastenkürzel",
    singleKey: "Kürzel mit einer Taste",
    singleKeyText:
      "<key>?</key> zeigt die Kürzel einer Seite. Schalte sie aus, wenn du Spracheingabe verwendest oder Tasten aus Versehen drückst. Die Suche behält ihr Kürzel.",
    motion: "Bewegung",
    motionText: "Folgt der Systemeinstellung für weniger Bewegung.",
    notKept:
      "Dieser Browser speichert für diese Website keine Einstellungen. Deine Wahl gilt, bis du die Seite verlässt.",
  },
});

export const sessionTexts = messages({
  en: {
    sessions: "Sessions",
    intro:
      "The browsers you're signed in with. Don't recognize a session? Sign it out and check your identity provider.",
    signedOut: "Signed out. That browser has to sign in again.",
    caption: "Your browser sessions",
    browser: "Browser",
    lastUsed: "Last used",
    expires: "Expires",
    thisOne: "This one",
    signedIn: "signed in <time/>",
    notUsed: "Not used yet",
    signOut: "Sign out",
    question: "That browser has to sign in again.",
    unknownBrowser: "Unknown browser",
    on: ({ browser, system }: { browser: string; system: string }) => `${browser} on ${system}`,
  },
  de: {
    sessions: "Sitzungen",
    intro:
      "Die Browser, in denen du angemeldet bist. Eine Sitzung kommt dir unbekannt vor? Melde sie ab und prüfe deinen Identitätsanbieter.",
    signedOut: "Abgemeldet. Dieser Browser muss sich neu anmelden.",
    caption: "Deine Browser-Sitzungen",
    browser: "Browser",
    lastUsed: "Zuletzt verwendet",
    expires: "Läuft ab",
    thisOne: "Diese hier",
    signedIn: "angemeldet <time/>",
    notUsed: "Noch nicht verwendet",
    signOut: "Abmelden",
    question: "Dieser Browser muss sich neu anmelden.",
    unknownBrowser: "Unbekannter Browser",
    on: ({ browser, system }) => `${browser} auf ${system}`,
  },
});

export const trashTexts = messages({
  en: {
    trash: "Trash",
    intro: ({ days }: { days: number }) =>
      `You can restore a deleted artifact, with all its versions and share links, for ${en.plural(days, { one: "# day", other: "# days" })}.`,
    restored: "Restored <title/> at <path/>.",
    restoredWithLinks: ({ count }: { count: number }) =>
      `Restored <title/> at <path/>. ${en.plural(count, { one: "Its share link works", other: "Its # share links work" })} again.`,
    deleted: "Deleted. You can restore it here.",
    caption: "Deleted artifacts",
    artifact: "Artifact",
    type: "Type",
    restore: "Restore",
    restoreOne: ({ title }: { title: string }) => `Restore ${title}`,
    empty: "Trash is empty.",
  },
  de: {
    trash: "Papierkorb",
    intro: ({ days }) =>
      `Ein gelöschtes Artefakt lässt sich ${de.plural(days, { one: "# Tag", other: "# Tage" })} lang mit allen Versionen und Freigabelinks wiederherstellen.`,
    restored: "<title/> wiederhergestellt unter <path/>.",
    restoredWithLinks: ({ count }) =>
      `<title/> wiederhergestellt unter <path/>. ${de.plural(count, { one: "Der Freigabelink funktioniert", other: "Die # Freigabelinks funktionieren" })} wieder.`,
    deleted: "Gelöscht. Du kannst es hier wiederherstellen.",
    caption: "Gelöschte Artefakte",
    artifact: "Artefakt",
    type: "Typ",
    restore: "Wiederherstellen",
    restoreOne: ({ title }) => `${title} wiederherstellen`,
    empty: "Der Papierkorb ist leer.",
  },
});
