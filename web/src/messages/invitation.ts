// Accepting an invitation to a workspace.
import { messages } from "./messages.ts";

export const invitationTexts = messages({
  en: {
    joined: ({ workspace }: { workspace: string }) => `You joined ${workspace}`,
    invited: "You're invited",
    yourRole: ({ role }: { role: string }) => `Your role is ${role}.`,
    noRole: "none",
    invitedBy: ({ role }: { role: string }) => `<who/> invited you to <workspace/> as ${role}.`,
    expires: ({ day }: { day: string }) => `The invitation works once and expires on ${day}.`,
    forOneAddress: "An invitation is for one email address and works once.",
    open: ({ workspace }: { workspace: string }) => `Open ${workspace}`,
    viewMembers: "View members",
    over: "This invitation is no longer valid",
    overText:
      "It was accepted or revoked, or it is older than 7 days. If you accepted it, the workspace is in <workspaces>your workspaces</workspaces>. Otherwise, ask for a new invitation.",
    requestId: "Request ID:",
    incomplete: "The link is incomplete",
    incompleteText: "Make sure you copied the whole URL of the invitation.",
    signInText: "Sign in with the email address that the invitation was sent to. Then you come back here.",
    signIn: "Sign in",
    signedInAs: "Signed in as",
    acceptingAs: "Accepting as",
    forAnother:
      "This invitation was sent to a different email address. Sign in with that one, or ask for a new invitation.",
    accept: "Accept invitation",
    anotherAccount: "Use another account",
    needsJavaScript: "Reading the invitation requires JavaScript in this browser.",
  },
  de: {
    joined: ({ workspace }: { workspace: string }) => `Du gehörst jetzt zu ${workspace}`,
    invited: "Du bist eingeladen",
    yourRole: ({ role }: { role: string }) => `Deine Rolle: ${role}.`,
    noRole: "keine",
    invitedBy: ({ role }: { role: string }) => `<who/> hat dich zu <workspace/> eingeladen, als ${role}.`,
    expires: ({ day }: { day: string }) => `Die Einladung funktioniert einmal und läuft am ${day} ab.`,
    forOneAddress: "Eine Einladung gilt für eine E-Mail-Adresse und funktioniert einmal.",
    open: ({ workspace }: { workspace: string }) => `${workspace} öffnen`,
    viewMembers: "Mitglieder ansehen",
    over: "Diese Einladung ist nicht mehr gültig",
    overText:
      "Sie wurde angenommen oder widerrufen oder ist älter als 7 Tage. Hast du sie angenommen, findest du den Workspace unter <workspaces>deinen Workspaces</workspaces>. Bitte sonst um eine neue Einladung.",
    requestId: "Anfrage-ID:",
    incomplete: "Der Link ist unvollständig",
    incompleteText: "Prüfe, ob du die ganze URL der Einladung kopiert hast.",
    signInText: "Melde dich mit der E-Mail-Adresse an, an die die Einladung ging. Danach kommst du hierher zurück.",
    signIn: "Anmelden",
    signedInAs: "Angemeldet als",
    acceptingAs: "Annehmen als",
    forAnother:
      "Diese Einladung ging an eine andere E-Mail-Adresse. Melde dich mit dieser an oder bitte um eine neue Einladung.",
    accept: "Einladung annehmen",
    anotherAccount: "Anderes Konto verwenden",
    needsJavaScript: "Um die Einladung zu lesen, muss JavaScript in diesem Browser aktiviert sein.",
  },
});
