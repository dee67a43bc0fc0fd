// Describes audit events in sentences, for example "Ada's key *ci* made it private". A sentence is a list of parts,
// some of them bold, which each surface renders in its own way. Every event has a sentence, also one of an unknown kind
// or with malformed fields.
import { fieldsOf, textOf } from "./audit-fields.ts";
import { phraseOf } from "./audit-kind-phrases.ts";
import { partsOf, strong, type Phrase, type SentencePart } from "./audit-phrase.ts";
import type { Actor } from "./schemas/actor.ts";
import type { AuditEvent } from "./schemas/audit.ts";
import { unlabelled } from "./schemas/share-link.ts";

export type { SentencePart };

/** Describes an event. In a list of several artifacts' events, `artifactName` names the artifact. */
export function auditSentence(event: AuditEvent, artifactName?: string): SentencePart[] {
  const it = artifactName === undefined ? "it" : strong(artifactName);
  const ofIt = artifactName === undefined ? [] : [" of ", it];
  const context = { before: fieldsOf(event.before), after: fieldsOf(event.after), event, it, ofIt };
  const done = phraseOf.get(event.kind);
  return partsOf([...actor(event.actor), " ", ...(done?.(context) ?? ["did ", strong(event.kind)])]);
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
