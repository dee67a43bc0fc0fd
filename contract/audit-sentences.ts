// Describes audit events in sentences, for example "Ada's key *ci* made it private". A sentence is a list of parts,
// some of them bold, which each surface renders in its own way. Every event has a sentence, also one of an unknown kind
// or with malformed fields. English unless a surface gives the words of another language.
import { fieldsOf, textOf } from "./audit-fields.ts";
import { phraseOf, type PhraseContext } from "./audit-kind-phrases.ts";
import { partsOf, strong, type Phrase, type SentencePart } from "./audit-phrase.ts";
import type { Actor } from "./schemas/actor.ts";
import type { AuditEvent } from "./schemas/audit.ts";
import { unlabelled } from "./schemas/share-link.ts";

export type { SentencePart };

/** A language's parts of a sentence: the actor, and what follows for each kind of event. */
export interface SentenceWords {
  readonly actor: (actor: Actor) => Phrase;
  readonly phraseOf: ReadonlyMap<string, (context: PhraseContext) => Phrase>;
  /** Of a kind that `phraseOf` does not have. */
  readonly unknown: (kind: string) => Phrase;
  /** The artifact, where each event is of the same one. */
  readonly it: string;
  readonly of: string;
}

const english: SentenceWords = { actor, phraseOf, unknown: (kind) => ["did ", strong(kind)], it: "it", of: "of" };

/** Describes an event. In a list of several artifacts' events, `artifactName` names the artifact. */
export function auditSentence(event: AuditEvent, artifactName?: string, words = english): SentencePart[] {
  const it = artifactName === undefined ? words.it : strong(artifactName);
  const ofIt = artifactName === undefined ? [] : [` ${words.of} `, it];
  const context = { before: fieldsOf(event.before), after: fieldsOf(event.after), event, it, ofIt };
  const done = words.phraseOf.get(event.kind);
  return partsOf([...words.actor(event.actor), " ", ...(done?.(context) ?? words.unknown(event.kind))]);
}

export const plainSentence = (parts: readonly SentencePart[]): string => parts.map(({ text }) => text).join("");

function actor({ type, label, onBehalfOf }: Actor): Phrase {
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
