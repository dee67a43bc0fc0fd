// The sentences about audit events. English has those of the contract, which every surface shows; German has its own here.
import { allowlistChange } from "@plinth/contract/audit-access-phrases";
import { dayOf, fieldsOf, numberOf, textOf, type Fields } from "@plinth/contract/audit-fields";
import type { PhraseContext } from "@plinth/contract/audit-kind-phrases";
import type { AuditKind } from "@plinth/contract/audit-kinds";
import { listed, names, strong, type Phrase } from "@plinth/contract/audit-phrase";
import { auditSentence, type SentencePart, type SentenceWords } from "@plinth/contract/audit-sentences";
import type { Actor } from "@plinth/contract/schemas/actor";
import type { AuditEvent } from "@plinth/contract/schemas/audit";
import { unlabelled } from "@plinth/contract/schemas/share-link";
import { de } from "./formats.ts";
import { currentLanguage, type Language } from "./language.ts";

/** As `auditSentence`, in the language of the page. */
export const activitySentence = (
  event: AuditEvent,
  artifactName?: string,
  language: Language = currentLanguage(),
): SentencePart[] =>
  language === "de" ? auditSentence(event, artifactName, german) : auditSentence(event, artifactName);

type It = Phrase[number];
type Article = "den" | "die" | "das";

const indefinite: Readonly<Record<Article, string>> = { den: "einen", die: "eine", das: "ein" };

/** "den Schlüssel *ci*", or "einen Schlüssel" where the event does not name it. */
function the(article: Article, noun: string, name: unknown): Phrase {
  const text = textOf(name);
  return text === null ? [`${indefinite[article]} ${noun}`] : [`${article} ${noun} `, strong(text)];
}

const until = (expiresAt: unknown): Phrase => {
  const day = dayOf(expiresAt);
  return day === null || Number.isNaN(Date.parse(day)) ? [] : [` (läuft am ${de.shortDay(day)} ab)`];
};

const roles = new Map([
  ["admin", "Admin"],
  ["viewer", "Leser"],
  ["billing_admin", "Abrechnungsadmin"],
]);
const roleOf = ({ role }: Fields): string => roles.get(textOf(role) ?? "") ?? "Mitglied";

const someone = (name: unknown): It => {
  const text = textOf(name);
  return text === null ? "jemanden" : strong(text);
};
const isOneself = ({ actor: { id, onBehalfOf }, target }: AuditEvent): boolean =>
  (onBehalfOf?.userId ?? id) === target.id;

const shareLink = ({ role, label }: Fields): Phrase =>
  the("den", textOf(role) === "editor" ? "Bearbeitungslink" : "Ansichtslink", label);

function agent({ kind, name }: Fields): Phrase {
  if (kind === "login") return the("die", "Anmeldung", name);
  return kind === "oauth" ? the("die", "verbundene App", name) : the("den", "Agenten", name);
}

const trusted = ({ issuer, subject }: Fields): Phrase => {
  const [from, of] = [textOf(issuer), textOf(subject)];
  return from === null || of === null ? [] : [", der ", strong(of), ` von ${from} vertraut`];
};

const has = (...phrases: Phrase[]): Phrase => ["hat ", ...listed(phrases, "und")];

function fieldChanges(after: Fields, it: It, ofIt: string): Phrase {
  const phrases: Phrase[] = [];
  const name = textOf(after["title"]) ?? textOf(after["name"]);
  const slug = textOf(after["slug"]);
  const project = textOf(after["projectSlug"]);
  const owner = textOf(after["ownerUsername"]);
  const of: Phrase = typeof it === "string" ? [ofIt] : [" von ", it];
  if (name !== null) phrases.push([it, " in ", strong(name), " umbenannt"]);
  if ("description" in after) phrases.push(["die Beschreibung", ...of, " geändert"]);
  if ("icon" in after) phrases.push(["das Symbol", ...of, " geändert"]);
  if (project !== null) phrases.push([it, " in das Projekt ", strong(project), " verschoben"]);
  if (owner !== null) phrases.push([it, " in den Workspace ", strong(owner), " verschoben"]);
  if (slug !== null) phrases.push(["die Adresse", ...of, " in ", strong(slug), " geändert"]);
  return phrases.length === 0 ? has([it, " geändert"]) : has(...phrases);
}

