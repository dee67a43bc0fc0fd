// The part of a sentence that follows the actor, for each kind of event.
import { accessChange, firstAccess } from "./audit-access-phrases.ts";
import { dayOf, numberOf, textOf, type Fields } from "./audit-fields.ts";
import type { AuditKind } from "./audit-kinds.ts";
import { listed, strong, type Phrase } from "./audit-phrase.ts";
import type { AuditEvent } from "./schemas/audit.ts";

export interface PhraseContext {
  readonly before: Fields;
  readonly after: Fields;
  readonly event: AuditEvent;
  /** The artifact by its name, or "it". */
  readonly it: Phrase[number];
  /** " of *Report*", or nothing. */
  readonly ofIt: Phrase;
}

/** "the key *ci*", or "a key" where the event does not name it. */
function the(what: string, name: unknown): Phrase {
  const text = textOf(name);
  if (text !== null) return [`the ${what} `, strong(text)];
  return [`${/^[aeio]/.test(what) ? "an" : "a"} ${what}`];
}

const until = (expiresAt: unknown): Phrase => {
  const day = dayOf(expiresAt);
  return day === null ? [] : [` (expires ${day})`];
};

const roleNames = new Map([
  ["admin", "an admin"],
  ["viewer", "a viewer"],
  ["billing_admin", "a billing admin"],
]);
const roleOf = ({ role }: Fields): string => roleNames.get(textOf(role) ?? "") ?? "a member";

const someone = (name: unknown): Phrase[number] => {
  const text = textOf(name);
  return text === null ? "someone" : strong(text);
};
/** A sentence does not name the target where the actor is the target. */
const isOneself = ({ actor: { id, onBehalfOf }, target }: AuditEvent): boolean =>
  (onBehalfOf?.userId ?? id) === target.id;

const shareLink = ({ role, label }: Fields): Phrase =>
  the(`${textOf(role) === "editor" ? "edit" : "view"} link`, label);
const agentKinds = new Map([
  ["login", "login"],
  ["oauth", "connected app"],
]);
const agent = ({ kind, name }: Fields): Phrase => the(agentKinds.get(textOf(kind) ?? "") ?? "agent", name);

const trusted = ({ issuer, subject }: Fields): Phrase => {
  const [from, of] = [textOf(issuer), textOf(subject)];
  return from === null || of === null ? [] : [", which trusts ", strong(of), ` of ${from}`];
};

/** The effect of a PATCH: "renamed *it* to *B* and moved *it* to *b*". */
function updated({ after, it, ofIt }: PhraseContext): Phrase {
  const version = numberOf(after["latestVersion"]);
  if (version !== null) return [`published version ${version}`, ...ofIt];
  return fieldChanges(after, it);
}

