// The texts of signing in by a mailed link: its request on the sign-in page, and the page that the mail links to.
import { emailSignInMinutes } from "@plinth/contract/limits";

import { de, en } from "./formats.ts";
import { messages } from "./messages.ts";

export const emailSignInTexts = messages({
  en: {
    or: "or",
    email: "Email",
    request: "Email me a sign-in link",
    sentTitle: "Check your email",
    sent: `We sent a sign-in link to <email/>. It works once, for ${en.number(emailSignInMinutes)} minutes.`,
    sentHelp: "Nothing there? Look in the spam folder, or <link>use another address</link>.",
    signIn: "Sign in",
    openDashboard: "Open dashboard",
    hint: "You won't be signed in until you click the button.",
    newAccount: "This link creates an account for",
    account: "This link signs you in as",
    current: ({ email }: { email: string }) => `You're signed in as ${email}. Continuing will sign you out.`,
    spentTitle: "This link no longer works",
    spentHint: `A sign-in link works once, for ${en.number(emailSignInMinutes)} minutes.`,
    spent: "It has expired or has already been used",
    requestAnother: "Request another one.",
    signedIn: ({ email }: { email: string }) => `You're signed in as ${email}.`,
  },
  de: {
    or: "oder",
    email: "E-Mail",
    request: "Anmeldelink per E-Mail anfordern",
    sentTitle: "Sieh in deine E-Mails",
    sent: `Wir haben einen Anmeldelink an <email/> geschickt. Er gilt einmal, ${de.number(emailSignInMinutes)} Minuten lang.`,
    sentHelp: "Nichts angekommen? Sieh im Spam-Ordner nach, oder <link>nimm eine andere Adresse</link>.",
    signIn: "Anmelden",
    openDashboard: "Dashboard öffnen",
    hint: "Du wirst erst angemeldet, wenn du auf den Knopf klickst.",
    newAccount: "Dieser Link erstellt ein Konto für",
    account: "Dieser Link meldet dich an als",
    current: ({ email }) => `Du bist als ${email} angemeldet. Wenn du fortfährst, wirst du abgemeldet.`,
    spentTitle: "Dieser Link gilt nicht mehr",
    spentHint: `Ein Anmeldelink gilt einmal, ${de.number(emailSignInMinutes)} Minuten lang.`,
    spent: "Er ist abgelaufen oder wurde schon benutzt",
    requestAnother: "Fordere einen neuen an.",
    signedIn: ({ email }) => `Du bist als ${email} angemeldet.`,
  },
});