function accessChange({ before, after, it }: PhraseContext): Phrase {
  const { added, removed } = allowlistChange(before, after);
  const words = { and: "und", more: "weitere" };
  const { publicView, publicEdit } = after;
  const phrases: Phrase[] = [];
  if (before["publicView"] !== publicView && typeof publicView === "boolean")
    phrases.push([it, publicView ? " öffentlich gemacht" : " privat gemacht"]);
  if (before["publicEdit"] !== publicEdit && typeof publicEdit === "boolean") {
    if (publicEdit) phrases.push(["allen Angemeldeten erlaubt, ", it, " zu bearbeiten"]);
    // Private artifacts have no public editing.
    else if (publicView === true) phrases.push(["das öffentliche Bearbeiten von ", it, " ausgeschaltet"]);
  }
  if (added.length > 0) phrases.push([...names(added, words), " zur Zugriffsliste hinzugefügt"]);
  if (removed.length > 0) phrases.push([...names(removed, words), " von der Zugriffsliste entfernt"]);
  return phrases.length === 0 ? has(["den Zugriff auf ", it, " geändert"]) : has(...phrases);
}

function firstAccess(access: unknown): string {
  const { publicView } = fieldsOf(access);
  if (typeof publicView !== "boolean") return "";
  return publicView ? " öffentlich" : " privat";
}

const versionOf = (number: string | null): string => (number === null ? "einer Version" : `von Version ${number}`);

