// The texts of error pages: what happened, then what to do. None of them tells whether something exists.
import { messages } from "./messages.ts";

export const errorTexts = messages({
  en: {
    offline: {
      title: "You're offline",
      text: "Check your internet connection, then reload. Nothing you published is affected.",
    },
    versionExpired: {
      title: "This version has expired",
      text: "Old versions are kept for as long as the owner's plan says. The latest version is at the same URL, without ?v=.",
    },
    forbidden: {
      title: "You don't have access to this page",
      text: "Your role doesn't include it. Ask an admin of the workspace for access.",
    },
    missingRole: ({ role, workspace, admins }: { role: string; workspace: string; admins: string }) =>
      `You're ${role}. Ask an admin of ${workspace}${admins && ` (${admins})`} to change your role.`,
    notFound: { title: "Page not found", text: "Check the URL, or ask the owner to share it with you." },
    tooMany: { title: "Too many requests", text: "Wait a minute, then reload." },
    unavailable: { title: "Plinth is temporarily unavailable", text: "Nothing is lost. Reload in a few seconds." },
    internal: {
      title: "Something went wrong",
      text: "Reload the page. If it happens again, contact your administrator and include this request ID.",
    },
  },
  de: {
    offline: {
      title: "Du bist offline",
      text: "Prüfe deine Internetverbindung und lade dann neu. Was du veröffentlicht hast, ist nicht betroffen.",
    },
    versionExpired: {
      title: "Diese Version ist abgelaufen",
      text: "Wie lange alte Versionen bleiben, bestimmt der Plan des Besitzers. Die neueste Version hat dieselbe URL, ohne ?v=.",
    },
    forbidden: {
      title: "Du hast keinen Zugriff auf diese Seite",
      text: "Deine Rolle umfasst sie nicht. Bitte einen Admin des Workspace um Zugriff.",
    },
    missingRole: ({ role, workspace, admins }) =>
      `Du bist ${role}. Bitte einen Admin von ${workspace}${admins && ` (${admins})`}, deine Rolle zu ändern.`,
    notFound: {
      title: "Seite nicht gefunden",
      text: "Prüfe die URL oder bitte den Besitzer, sie mit dir zu teilen.",
    },
    tooMany: { title: "Zu viele Anfragen", text: "Warte eine Minute und lade dann neu." },
    unavailable: {
      title: "Plinth ist vorübergehend nicht verfügbar",
      text: "Nichts ist verloren. Lade in ein paar Sekunden neu.",
    },
    internal: {
      title: "Etwas ist schiefgelaufen",
      text: "Lade die Seite neu. Wenn es wieder passiert, wende dich mit dieser Anfrage-ID an deine Administration.",
    },
  },
});
