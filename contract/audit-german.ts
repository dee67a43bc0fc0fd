// The German words that the sentences about several kinds of events have in common. Those of one kind are in audit-words.ts.
import { allowlistChange } from "./audit-access-phrases.ts";
import { dayOf, fieldsOf, textOf, type Fields } from "./audit-fields.ts";
import { listed, names, strong, type Phrase } from "./audit-phrase.ts";
import type { Actor } from "./schemas/actor.ts";
import { unlabelled } from "./schemas/share-link.ts";

/** Of a kind that a newer release has. */
export const unknown = (kind: string): Phrase => ["hat ", strong(kind), " ausgeführt"];
/** The artifact, where each event is of the same one. */
export const it = "es";
export const of = "von";

/** Made where it is first used: it takes a millisecond. */
let days: Intl.DateTimeFormat | undefined;
function shortDay(day: string): string {
  days ??= new Intl.DateTimeFormat("de-DE", { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" });
  return days.format(new Date(day));
}

type It = Phrase[number];
type Article = "den" | "die" | "das";

const indefinite: Readonly<Record<Article, string>> = { den: "einen", die: "eine", das: "ein" };

/** "den Schlüssel *ci*", or "einen Schlüssel" where the event does not name it. */
export function the(article: Article, noun: string, name: unknown): Phrase {
  const text = textOf(name);
  return text === null ? [`${indefinite[article]} ${noun}`] : [`${article} ${noun} `, strong(text)];
}

export const until = (expiresAt: unknown): Phrase => {
  const day = dayOf(expiresAt);
  return day === null || Number.isNaN(Date.parse(day)) ? [] : [` (läuft am ${shortDay(day)} ab)`];
};

const roles = new Map([
  ["admin", "Admin"],
  ["viewer", "Leser"],
  ["billing_admin", "Abrechnungsadmin"],
]);
export const roleOf = ({ role }: Fields): string => roles.get(textOf(role) ?? "") ?? "Mitglied";

export const someone = (name: unknown): It => {
  const text = textOf(name);
  return text === null ? "jemanden" : strong(text);
};
export const shareLink = ({ role, label }: Fields): Phrase =>
  the("den", textOf(role) === "editor" ? "Bearbeitungslink" : "Ansichtslink", label);

export function agent({ kind, name }: Fields): Phrase {
  if (kind === "login") return the("die", "Anmeldung", name);
  return kind === "oauth" ? the("die", "verbundene App", name) : the("den", "Agenten", name);
}

export const trusted = ({ issuer, subject }: Fields): Phrase => {
  const [from, of] = [textOf(issuer), textOf(subject)];
  return from === null || of === null ? [] : [", der ", strong(of), ` von ${from} vertraut`];
};

export const has = (...phrases: Phrase[]): Phrase => ["hat ", ...listed(phrases, "und")];

export function fieldChanges(after: Fields, it: It, ofIt: string): Phrase {
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

export function accessChange(was: unknown, is: unknown, it: It): Phrase {
  const [before, after] = [fieldsOf(was), fieldsOf(is)];
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

export function firstAccess(access: unknown): string {
  const { publicView } = fieldsOf(access);
  if (typeof publicView !== "boolean") return "";
  return publicView ? " öffentlich" : " privat";
}

export const versionOf = (number: string | null): string =>
  number === null ? "einer Version" : `von Version ${number}`;

export function actor({ type, label, onBehalfOf }: Actor): Phrase {
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
