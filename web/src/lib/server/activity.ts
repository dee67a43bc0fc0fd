// A page of audit events as people read them: sentences, of one kind or of all, from the address.
import type { AuditKind } from "@plinth/contract/audit-kinds";
import { auditSentence, namedKinds } from "@plinth/contract/audit-sentences";
import type { Output } from "@plinth/contract/registry";
import { activityTexts } from "../../messages/activity.ts";
import { currentLanguage } from "../../messages/language.ts";
import { pageInput } from "./page-input.ts";

type Asked = ReturnType<typeof pageInput> & { kind?: AuditKind };
type Events = Output<"audit.list">;

/** What an artifact is called and where it is. */
export interface Known {
  title: string;
  path: string;
}

/** The part of a list that the address names; what is no kind of `kinds` is as none. */
export function askedActivity(url: URL, kinds: readonly AuditKind[]): Asked {
  const kind = kinds.find((known) => known === url.searchParams.get("kind"));
  return { ...pageInput(url), ...(kind === undefined ? {} : { kind }) };
}

/** Kinds by their names, which the page only shows. */
export const shownKinds = (kinds: readonly AuditKind[]) => namedKinds(kinds, currentLanguage());

/** The events of one artifact, which their sentences need not name. */
export const artifactActivity = ({ auditEvents }: Events) =>
  auditEvents.map((event) => ({
    ...rowOf(event),
    sentence: auditSentence(event, undefined, currentLanguage()),
    about: null,
  }));

/** The events of a workspace; of an artifact that is not known, only that it is one. */
export const workspaceActivity = ({ auditEvents }: Events, known: ReadonlyMap<string, Known>) =>
  auditEvents.map((event) => {
    const about = event.artifactId === null ? null : (known.get(event.artifactId) ?? null);
    const name = event.artifactId === null ? undefined : (about?.title ?? activityTexts().anArtifact);
    return { ...rowOf(event), sentence: auditSentence(event, name, currentLanguage()), about };
  });

/** Who did it is also told by identifier: names are chosen by those who bear them. */
const rowOf = ({ eventId, kind, actor, occurredAt, surface, client, requestId }: Events["auditEvents"][number]) => ({
  id: eventId,
  kind,
  actorId: actor.id,
  occurredAt,
  surface,
  client: client ?? null,
  requestId,
});
