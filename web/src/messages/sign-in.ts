// Signing in and out.
import type { SignInError } from "@plinth/contract/sign-in-errors";
import { messages } from "./messages.ts";

export const signInTexts = messages({
  en: {
    signIn: "Sign in",
    signedIn: "You are signed in",
    linkIntro: "A sign-in link works once. You won't be signed in until you click the button.",
    signedInAs: "As <email/>.",
    firstTime: "Your account is created the first time you sign in, using your verified email address.",
    purpose: "Sign in to publish, read what's shared with you, and manage your agents.",
    continue: "Continue",
    signOut: "Sign out",
    optionsUnavailable: "Sign-in options are temporarily unavailable",
    optionsUnavailableText: "Reload this page in a minute. Sign-in links still work.",
    notSetUp: "Single sign-on isn't set up yet",
    notSetUpText:
      "Sign in with a one-time link from your administrator. Administrators: run these commands to create one.",
    copyCommands: "Copy the commands",
    connectProvider: "Connect a provider instead",
    connectProviderText:
      "Set one of these groups of variables and restart Plinth. The provider sends people back to <url/>.",
    anyProvider: "Any OpenID Connect provider",
    goingTo: ({ name }: { name: string }) => `Going to ${name}…`,
    continueWith: ({ name }: { name: string }) => `Continue with ${name}`,
    needsJavaScript: "Signing in requires JavaScript in this browser.",
    providerUnreachable: ({ name }: { name: string }) => `${name} can't be reached at the moment.`,
    providerUnreachableText: "Everything else works. Try again in a minute.",
    linkSpent: "This link has expired or has already been used",
    linkSpentText:
      "A sign-in link works once, for 30 minutes. Ask your administrator for another. Administrators create one with <code>plinth operator user sign-in-link</code>.",
    linkUnchecked: "We couldn't check this link",
    linkUncheckedText: "Open the link again in a moment; it hasn't been used.",
    checking: "Checking the link…",
    linkFor: "This link signs you in as",
    willSignOut: ({ email }: { email: string }) => `You're signed in as ${email}. Continuing will sign you out.`,
    signingIn: "Signing in…",
    signInAs: ({ name }: { name: string }) => `Sign in as ${name}`,
    thisAccount: "this account",
    requestId: "Request ID:",
    signOutFailed: ({ requestId }: { requestId: string }) => `Signing out failed. Request ID: ${requestId}`,
    errors: {
      email_unverified:
        "Your identity provider has not verified your email address. Verify it there, then sign in again.",
      email_taken:
        "An account with this email address already exists and signs in another way. Use that way, or ask your administrator for a sign-in link.",
      email_invalid:
        "Your identity provider gave no email address that can be used here. It must be plain ASCII, such as ada@example.com.",
      denied: "You did not allow the sign-in at your identity provider. Nothing was changed.",
      expired: "The sign-in took too long, or was started in another browser. Start it again.",
      provider_unavailable: "Your identity provider can't be reached at the moment. Try again in a minute.",
      failed: "Sign-in failed. Try again; if it keeps failing, contact your administrator.",
    } satisfies Record<SignInError, string>,
  },
  de: {
    signIn: "Anmelden",
    signedIn: "Du bist angemeldet",
    linkIntro: "Ein Anmeldelink funktioniert einmal. Du wirst erst angemeldet, wenn du auf die Schaltfläche klickst.",
    signedInAs: "Als <email/>.",
    firstTime: "Dein Konto wird bei der ersten Anmeldung mit deiner bestätigten E-Mail-Adresse angelegt.",
    purpose: "Melde dich an, um zu veröffentlichen, mit dir Geteiltes zu lesen und deine Agenten zu verwalten.",
    continue: "Weiter",
    signOut: "Abmelden",
    optionsUnavailable: "Die Anmeldearten sind vorübergehend nicht verfügbar",
    optionsUnavailableText: "Lade diese Seite in einer Minute neu. Anmeldelinks funktionieren weiterhin.",
    notSetUp: "Single Sign-on ist noch nicht eingerichtet",
    notSetUpText:
      "Melde dich mit einem Einmallink deines Administrators an. Administratoren erstellen ihn mit diesen Befehlen.",
    copyCommands: "Befehle kopieren",
    connectProvider: "Stattdessen einen Anbieter verbinden",
    connectProviderText:
      "Setze eine dieser Gruppen von Variablen und starte Plinth neu. Der Anbieter leitet zurück zu <url/>.",
    anyProvider: "Beliebiger OpenID-Connect-Anbieter",
    goingTo: ({ name }: { name: string }) => `Weiter zu ${name} …`,
    continueWith: ({ name }: { name: string }) => `Weiter mit ${name}`,
    needsJavaScript: "Für die Anmeldung muss JavaScript in diesem Browser aktiviert sein.",
    providerUnreachable: ({ name }: { name: string }) => `${name} ist gerade nicht erreichbar.`,
    providerUnreachableText: "Alles andere funktioniert. Versuche es in einer Minute noch einmal.",
    linkSpent: "Dieser Link ist abgelaufen oder wurde schon verwendet",
    linkSpentText:
      "Ein Anmeldelink funktioniert einmal, 30 Minuten lang. Bitte deinen Administrator um einen neuen. Administratoren erstellen ihn mit <code>plinth operator user sign-in-link</code>.",
    linkUnchecked: "Der Link konnte nicht geprüft werden",
    linkUncheckedText: "Öffne den Link gleich noch einmal; er wurde nicht verwendet.",
    checking: "Link wird geprüft …",
    linkFor: "Dieser Link meldet dich an als",
    willSignOut: ({ email }: { email: string }) =>
      `Du bist als ${email} angemeldet. Wenn du fortfährst, wirst du abgemeldet.`,
    signingIn: "Anmeldung läuft …",
    signInAs: ({ name }: { name: string }) => `Als ${name} anmelden`,
    thisAccount: "dieses Konto",
    requestId: "Anfrage-ID:",
    signOutFailed: ({ requestId }: { requestId: string }) => `Abmelden fehlgeschlagen. Anfrage-ID: ${requestId}`,
    errors: {
      email_unverified:
        "Dein Identitätsanbieter hat deine E-Mail-Adresse nicht bestätigt. Bestätige sie dort und melde dich dann noch einmal an.",
      email_taken:
        "Mit dieser E-Mail-Adresse gibt es schon ein Konto, das sich anders anmeldet. Nutze diesen Weg oder bitte deinen Administrator um einen Anmeldelink.",
      email_invalid:
        "Dein Identitätsanbieter hat keine E-Mail-Adresse geliefert, die hier verwendet werden kann. Sie muss reines ASCII sein, etwa ada@example.com.",
      denied: "Du hast die Anmeldung bei deinem Identitätsanbieter nicht erlaubt. Nichts wurde geändert.",
      expired: "Die Anmeldung hat zu lange gedauert oder wurde in einem anderen Browser begonnen. Beginne sie neu.",
      provider_unavailable:
        "Dein Identitätsanbieter ist gerade nicht erreichbar. Versuche es in einer Minute noch einmal.",
      failed:
        "Die Anmeldung ist fehlgeschlagen. Versuche es noch einmal; hilft das nicht, wende dich an deinen Administrator.",
    },
  },
});
