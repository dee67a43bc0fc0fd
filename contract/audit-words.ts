// The words of each kind of audit event, in each language: its name in a list of kinds, and the part of a sentence that
// follows the actor. The words that several kinds have in common are in audit-english.ts and audit-german.ts.
import * as english from "./audit-english.ts";
import { numberOf, textOf } from "./audit-fields.ts";
import * as german from "./audit-german.ts";
import type { AuditKind } from "./audit-kinds.ts";
import { isOneself, strong, type Phrase, type PhraseContext } from "./audit-phrase.ts";

export type AuditLanguage = "en" | "de";

interface KindWords {
  readonly name: string;
  readonly phrase: (context: PhraseContext) => Phrase;
}

export const auditWords: Readonly<Record<AuditKind, Readonly<Record<AuditLanguage, KindWords>>>> = {
  "artifact.created": {
    en: {
      name: "Artifact published",
      phrase: ({ after, it }) => ["published ", it, english.firstAccess(after["access"])],
    },
    de: {
      name: "Artefakt veröffentlicht",
      phrase: ({ after, it }) => german.has([it, german.firstAccess(after["access"]), " veröffentlicht"]),
    },
  },
  "artifact.updated": {
    en: {
      name: "New version or details",
      phrase: ({ after, it, ofIt }) => {
        const version = numberOf(after["latestVersion"]);
        return version === null ? english.fieldChanges(after, it) : [`published version ${version}`, ...ofIt];
      },
    },
    de: {
      name: "Neue Version oder Angaben",
      phrase: ({ after, it, ofIt }) => {
        const version = numberOf(after["latestVersion"]);
        return version === null
          ? german.fieldChanges(after, it, "")
          : german.has([`Version ${version}`, ...ofIt, " veröffentlicht"]);
      },
    },
  },
  "artifact.restored": {
    en: {
      name: "Version restored",
      phrase: ({ after, ofIt }) => {
        const [from, version] = [numberOf(after["restoredFrom"]), numberOf(after["latestVersion"])];
        if (from === null || version === null) return ["restored an earlier version", ...ofIt];
        return [`restored version ${from}`, ...ofIt, ` as version ${version}`];
      },
    },
    de: {
      name: "Version wiederhergestellt",
      phrase: ({ after, ofIt }) => {
        const [from, version] = [numberOf(after["restoredFrom"]), numberOf(after["latestVersion"])];
        if (from === null || version === null)
          return german.has(["eine frühere Version", ...ofIt, " wiederhergestellt"]);
        return german.has([`Version ${from}`, ...ofIt, ` als Version ${version} wiederhergestellt`]);
      },
    },
  },
  "artifact.deleted": {
    en: { name: "Artifact deleted", phrase: ({ it }) => ["deleted ", it] },
    de: { name: "Artefakt gelöscht", phrase: ({ it }) => german.has([it, " gelöscht"]) },
  },
  "artifact.undeleted": {
    en: { name: "Restored from Trash", phrase: ({ it }) => ["restored ", it, " from Trash"] },
    de: { name: "Wiederhergestellt", phrase: ({ it }) => german.has([it, " aus dem Papierkorb wiederhergestellt"]) },
  },
  "artifact.purged": {
    en: {
      name: "Permanently deleted",
      phrase: ({ before, it }) => {
        const title = textOf(before["title"]);
        return ["permanently deleted ", title === null ? it : strong(title)];
      },
    },
    de: {
      name: "Endgültig gelöscht",
      phrase: ({ before, it }) => {
        const title = textOf(before["title"]);
        return german.has([title === null ? it : strong(title), " endgültig gelöscht"]);
      },
    },
  },
  "version.pruned": {
    en: {
      name: "Version expired",
      phrase: ({ before, ofIt }) => {
        const [first, last] = [numberOf(before["versionNumber"]), numberOf(before["throughVersion"])];
        const some = last === null ? `version ${first}` : `versions ${first} to ${last}`;
        const what = first === null ? "an old version" : some;
        return [`removed the content of ${what}`, ...ofIt, ", past the plan's retention"];
      },
    },
    de: {
      name: "Version abgelaufen",
      phrase: ({ before, ofIt }) => {
        const [first, last] = [numberOf(before["versionNumber"]), numberOf(before["throughVersion"])];
        const which = first !== null && last !== null ? `der Versionen ${first} bis ${last}` : german.versionOf(first);
        return german.has([`den Inhalt ${which}`, ...ofIt, " nach Ablauf der Aufbewahrungsfrist des Plans entfernt"]);
      },
    },
  },
  "version.packages_retried": {
    en: {
      name: "Packages retried",
      phrase: ({ after, ofIt }) => {
        const version = numberOf(after["versionNumber"]);
        return [`retried the packages of ${version === null ? "a version" : `version ${version}`}`, ...ofIt];
      },
    },
    de: {
      name: "Pakete neu angefordert",
      phrase: ({ after, ofIt }) =>
        german.has([
          `die Pakete ${german.versionOf(numberOf(after["versionNumber"]))}`,
          ...ofIt,
          " noch einmal angefordert",
        ]),
    },
  },
  "version.renamed": {
    en: {
      name: "Version named",
      phrase: ({ after, ofIt }) => {
        const [version, name] = [numberOf(after["versionNumber"]), textOf(after["name"])];
        const which = version === null ? "a version" : `version ${version}`;
        return name === null
          ? [`removed the name of ${which}`, ...ofIt]
          : [`named ${which}`, ...ofIt, " ", strong(name)];
      },
    },
    de: {
      name: "Version benannt",
      phrase: ({ after, ofIt }) => {
        const [version, name] = [numberOf(after["versionNumber"]), textOf(after["name"])];
        if (name === null) return german.has([`den Namen ${german.versionOf(version)}`, ...ofIt, " entfernt"]);
        return german.has([
          version === null ? "eine Version" : `Version ${version}`,
          ...ofIt,
          " ",
          strong(name),
          " genannt",
        ]);
      },
    },
  },
  "access.updated": {
    en: { name: "Access changed", phrase: ({ before, after, it }) => english.accessChange(before, after, it) },
    de: { name: "Zugriff geändert", phrase: ({ before, after, it }) => german.accessChange(before, after, it) },
  },
  "share_link.created": {
    en: {
      name: "Share link created",
      phrase: ({ after, ofIt }) => [
        "created ",
        ...english.shareLink(after),
        ...(ofIt.length === 0 ? [] : [" to ", ...ofIt.slice(1)]),
        ...english.until(after["expiresAt"]),
      ],
    },
    de: {
      name: "Freigabelink erstellt",
      phrase: ({ after, ofIt, it }) =>
        german.has([
          ...german.shareLink(after),
          ...(ofIt.length === 0 ? [] : [" zu ", it]),
          ...german.until(after["expiresAt"]),
          " erstellt",
        ]),
    },
  },
  "share_link.revoked": {
    en: {
      name: "Share link revoked",
      phrase: ({ before, ofIt }) => ["revoked ", ...english.shareLink(before), ...ofIt],
    },
    de: {
      name: "Freigabelink widerrufen",
      phrase: ({ before, ofIt }) => german.has([...german.shareLink(before), ...ofIt, " widerrufen"]),
    },
  },
  "share_link.used": {
    en: {
      name: "Share link used",
      phrase: ({ after, it }) => {
        const uses = numberOf(after["uses"]);
        return ["opened ", it, uses === null || uses === "1" ? "" : ` ${uses} times`];
      },
    },
    de: {
      name: "Freigabelink verwendet",
      phrase: ({ after, it }) => {
        const uses = numberOf(after["uses"]);
        return german.has([it, uses === null || uses === "1" ? "" : ` ${uses}-mal`, " geöffnet"]);
      },
    },
  },
  "project.created": {
    en: { name: "Project created", phrase: ({ after }) => ["created ", ...english.the("project", after["title"])] },
    de: {
      name: "Projekt erstellt",
      phrase: ({ after }) => german.has([...german.the("das", "Projekt", after["title"]), " erstellt"]),
    },
  },
  "project.updated": {
    en: { name: "Project changed", phrase: ({ after }) => english.fieldChanges(after, "the project") },
    de: { name: "Projekt geändert", phrase: ({ after }) => german.fieldChanges(after, "das Projekt", " des Projekts") },
  },
  "project.deleted": {
    en: { name: "Project deleted", phrase: ({ before }) => ["deleted ", ...english.the("project", before["title"])] },
    de: {
      name: "Projekt gelöscht",
      phrase: ({ before }) => german.has([...german.the("das", "Projekt", before["title"]), " gelöscht"]),
    },
  },
  "workspace.created": {
    en: {
      name: "Workspace created",
      phrase: ({ after }) => [
        "created ",
        ...english.the(textOf(after["kind"]) === "team" ? "team" : "workspace", after["slug"]),
      ],
    },
    de: {
      name: "Workspace erstellt",
      phrase: ({ after }) =>
        german.has([
          ...(textOf(after["kind"]) === "team"
            ? german.the("das", "Team", after["slug"])
            : german.the("den", "Workspace", after["slug"])),
          " erstellt",
        ]),
    },
  },
  "workspace.updated": {
    en: { name: "Workspace changed", phrase: ({ after }) => english.fieldChanges(after, "the workspace") },
    de: {
      name: "Workspace geändert",
      phrase: ({ after }) => german.fieldChanges(after, "den Workspace", " des Workspace"),
    },
  },
  "member.added": {
    en: {
      name: "Member added",
      phrase: ({ after, event }) =>
        isOneself(event)
          ? [`joined as ${english.roleOf(after)}`]
          : ["added ", english.someone(after["username"]), ` as ${english.roleOf(after)}`],
    },
    de: {
      name: "Mitglied hinzugefügt",
      phrase: ({ after, event }) =>
        isOneself(event)
          ? [`ist als ${german.roleOf(after)} beigetreten`]
          : german.has([german.someone(after["username"]), ` als ${german.roleOf(after)} hinzugefügt`]),
    },
  },
  "member.role_changed": {
    en: {
      name: "Role changed",
      phrase: ({ after, event }) => {
        const role = english.roleOf(after);
        return isOneself(event) ? [`became ${role}`] : ["made ", english.someone(after["username"]), ` ${role}`];
      },
    },
    de: {
      name: "Rolle geändert",
      phrase: ({ after, event }) =>
        isOneself(event)
          ? [`ist jetzt ${german.roleOf(after)}`]
          : german.has(["die Rolle von ", german.someone(after["username"]), ` in ${german.roleOf(after)} geändert`]),
    },
  },
  "member.removed": {
    en: {
      name: "Member removed",
      phrase: ({ before, event }) => (isOneself(event) ? ["left"] : ["removed ", english.someone(before["username"])]),
    },
    de: {
      name: "Mitglied entfernt",
      phrase: ({ before, event }) =>
        isOneself(event) ? ["ist ausgetreten"] : german.has([german.someone(before["username"]), " entfernt"]),
    },
  },
  "invitation.created": {
    en: {
      name: "Invitation sent",
      phrase: ({ after }) => ["invited ", english.someone(after["email"]), ` as ${english.roleOf(after)}`],
    },
    de: {
      name: "Einladung gesendet",
      phrase: ({ after }) => german.has([german.someone(after["email"]), ` als ${german.roleOf(after)} eingeladen`]),
    },
  },
  "invitation.accepted": {
    en: {
      name: "Invitation accepted",
      phrase: ({ after }) => ["accepted the invitation", ` as ${english.roleOf(after)}`],
    },
    de: {
      name: "Einladung angenommen",
      phrase: ({ after }) => german.has([`die Einladung als ${german.roleOf(after)} angenommen`]),
    },
  },
  "invitation.revoked": {
    en: {
      name: "Invitation revoked",
      phrase: ({ before }) => ["withdrew the invitation of ", english.someone(before["email"])],
    },
    de: {
      name: "Einladung widerrufen",
      phrase: ({ before }) => german.has(["die Einladung an ", german.someone(before["email"]), " zurückgezogen"]),
    },
  },
  "api_key.created": {
    en: {
      name: "API key created",
      phrase: ({ after }) => ["created ", ...english.the("key", after["name"]), ...english.until(after["expiresAt"])],
    },
    de: {
      name: "API-Schlüssel erstellt",
      phrase: ({ after }) =>
        german.has([
          ...german.the("den", "Schlüssel", after["name"]),
          ...german.until(after["expiresAt"]),
          " erstellt",
        ]),
    },
  },
  "api_key.revoked": {
    en: {
      name: "API key revoked",
      phrase: ({ before, after }) => [
        textOf(after["replacedBy"]) === null ? "revoked " : "replaced ",
        ...english.the("key", before["name"]),
      ],
    },
    de: {
      name: "API-Schlüssel widerrufen",
      phrase: ({ before, after }) =>
        german.has([
          ...german.the("den", "Schlüssel", before["name"]),
          textOf(after["replacedBy"]) === null ? " widerrufen" : " ersetzt",
        ]),
    },
  },
  "agent.created": {
    en: {
      name: "Agent connected",
      phrase: ({ before, after }) =>
        "scopes" in before
          ? ["gave ", ...english.the("connected app", after["name"]), " more permissions"]
          : [
              ...(textOf(after["kind"]) === "oauth"
                ? ["connected ", ...english.the("app", after["name"])]
                : ["created ", ...english.agent(after)]),
              ...english.trusted(after),
              ...english.until(after["expiresAt"]),
            ],
    },
    de: {
      name: "Agent verbunden",
      phrase: ({ before, after }) => {
        if ("scopes" in before)
          return ["hat für ", ...german.the("die", "verbundene App", after["name"]), " mehr Berechtigungen erlaubt"];
        if (textOf(after["kind"]) === "oauth")
          return german.has([...german.the("die", "App", after["name"]), " verbunden"]);
        return german.has([
          ...german.agent(after),
          " erstellt",
          ...german.until(after["expiresAt"]),
          ...german.trusted(after),
        ]);
      },
    },
  },
  "agent.exchanged": {
    en: {
      name: "ID token exchanged",
      phrase: ({ after }) => {
        const subject = textOf(after["subject"]);
        return ["exchanged an ID token", ...(subject === null ? [] : [" of ", strong(subject)])];
      },
    },
    de: {
      name: "ID-Token eingetauscht",
      phrase: ({ after }) => {
        const subject = textOf(after["subject"]);
        return german.has(["ein ID-Token", ...(subject === null ? [] : [" von ", strong(subject)]), " eingetauscht"]);
      },
    },
  },
  "agent.reuse_detected": {
    en: {
      name: "Token reuse detected",
      phrase: ({ before, after }) => {
        if (textOf(after["reused"]) === "id_token") {
          const subject = textOf(after["subject"]);
          const token: Phrase = ["an ID token", ...(subject === null ? [] : [" of ", strong(subject)])];
          return ["refused ", ...token, " for ", ...english.agent(before), " because it was used again"];
        }
        const reused =
          textOf(after["reused"]) === "authorization_code" ? "an authorization code" : "an old refresh token";
        return ["ended the access of ", ...english.agent(before), ` because ${reused} was used again`];
      },
    },
    de: {
      name: "Token erneut benutzt",
      phrase: ({ before, after }) => {
        if (textOf(after["reused"]) === "id_token") {
          const subject = textOf(after["subject"]);
          const token: Phrase = ["ein ID-Token", ...(subject === null ? [] : [" von ", strong(subject)])];
          return ["hat ", ...token, " für ", ...german.agent(before), " abgelehnt, weil es erneut benutzt wurde"];
        }
        const isCode = textOf(after["reused"]) === "authorization_code";
        const reused = isCode ? "ein Autorisierungscode" : "ein altes Refresh-Token";
        const name = textOf(before["name"]);
        const app: Phrase = name === null ? ["einer verbundenen App"] : ["der verbundenen App ", strong(name)];
        return ["hat den Zugriff ", ...app, ` beendet, weil ${reused} erneut benutzt wurde`];
      },
    },
  },
  "agent.revoked": {
    en: { name: "Agent revoked", phrase: ({ before }) => ["revoked ", ...english.agent(before)] },
    de: { name: "Agent widerrufen", phrase: ({ before }) => german.has([...german.agent(before), " widerrufen"]) },
  },
  "plan.changed": {
    en: {
      name: "Plan changed",
      phrase: ({ before, after }) => {
        const [was, is] = [textOf(before["plan"]), textOf(after["plan"])];
        const [had, has] = [numberOf(before["seats"]), numberOf(after["seats"])];
        if (was === is && had !== null && has !== null) return [`changed the seats of the plan from ${had} to ${has}`];
        if (is === null) return ["changed the plan"];
        return ["changed the plan ", ...(was === null ? [] : ["from ", strong(was), " "]), "to ", strong(is)];
      },
    },
    de: {
      name: "Plan geändert",
      phrase: ({ before, after }) => {
        const [was, is] = [textOf(before["plan"]), textOf(after["plan"])];
        const [had, now] = [numberOf(before["seats"]), numberOf(after["seats"])];
        if (was === is && had !== null && now !== null)
          return german.has([`die Plätze des Plans von ${had} auf ${now} geändert`]);
        if (is === null) return german.has(["den Plan geändert"]);
        return german.has([
          "den Plan ",
          ...(was === null ? [] : ["von ", strong(was), " "]),
          "auf ",
          strong(is),
          " geändert",
        ]);
      },
    },
  },
  "user.created": {
    en: {
      name: "Account created",
      phrase: ({ after, event }) =>
        isOneself(event) ? ["signed up"] : ["created ", ...english.the("account", after["username"])],
    },
    de: {
      name: "Konto erstellt",
      phrase: ({ after, event }) =>
        isOneself(event)
          ? german.has(["sich registriert"])
          : german.has([...german.the("das", "Konto", after["username"]), " erstellt"]),
    },
  },
  "user.sign_in_link_created": {
    en: { name: "Sign-in link created", phrase: () => ["created a sign-in link"] },
    de: { name: "Anmeldelink erstellt", phrase: () => german.has(["einen Anmeldelink erstellt"]) },
  },
  "user.identity_bound": {
    en: {
      name: "First sign-in",
      phrase: ({ after }) => {
        const provider = textOf(after["provider"]);
        return ["signed in for the first time", ...(provider === null ? [] : [" with ", strong(provider)])];
      },
    },
    de: {
      name: "Erste Anmeldung",
      phrase: ({ after }) => {
        const provider = textOf(after["provider"]);
        return german.has([
          "sich zum ersten Mal",
          ...(provider === null ? [] : [" mit ", strong(provider)]),
          " angemeldet",
        ]);
      },
    },
  },
  "operator.job_run": {
    en: { name: "Job run", phrase: ({ after }) => ["ran ", ...english.the("job", after["kind"])] },
    de: {
      name: "Job ausgeführt",
      phrase: ({ after }) => german.has([...german.the("den", "Job", after["kind"]), " ausgeführt"]),
    },
  },
};