function fieldChanges(after: Fields, it: Phrase[number]): Phrase {
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

const phrases: Readonly<Record<AuditKind, (context: PhraseContext) => Phrase>> = {
  "artifact.created": ({ after, it }) => ["published ", it, firstAccess(after["access"])],
  "artifact.updated": updated,
  "artifact.restored": ({ after, ofIt }) => {
    const [from, version] = [numberOf(after["restoredFrom"]), numberOf(after["latestVersion"])];
    if (from === null || version === null) return ["restored an earlier version", ...ofIt];
    return [`restored version ${from}`, ...ofIt, ` as version ${version}`];
  },
  "artifact.deleted": ({ it }) => ["deleted ", it],
  "artifact.undeleted": ({ it }) => ["restored ", it, " from Trash"],
  "artifact.purged": ({ before, it }) => {
    const title = textOf(before["title"]);
    return ["permanently deleted ", title === null ? it : strong(title)];
  },
  "version.pruned": ({ before, ofIt }) => {
    const [first, last] = [numberOf(before["versionNumber"]), numberOf(before["throughVersion"])];
    const some = last === null ? `version ${first}` : `versions ${first} to ${last}`;
    const what = first === null ? "an old version" : some;
    return [`removed the content of ${what}`, ...ofIt, ", past the plan's retention"];
  },
  "version.packages_retried": ({ after, ofIt }) => {
    const version = numberOf(after["versionNumber"]);
    return [`retried the packages of ${version === null ? "a version" : `version ${version}`}`, ...ofIt];
  },
  "version.renamed": ({ after, ofIt }) => {
    const [version, name] = [numberOf(after["versionNumber"]), textOf(after["name"])];
    const which = version === null ? "a version" : `version ${version}`;
    return name === null ? [`removed the name of ${which}`, ...ofIt] : [`named ${which}`, ...ofIt, " ", strong(name)];
  },
  "access.updated": ({ before, after, it }) => accessChange(before, after, it),
  "share_link.created": ({ after, ofIt }) => [
    "created ",
    ...shareLink(after),
    ...(ofIt.length === 0 ? [] : [" to ", ...ofIt.slice(1)]),
    ...until(after["expiresAt"]),
  ],
  "share_link.revoked": ({ before, ofIt }) => ["revoked ", ...shareLink(before), ...ofIt],
  "share_link.used": ({ after, it }) => {
    const uses = numberOf(after["uses"]);
    return ["opened ", it, uses === null || uses === "1" ? "" : ` ${uses} times`];
  },
  "project.created": ({ after }) => ["created ", ...the("project", after["title"])],
  "project.updated": ({ after }) => fieldChanges(after, "the project"),
  "project.deleted": ({ before }) => ["deleted ", ...the("project", before["title"])],
  "workspace.created": ({ after }) => [
    "created ",
    ...the(textOf(after["kind"]) === "team" ? "team" : "workspace", after["slug"]),
  ],
  "workspace.updated": ({ after }) => fieldChanges(after, "the workspace"),
  "member.added": ({ after, event }) =>
    isOneself(event) ? [`joined as ${roleOf(after)}`] : ["added ", someone(after["username"]), ` as ${roleOf(after)}`],
  "member.role_changed": ({ after, event }) => {
    const role = roleOf(after);
    return isOneself(event) ? [`became ${role}`] : ["made ", someone(after["username"]), ` ${role}`];
  },
  "member.removed": ({ before, event }) => (isOneself(event) ? ["left"] : ["removed ", someone(before["username"])]),
  "invitation.created": ({ after }) => ["invited ", someone(after["email"]), ` as ${roleOf(after)}`],
  "invitation.accepted": ({ after }) => ["accepted the invitation", ` as ${roleOf(after)}`],
  "invitation.revoked": ({ before }) => ["withdrew the invitation of ", someone(before["email"])],
  "api_key.created": ({ after }) => ["created ", ...the("key", after["name"]), ...until(after["expiresAt"])],
  "api_key.revoked": ({ before, after }) => [
    textOf(after["replacedBy"]) === null ? "revoked " : "replaced ",
    ...the("key", before["name"]),
  ],
  "agent.created": ({ before, after }) =>
    "scopes" in before
      ? ["gave ", ...the("connected app", after["name"]), " more permissions"]
      : [
          ...(textOf(after["kind"]) === "oauth"
            ? ["connected ", ...the("app", after["name"])]
            : ["created ", ...agent(after)]),
          ...trusted(after),
          ...until(after["expiresAt"]),
        ],
  "agent.exchanged": ({ after }) => {
    const subject = textOf(after["subject"]);
    return ["exchanged an ID token", ...(subject === null ? [] : [" of ", strong(subject)])];
  },
  "agent.reuse_detected": ({ before, after }) => {
    if (textOf(after["reused"]) === "id_token") {
      const subject = textOf(after["subject"]);
      const token: Phrase = ["an ID token", ...(subject === null ? [] : [" of ", strong(subject)])];
      return ["refused ", ...token, " for ", ...agent(before), " because it was used again"];
    }
    const reused = textOf(after["reused"]) === "authorization_code" ? "an authorization code" : "an old refresh token";
    return ["ended the access of ", ...agent(before), ` because ${reused} was used again`];
  },
  "agent.revoked": ({ before }) => ["revoked ", ...agent(before)],
  "plan.changed": ({ before, after }) => {
    const [was, is] = [textOf(before["plan"]), textOf(after["plan"])];
    const [had, has] = [numberOf(before["seats"]), numberOf(after["seats"])];
    if (was === is && had !== null && has !== null) return [`changed the seats of the plan from ${had} to ${has}`];
    if (is === null) return ["changed the plan"];
    return ["changed the plan ", ...(was === null ? [] : ["from ", strong(was), " "]), "to ", strong(is)];
  },
  "user.created": ({ after, event }) =>
    isOneself(event) ? ["signed up"] : ["created ", ...the("account", after["username"])],
  "user.sign_in_link_created": () => ["created a sign-in link"],
  "user.identity_bound": ({ after }) => {
    const provider = textOf(after["provider"]);
    return ["signed in for the first time", ...(provider === null ? [] : [" with ", strong(provider)])];
  },
  "operator.job_run": ({ after }) => ["ran ", ...the("job", after["kind"])],
};

/** A newer release may have written kinds that this map does not have. */
export const phraseOf: ReadonlyMap<string, (context: PhraseContext) => Phrase> = new Map(Object.entries(phrases));
