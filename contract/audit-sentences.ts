// Describes audit events in sentences, for example "Ada's key *ci* made it private". A sentence is a list of parts,
// some of them bold, which each surface renders in its own way. Every event has a sentence, also one of an unknown kind
// or with malformed fields. English unless a surface names another language.
import * as en from "./audit-english.ts";
import { fieldsOf } from "./audit-fields.ts";
import * as de from "./audit-german.ts";
import type { AuditKind } from "./audit-kinds.ts";
import { partsOf, strong, type SentencePart } from "./audit-phrase.ts";
import { auditWords, type AuditLanguage } from "./audit-words.ts";
import type { AuditEvent } from "./schemas/audit.ts";

export type { SentencePart };

const languages = { en, de };

/** A newer release may have written kinds that the table does not have. */
const wordsOf = new Map(Object.entries(auditWords));

/** Describes an event. In a list of several artifacts' events, `artifactName` names the artifact. */
export function auditSentence(
  event: AuditEvent,
  artifactName?: string,
  language: AuditLanguage = "en",
): SentencePart[] {
  const words = languages[language];
  const it = artifactName === undefined ? words.it : strong(artifactName);
  const ofIt = artifactName === undefined ? [] : [` ${words.of} `, it];
  const context = { before: fieldsOf(event.before), after: fieldsOf(event.after), event, it, ofIt };
  const phrase = wordsOf.get(event.kind)?.[language].phrase;
  return partsOf([...words.actor(event.actor), " ", ...(phrase?.(context) ?? words.unknown(event.kind))]);
}

export const plainSentence = (parts: readonly SentencePart[]): string => parts.map(({ text }) => text).join("");

/** The kinds with their names, as a reader chooses among them. */
export const namedKinds = (kinds: readonly AuditKind[], language: AuditLanguage): { kind: AuditKind; name: string }[] =>
  kinds.map((kind) => ({ kind, name: auditWords[kind][language].name }));
