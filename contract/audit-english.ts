// The English words that the sentences about several kinds of events have in common. Those of one kind are in audit-words.ts.
import { dayOf, textOf, type Fields } from "./audit-fields.ts";
import { listed, strong, type Phrase } from "./audit-phrase.ts";
import type { Actor } from "./schemas/actor.ts";
import { unlabelled } from "./schemas/share-link.ts";

export { accessChange, firstAccess } from "./audit-access-phrases.ts";

/** Of a kind that a newer release has. */
export const unknown = (kind: string): Phrase => ["did ", strong(kind)];
/** The artifact, where each event is of the same one. */
export const it = "it";
export const of = "of";

/** "the key *ci*", or "a key" where the event does not name it. */
export function the(what: string, name: unknown): Phrase {
  const text = textOf(name);
  if (text !== null) return [`the ${what} `, strong(text)];
  return [`${/^[aeio]/.test(what) ? "an" : "a"} ${what}`];
}

export const until = (expiresAt: unknown): Phrase => {
  const day = dayOf(expiresAt);
  return day === null ? [] : [` (expires ${day})`];
};

const roleNames = new Map([
  ["admin", "an admin"],
  ["viewer", "a viewer"],
  ["billing_admin", "a billing admin"],
]);
export const roleOf = ({ role }: Fields): string => roleNames.get(textOf(role) ?? "") ?? "a member";

export const someone = (name: unknown): Phrase[number] => {
  const text = textOf(name);
  return text === null ? "someone" : strong(text);
};
export const shareLink = ({ role, label }: Fields): Phrase =>
  the(`${textOf(role) === "editor" ? "edit" : "view"} link`, label);
const agentKinds = new Map([
  ["login", "login"],
  ["oauth", "connected app"],
]);
export const agent = ({ kind, name }: Fields): Phrase => the(agentKinds.get(textOf(kind) ?? "") ?? "agent", name);

export const trusted = ({ issuer, subject }: Fields): Phrase => {
  const [from, of] = [textOf(issuer), textOf(subject)];
  return from === null || of === null ? [] : [", which trusts ", strong(of), ` of ${from}`];
};

/** The effect of a PATCH: "renamed *it* to *B* and moved *it* to *b*". */
export function fieldChanges(after: Fields, it: Phrase[number]): Phrase {
  const phrases: Phrase[] = [];
  const name = textOf(after["title"]) ?? textOf(after["name"]);
  const slug = textOf(after["slug"]);
  const project = textOf(after["projectSlug"]);
  const owner = textOf(after["ownerUsername"]);
  if (name !== null) phrases.push(["renamed ", it, " to ", strong(name)]);
  if ("description" in after) phrases.push(["changed the description of ", it]);
  if ("icon" in after) phrases.push(["changed the icon of ", it]);
  if (project !== null) phrases.push(["moved ", it, " to the project ", strong(project)]);
  if (owner !== null) phrases.push(["moved ", it, " to the workspace ", strong(owner)]);
  if (slug !== null) phrases.push(["changed the address of ", it, " to ", strong(slug)]);
  return phrases.length === 0 ? ["changed ", it] : listed(phrases);
}

export function actor({ type, label, onBehalfOf }: Actor): Phrase {
  const whose = textOf(onBehalfOf?.username);
  switch (type) {
    case "api_key":
    case "agent": {
      const what = type === "agent" ? "agent" : "key";
      return whose === null ? [`The ${what} `, strong(label)] : [`${whose}'s ${what} `, strong(label)];
    }
    case "share_link":
      if (label === unlabelled) return [whose === null ? "Someone with a share link" : `${whose} (share link)`];
      return whose === null
        ? ["Someone with the share link ", strong(label)]
        : [`${whose} (share link `, strong(label), ")"];
    case "operator":
      return ["The operator"];
    default:
      return [label];
  }
}
