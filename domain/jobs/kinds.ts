// The closed list of jobs and what each is told. A job says which rows, never what is in them.

export interface Jobs {
  /** What follows a new head or title: its search document, and its rendering if nobody has read it yet. */
  head: { readonly artifactIds: readonly string[] };
  /** Removes what was deleted more than 30 days ago, and records past their day. */
  purge: Record<string, never>;
  /** Makes anew what earlier versions of the renderers made. */
  renderings: Record<string, never>;
  /** Mails a pending invitation to whom it is for. */
  "invitation-mail": { readonly invitationId: string };
}

export type JobKind = keyof Jobs;

const kinds: Readonly<Record<JobKind, true>> = { head: true, purge: true, renderings: true, "invitation-mail": true };

export const isJobKind = (kind: string): kind is JobKind => Object.hasOwn(kinds, kind);
