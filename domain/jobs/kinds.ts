// The closed list of jobs and what each is told. A job says which rows, never what is in them.

export interface Jobs {
  /** Writes what search looks at, for the heads as they are when the job runs. */
  search: { readonly artifactIds: readonly string[] };
  /** Removes what was deleted more than 30 days ago, and records past their day. */
  purge: Record<string, never>;
  /** Mails a pending invitation to whom it is for. */
  "invitation-mail": { readonly invitationId: string };
}

export type JobKind = keyof Jobs;

const kinds: Readonly<Record<JobKind, true>> = { search: true, purge: true, "invitation-mail": true };

export const isJobKind = (kind: string): kind is JobKind => Object.hasOwn(kinds, kind);
