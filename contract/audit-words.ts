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

const words = (name: string, phrase: KindWords["phrase"]): KindWords => ({ name, phrase });

export const auditWords: Readonly<Record<AuditKind, Readonly<Record<AuditLanguage, KindWords>>>> = {
  "artifact.created": {
    en: words("Artifact published", ({ after, it }) => ["published ", it, english.firstAccess(after["access"])]),
    de: words("Artefakt veröffentlicht", ({ after, it }) =>
      german.has([it, german.firstAccess(after["access"]), " veröffentlicht"]),
    ),
  },
  "artifact.updated": {
    en: words("New version or details", ({ after, it, ofIt }) => {
      const version = numberOf(after["latestVersion"]);
      return version === null ? english.fieldChanges(after, it) : [`published version ${version}`, ...ofIt];
    }),
    de: words("Neue Version oder Angaben", ({ after, it, ofIt }) => {
      const version = numberOf(after["latestVersion"]);
      return version === null
        ? german.fieldChanges(after, it, "")
        : german.has([`Version ${version}`, ...ofIt, " veröffentlicht"]);
    }),
  },
  "artifact.restored": {
    en: words("Version restored", ({ after, ofIt }) => {
      const [from, version] = [numberOf(after["restoredFrom"]), numberOf(after["latestVersion"])];
      if (from === null || version === null) return ["restored an earlier version", ...ofIt];
      return [`restored version ${from}`, ...ofIt, ` as version ${version}`];
    }),
    de: words("Version wiederhergestellt", ({ after, ofIt }) => {
      const [from, version] = [numberOf(after["restoredFrom"]), numberOf(after["latestVersion"])];
      if (from === null || version === null) return german.has(["eine frühere Version", ...ofIt, " wiederhergestellt"]);
      return german.has([`Version ${from}`, ...ofIt, ` als Version ${version} wiederhergestellt`]);
    }),
  },
  "artifact.deleted": {
    en: words("Artifact deleted", ({ it }) => ["deleted ", it]),
    de: words("Artefakt gelöscht", ({ it }) => german.has([it, " gelöscht"])),
  },
  "artifact.undeleted": {
    en: words("Restored from Trash", ({ it }) => ["restored ", it, " from Trash"]),
    de: words("Wiederhergestellt", ({ it }) => german.has([it, " aus dem Papierkorb wiederhergestellt"])),
  },
  "artifact.purged": {
    en: words("Permanently deleted", ({ before, it }) => {
      const title = textOf(before["title"]);
      return ["permanently deleted ", title === null ? it : strong(title)];
    }),
    de: words("Endgültig gelöscht", ({ before, it }) => {
      const title = textOf(before["title"]);
      return german.has([title === null ? it : strong(title), " endgültig gelöscht"]);
    }),
  },
  "version.pruned": {
    en: words("Version expired", ({ before, ofIt }) => {
      const [first, last] = [numberOf(before["versionNumber"]), numberOf(before["throughVersion"])];
      const some = last === null ? `version ${first}` : `versions ${first} to ${last}`;
      const what = first === null ? "an old version" : some;
      return [`removed the content of ${what}`, ...ofIt, ", past the plan's retention"];
    }),
    de: words("Version abgelaufen", ({ before, ofIt }) => {
      const [first, last] = [numberOf(before["versionNumber"]), numberOf(before["throughVersion"])];
      const which = first !== null && last !== null ? `der Versionen ${first} bis ${last}` : german.versionOf(first);
      return german.has([`den Inhalt ${which}`, ...ofIt, " nach Ablauf der Aufbewahrungsfrist des Plans entfernt"]);
    }),
  },
  "version.packages_retried": {
    en: words("Packages retried", ({ after, ofIt }) => {
      const version = numberOf(after["versionNumber"]);
      return [`retried the packages of ${version === null ? "a version" : `version ${version}`}`, ...ofIt];
    }),
    de: words("Pakete neu angefordert", ({ after, ofIt }) =>
      german.has([
        `die Pakete ${german.versionOf(numberOf(after["versionNumber"]))}`,
        ...ofIt,
        " noch einmal angefordert",
      ]),
    ),
  },
  "version.renamed": {
    en: words("Version named", ({ after, ofIt }) => {
      const [version, name] = [numberOf(after["versionNumber"]), textOf(after["name"])];
      const which = version === null ? "a version" : `version ${version}`;
      return name === null ? [`removed the name of ${which}`, ...ofIt] : [`named ${which}`, ...ofIt, " ", strong(name)];
    }),
    de: words("Version benannt", ({ after, ofIt }) => {
      const [version, name] = [numberOf(after["versionNumber"]), textOf(after["name"])];
      if (name === null) return german.has([`den Namen ${german.versionOf(version)}`, ...ofIt, " entfernt"]);
      return german.has([
        version === null ? "eine Version" : `Version ${version}`,
        ...ofIt,
        " ",
        strong(name),
        " genannt",
      ]);
    }),
  },
  "access.updated": {
    en: words("Access changed", ({ before, after, it }) => english.accessChange(before, after, it)),
    de: words("Zugriff geändert", ({ before, after, it }) => german.accessChange(before, after, it)),
  },
  "share_link.created": {
    en: words("Share link created", ({ after, ofIt }) => [
      "created ",
      ...english.shareLink(after),
      ...(ofIt.length === 0 ? [] : [" to ", ...ofIt.slice(1)]),
      ...english.until(after["expiresAt"]),
    ]),
    de: words("Freigabelink erstellt", ({ after, ofIt, it }) =>
      german.has([
        ...german.shareLink(after),
        ...(ofIt.length === 0 ? [] : [" zu ", it]),
        ...german.until(after["expiresAt"]),
        " erstellt",
      ]),
    ),
  },
  "share_link.revoked": {
    en: words("Share link revoked", ({ before, ofIt }) => ["revoked ", ...english.shareLink(before), ...ofIt]),
    de: words("Freigabelink widerrufen", ({ before, ofIt }) =>
      german.has([...german.shareLink(before), ...ofIt, " widerrufen"]),
    ),
  },
  "share_link.used": {
    en: words("Share link used", ({ after, it }) => {
      const uses = numberOf(after["uses"]);
      return ["opened ", it, uses === null || uses === "1" ? "" : ` ${uses} times`];
    }),
    de: words("Freigabelink verwendet", ({ after, it }) => {
      const uses = numberOf(after["uses"]);
      return german.has([it, uses === null || uses === "1" ? "" : ` ${uses}-mal`, " geöffnet"]);
    }),
  },
  "project.created": {
    en: words("Project created", ({ after }) => ["created ", ...english.the("project", after["title"])]),
    de: words("Projekt erstellt", ({ after }) =>
      german.has([...german.the("das", "Projekt", after["title"]), " erstellt"]),
    ),
  },
  "project.updated": {
    en: words("Project changed", ({ after }) => english.fieldChanges(after, "the project")),
    de: words("Projekt geändert", ({ after }) => german.fieldChanges(after, "das Projekt", " des Projekts")),
  },
  "project.deleted": {
    en: words("Project deleted", ({ before }) => ["deleted ", ...english.the("project", before["title"])]),
    de: words("Projekt gelöscht", ({ before }) =>
      german.has([...german.the("das", "Projekt", before["title"]), " gelöscht"]),
    ),
  },
  "workspace.created": {
    en: words("Workspace created", ({ after }) => [
      "created ",
      ...english.the(textOf(after["kind"]) === "team" ? "team" : "workspace", after["slug"]),
    ]),
    de: words("Workspace erstellt", ({ after }) =>
      german.has([
        ...(textOf(after["kind"]) === "team"
          ? german.the("das", "Team", after["slug"])
          : german.the("den", "Workspace", after["slug"])),
        " erstellt",
      ]),
    ),
  },
  "workspace.updated": {
    en: words("Workspace changed", ({ after }) => english.fieldChanges(after, "the workspace")),
    de: words("Workspace geändert", ({ after }) => german.fieldChanges(after, "den Workspace", " des Workspace")),
  },
  "member.added": {
    en: words("Member added", ({ after, event }) =>
      isOneself(event)
        ? [`joined as ${english.roleOf(after)}`]
        : ["added ", english.someone(after["username"]), ` as ${english.roleOf(after)}`],
    ),
    de: words("Mitglied hinzugefügt", ({ after, event }) =>
      isOneself(event)
        ? [`ist als ${german.roleOf(after)} beigetreten`]
        : german.has([german.someone(after["username"]), ` als ${german.roleOf(after)} hinzugefügt`]),
    ),
  },
  "member.role_changed": {
    en: words("Role changed", ({ after, event }) => {
      const role = english.roleOf(after);
      return isOneself(event) ? [`became ${role}`] : ["made ", english.someone(after["username"]), ` ${role}`];
    }),
    de: words("Rolle geändert", ({ after, event }) =>
      isOneself(event)
        ? [`ist jetzt ${german.roleOf(after)}`]
        : german.has(["die Rolle von ", german.someone(after["username"]), ` in ${german.roleOf(after)} geändert`]),
    ),
  },
  "member.removed": {
    en: words("Member removed", ({ before, event }) =>
      isOneself(event) ? ["left"] : ["removed ", english.someone(before["username"])],
    ),
    de: words("Mitglied entfernt", ({ before, event }) =>
      isOneself(event) ? ["ist ausgetreten"] : german.has([german.someone(before["username"]), " entfernt"]),
    ),
  },
  "invitation.created": {
    en: words("Invitation sent", ({ after }) => [
      "invited ",
      english.someone(after["email"]),
      ` as ${english.roleOf(after)}`,
    ]),
    de: words("Einladung gesendet", ({ after }) =>
      german.has([german.someone(after["email"]), ` als ${german.roleOf(after)} eingeladen`]),
    ),
  },
  "invitation.accepted": {
    en: words("Invitation accepted", ({ after }) => ["accepted the invitation", ` as ${english.roleOf(after)}`]),
    de: words("Einladung angenommen", ({ after }) =>
      german.has([`die Einladung als ${german.roleOf(after)} angenommen`]),
    ),
  },
  "invitation.revoked": {
    en: words("Invitation revoked", ({ before }) => ["withdrew the invitation of ", english.someone(before["email"])]),
    de: words("Einladung widerrufen", ({ before }) =>
      german.has(["die Einladung an ", german.someone(before["email"]), " zurückgezogen"]),
    ),
  },
  "api_key.created": {
    en: words("API key created", ({ after }) => [
      "created ",
      ...english.the("key", after["name"]),
      ...english.until(after["expiresAt"]),
    ]),
    de: words("API-Schlüssel erstellt", ({ after }) =>
      german.has([...german.the("den", "Schlüssel", after["name"]), ...german.until(after["expiresAt"]), " erstellt"]),
    ),
  },
  "api_key.revoked": {
    en: words("API key revoked", ({ before, after }) => [
      textOf(after["replacedBy"]) === null ? "revoked " : "replaced ",
      ...english.the("key", before["name"]),
    ]),
    de: words("API-Schlüssel widerrufen", ({ before, after }) =>
      german.has([
        ...german.the("den", "Schlüssel", before["name"]),
        textOf(after["replacedBy"]) === null ? " widerrufen" : " ersetzt",
      ]),
    ),
  },
  "agent.created": {
    en: words("Agent connected", ({ before, after }) =>
      "scopes" in before
        ? ["gave ", ...english.the("connected app", after["name"]), " more permissions"]
        : [
            ...(textOf(after["kind"]) === "oauth"
              ? ["connected ", ...english.the("app", after["name"])]
              : ["created ", ...english.agent(after)]),
            ...english.trusted(after),
            ...english.until(after["expiresAt"]),
          ],
    ),
    de: words("Agent verbunden", ({ before, after }) => {
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
    }),
  },
  "agent.exchanged": {
    en: words("ID token exchanged", ({ after }) => {
      const subject = textOf(after["subject"]);
      return ["exchanged an ID token", ...(subject === null ? [] : [" of ", strong(subject)])];
    }),
    de: words("ID-Token eingetauscht", ({ after }) => {
      const subject = textOf(after["subject"]);
      return german.has(["ein ID-Token", ...(subject === null ? [] : [" von ", strong(subject)]), " eingetauscht"]);
    }),
  },
  "agent.reuse_detected": {
    en: words("Token reuse detected", ({ before, after }) => {
      if (textOf(after["reused"]) === "id_token") {
        const subject = textOf(after["subject"]);
        const token: Phrase = ["an ID token", ...(subject === null ? [] : [" of ", strong(subject)])];
        return ["refused ", ...token, " for ", ...english.agent(before), " because it was used again"];
      }
      const reused =
        textOf(after["reused"]) === "authorization_code" ? "an authorization code" : "an old refresh token";
      return ["ended the access of ", ...english.agent(before), ` because ${reused} was used again`];
    }),
    de: words("Token erneut benutzt", ({ before, after }) => {
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
    }),
  },
  "agent.revoked": {
    en: words("Agent revoked", ({ before }) => ["revoked ", ...english.agent(before)]),
    de: words("Agent widerrufen", ({ before }) => german.has([...german.agent(before), " widerrufen"])),
  },
  "plan.changed": {
    en: words("Plan changed", ({ before, after }) => {
      const [was, is] = [textOf(before["plan"]), textOf(after["plan"])];
      const [had, has] = [numberOf(before["seats"]), numberOf(after["seats"])];
      if (was === is && had !== null && has !== null) return [`changed the seats of the plan from ${had} to ${has}`];
      if (is === null) return ["changed the plan"];
      return ["changed the plan ", ...(was === null ? [] : ["from ", strong(was), " "]), "to ", strong(is)];
    }),
    de: words("Plan geändert", ({ before, after }) => {
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
    }),
  },
  "user.created": {
    en: words("Account created", ({ after, event }) =>
      isOneself(event) ? ["signed up"] : ["created ", ...english.the("account", after["username"])],
    ),
    de: words("Konto erstellt", ({ after, event }) =>
      isOneself(event)
        ? german.has(["sich registriert"])
        : german.has([...german.the("das", "Konto", after["username"]), " erstellt"]),
    ),
  },
  "user.sign_in_link_created": {
    en: words("Sign-in link created", () => ["created a sign-in link"]),
    de: words("Anmeldelink erstellt", () => german.has(["einen Anmeldelink erstellt"])),
  },
  "user.identity_bound": {
    en: words("First sign-in", ({ after }) => {
      const provider = textOf(after["provider"]);
      return ["signed in for the first time", ...(provider === null ? [] : [" with ", strong(provider)])];
    }),
    de: words("Erste Anmeldung", ({ after }) => {
      const provider = textOf(after["provider"]);
      return german.has([
        "sich zum ersten Mal",
        ...(provider === null ? [] : [" mit ", strong(provider)]),
        " angemeldet",
      ]);
    }),
  },
  "operator.job_run": {
    en: words("Job run", ({ after }) => ["ran ", ...english.the("job", after["kind"])]),
    de: words("Job ausgeführt", ({ after }) => german.has([...german.the("den", "Job", after["kind"]), " ausgeführt"])),
  },
};