const phrases: Readonly<Record<AuditKind, (context: PhraseContext) => Phrase>> = {
  "artifact.created": ({ after, it }) => has([it, firstAccess(after["access"]), " veröffentlicht"]),
  "artifact.updated": ({ after, it, ofIt }) => {
    const version = numberOf(after["latestVersion"]);
    return version === null ? fieldChanges(after, it, "") : has([`Version ${version}`, ...ofIt, " veröffentlicht"]);
  },
  "artifact.restored": ({ after, ofIt }) => {
    const [from, version] = [numberOf(after["restoredFrom"]), numberOf(after["latestVersion"])];
    if (from === null || version === null) return has(["eine frühere Version", ...ofIt, " wiederhergestellt"]);
    return has([`Version ${from}`, ...ofIt, ` als Version ${version} wiederhergestellt`]);
  },
  "artifact.deleted": ({ it }) => has([it, " gelöscht"]),
  "artifact.undeleted": ({ it }) => has([it, " aus dem Papierkorb wiederhergestellt"]),
  "artifact.purged": ({ before, it }) => {
    const title = textOf(before["title"]);
    return has([title === null ? it : strong(title), " endgültig gelöscht"]);
  },
  "version.pruned": ({ before, ofIt }) => {
    const [first, last] = [numberOf(before["versionNumber"]), numberOf(before["throughVersion"])];
    const which = first !== null && last !== null ? `der Versionen ${first} bis ${last}` : versionOf(first);
    return has([`den Inhalt ${which}`, ...ofIt, " nach Ablauf der Aufbewahrungsfrist des Plans entfernt"]);
  },
  "version.packages_retried": ({ after, ofIt }) =>
    has([`die Pakete ${versionOf(numberOf(after["versionNumber"]))}`, ...ofIt, " noch einmal angefordert"]),
  "version.renamed": ({ after, ofIt }) => {
    const [version, name] = [numberOf(after["versionNumber"]), textOf(after["name"])];
    if (name === null) return has([`den Namen ${versionOf(version)}`, ...ofIt, " entfernt"]);
    return has([version === null ? "eine Version" : `Version ${version}`, ...ofIt, " ", strong(name), " genannt"]);
  },
  "access.updated": accessChange,
  "share_link.created": ({ after, ofIt, it }) =>
    has([...shareLink(after), ...(ofIt.length === 0 ? [] : [" zu ", it]), ...until(after["expiresAt"]), " erstellt"]),
  "share_link.revoked": ({ before, ofIt }) => has([...shareLink(before), ...ofIt, " widerrufen"]),
  "share_link.used": ({ after, it }) => {
    const uses = numberOf(after["uses"]);
    return has([it, uses === null || uses === "1" ? "" : ` ${uses}-mal`, " geöffnet"]);
  },
  "project.created": ({ after }) => has([...the("das", "Projekt", after["title"]), " erstellt"]),
  "project.updated": ({ after }) => fieldChanges(after, "das Projekt", " des Projekts"),
  "project.deleted": ({ before }) => has([...the("das", "Projekt", before["title"]), " gelöscht"]),
  "workspace.created": ({ after }) =>
    has([
      ...(textOf(after["kind"]) === "team"
        ? the("das", "Team", after["slug"])
        : the("den", "Workspace", after["slug"])),
      " erstellt",
    ]),
  "workspace.updated": ({ after }) => fieldChanges(after, "den Workspace", " des Workspace"),
  "member.added": ({ after, event }) =>
    isOneself(event)
      ? [`ist als ${roleOf(after)} beigetreten`]
      : has([someone(after["username"]), ` als ${roleOf(after)} hinzugefügt`]),
  "member.role_changed": ({ after, event }) =>
    isOneself(event)
      ? [`ist jetzt ${roleOf(after)}`]
      : has(["die Rolle von ", someone(after["username"]), ` in ${roleOf(after)} geändert`]),
  "member.removed": ({ before, event }) =>
    isOneself(event) ? ["ist ausgetreten"] : has([someone(before["username"]), " entfernt"]),
  "invitation.created": ({ after }) => has([someone(after["email"]), ` als ${roleOf(after)} eingeladen`]),
  "invitation.accepted": ({ after }) => has([`die Einladung als ${roleOf(after)} angenommen`]),
  "invitation.revoked": ({ before }) => has(["die Einladung an ", someone(before["email"]), " zurückgezogen"]),
  "api_key.created": ({ after }) =>
    has([...the("den", "Schlüssel", after["name"]), ...until(after["expiresAt"]), " erstellt"]),
  "api_key.revoked": ({ before, after }) =>
    has([
      ...the("den", "Schlüssel", before["name"]),
      textOf(after["replacedBy"]) === null ? " widerrufen" : " ersetzt",
    ]),
  "agent.created": ({ before, after }) => {
    if ("scopes" in before)
      return ["hat für ", ...the("die", "verbundene App", after["name"]), " mehr Berechtigungen erlaubt"];
    if (textOf(after["kind"]) === "oauth") return has([...the("die", "App", after["name"]), " verbunden"]);
    return has([...agent(after), " erstellt", ...until(after["expiresAt"]), ...trusted(after)]);
  },
  "agent.exchanged": ({ after }) => {
    const subject = textOf(after["subject"]);
    return has(["ein ID-Token", ...(subject === null ? [] : [" von ", strong(subject)]), " eingetauscht"]);
  },
  "agent.reuse_detected": ({ before, after }) => {
    if (textOf(after["reused"]) === "id_token") {
      const subject = textOf(after["subject"]);
      const token: Phrase = ["ein ID-Token", ...(subject === null ? [] : [" von ", strong(subject)])];
      return ["hat ", ...token, " für ", ...agent(before), " abgelehnt, weil es erneut benutzt wurde"];
    }
    const isCode = textOf(after["reused"]) === "authorization_code";
    const reused = isCode ? "ein Autorisierungscode" : "ein altes Refresh-Token";
    const name = textOf(before["name"]);
    const app: Phrase = name === null ? ["einer verbundenen App"] : ["der verbundenen App ", strong(name)];
    return ["hat den Zugriff ", ...app, ` beendet, weil ${reused} erneut benutzt wurde`];
  },
  "agent.revoked": ({ before }) => has([...agent(before), " widerrufen"]),
  "plan.changed": ({ before, after }) => {
    const [was, is] = [textOf(before["plan"]), textOf(after["plan"])];
    const [had, now] = [numberOf(before["seats"]), numberOf(after["seats"])];
    if (was === is && had !== null && now !== null) return has([`die Plätze des Plans von ${had} auf ${now} geändert`]);
    if (is === null) return has(["den Plan geändert"]);
    return has(["den Plan ", ...(was === null ? [] : ["von ", strong(was), " "]), "auf ", strong(is), " geändert"]);
  },
  "user.created": ({ after, event }) =>
    isOneself(event) ? has(["sich registriert"]) : has([...the("das", "Konto", after["username"]), " erstellt"]),
  "user.sign_in_link_created": () => has(["einen Anmeldelink erstellt"]),
  "user.identity_bound": ({ after }) => {
    const provider = textOf(after["provider"]);
    return has(["sich zum ersten Mal", ...(provider === null ? [] : [" mit ", strong(provider)]), " angemeldet"]);
  },
  "operator.job_run": ({ after }) => has([...the("den", "Job", after["kind"]), " ausgeführt"]),
};

function actor({ type, label, onBehalfOf }: Actor): Phrase {
  const whose = textOf(onBehalfOf?.username);
  switch (type) {
    case "api_key":
    case "agent":
      return [
        type === "agent" ? "Der Agent " : "Der Schlüssel ",
        strong(label),
        ...(whose === null ? [] : [` von ${whose}`]),
      ];
    case "share_link":
      if (label === unlabelled) return [whose === null ? "Jemand mit einem Freigabelink" : `${whose} (Freigabelink)`];
      return whose === null
        ? ["Jemand mit dem Freigabelink ", strong(label)]
        : [`${whose} (Freigabelink `, strong(label), ")"];
    case "operator":
      return ["Der Betreiber"];
    default:
      return [label];
  }
}

const german: SentenceWords = {
  actor,
  phraseOf: new Map(Object.entries(phrases)),
  unknown: (kind) => ["hat ", strong(kind), " ausgeführt"],
  it: "es",
  of: "von",
};
