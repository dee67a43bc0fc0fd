// Choosing a username and publishing the first artifact.
import { messages } from "./messages.ts";

export const firstRunTexts = messages({
  en: {
    chooseUsername: "Choose your username",
    usernameText: "Your username starts every link you publish, so pick one that's easy to say.",
    signedInAs: "Signed in as <email/>. You can change it later; old links redirect.",
    claim: "Claim username",
    username: "Username",
    available: ({ name }: { name: string }) => `${name} is available.`,
    taken: ({ name }: { name: string }) => `${name} is taken.`,
    reserved: ({ name }: { name: string }) => `${name} is reserved.`,
    form: ({ min, max }: { min: number; max: number }) =>
      `Use ${min} to ${max} lower-case letters and digits, with single hyphens between words.`,
    use: ({ name }: { name: string }) => `Use ${name}`,
    check: "Check availability",
    isLive: "It's live",
    publishFirst: "Publish your first artifact",
    isLiveText: "Publish again at the same link and it becomes version 2. Version 1 stays as it was.",
    publishFirstText: "Paste, drop or write Markdown, HTML or JSX. It gets a link under <place/>.",
    latest: "Your latest artifact",
    copyLink: "Copy link",
    open: "Open",
    goToDashboard: "Go to dashboard",
    publishAnother: "Publish another",
    letAgentPublish: "Let your agent publish",
    letAgentPublishText:
      "One command gives your agent tools to publish, read, edit and share – with only the permissions you grant. <connect>Connect an agent</connect>",
    yourAgent: "Your agent",
    commandLine: "Use the command line",
    keyShown:
      "Your key is in the commands and won't be shown again. It can read and publish, and expires in 90 days. <keys>Manage keys</keys>",
    needsKey: ({ project }: { project: string }) =>
      `You need an API key to push. We'll also create a project called “${project}”.`,
    waiting: "Waiting for your first push… this page updates automatically.",
    createKey: "Create key and show command",
    keyName: "First artifact",
    projectTitle: "Notes",
  },
  de: {
    chooseUsername: "Benutzernamen wählen",
    usernameText:
      "Dein Benutzername steht am Anfang jedes Links, den du veröffentlichst. Nimm einen, der sich leicht sagen lässt.",
    signedInAs: "Angemeldet als <email/>. Du kannst ihn später ändern; alte Links leiten weiter.",
    claim: "Benutzernamen sichern",
    username: "Benutzername",
    available: ({ name }: { name: string }) => `${name} ist verfügbar.`,
    taken: ({ name }: { name: string }) => `${name} ist vergeben.`,
    reserved: ({ name }: { name: string }) => `${name} ist reserviert.`,
    form: ({ min, max }: { min: number; max: number }) =>
      `${min} bis ${max} Kleinbuchstaben und Ziffern verwenden, mit einzelnen Bindestrichen zwischen Wörtern.`,
    use: ({ name }: { name: string }) => `${name} nehmen`,
    check: "Verfügbarkeit prüfen",
    isLive: "Es ist live",
    publishFirst: "Dein erstes Artefakt veröffentlichen",
    isLiveText:
      "Veröffentlichst du unter demselben Link noch einmal, wird daraus Version 2. Version 1 bleibt, wie sie war.",
    publishFirstText: "Markdown, HTML oder JSX einfügen, ablegen oder schreiben. Es bekommt einen Link unter <place/>.",
    latest: "Dein neuestes Artefakt",
    copyLink: "Link kopieren",
    open: "Öffnen",
    goToDashboard: "Zum Dashboard",
    publishAnother: "Noch etwas veröffentlichen",
    letAgentPublish: "Deinen Agenten veröffentlichen lassen",
    letAgentPublishText:
      "Ein Befehl gibt deinem Agenten Werkzeuge zum Veröffentlichen, Lesen, Bearbeiten und Teilen – nur mit den Berechtigungen, die du erteilst. <connect>Agenten verbinden</connect>",
    yourAgent: "Dein Agent",
    commandLine: "Die Kommandozeile verwenden",
    keyShown:
      "Dein Schlüssel steht in den Befehlen und wird nicht noch einmal gezeigt. Er kann lesen und veröffentlichen und läuft in 90 Tagen ab. <keys>Schlüssel verwalten</keys>",
    needsKey: ({ project }: { project: string }) =>
      `Zum Pushen brauchst du einen API-Schlüssel. Dabei wird auch ein Projekt „${project}“ angelegt.`,
    waiting: "Warten auf deinen ersten Push … Diese Seite aktualisiert sich selbst.",
    createKey: "Schlüssel erstellen und Befehl zeigen",
    keyName: "Erstes Artefakt",
    projectTitle: "Notizen",
  },
});
