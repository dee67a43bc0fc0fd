// The closed list of jobs: what each is told, which lane it goes in, and how often it runs by itself. A job says which
// rows, never what is in them.

export interface Jobs {
  /**
   * What follows a new head, title, place or access: its search document, where it stands in lists, and its rendering if
   * nobody has read it yet.
   */
  head: { readonly artifactIds: readonly string[] };
  /** Takes the picture of an artifact's head. */
  thumbnail: { readonly artifactId: string };
  /** Takes the picture of a version that is no head any more. */
  "version-picture": { readonly artifactId: string; readonly versionNumber: number };
  /** Asks for the pictures that are missing, or were made by an earlier painter; `after` is the artifact to go on after. */
  thumbnails: { readonly after?: string; readonly begunAt?: number };
  /** The same, from where a sweep that began at `begunAt` (in ms) left the first without a job. */
  "thumbnails-next": { readonly after: string; readonly begunAt?: number };
  /** Asks again for pictures that a busy machine could not take. */
  "thumbnails-postponed": Record<string, never>;
  /** Takes the content of versions, and audit events, past the plan's days. */
  retention: Record<string, never>;
  /** Removes what was deleted more than 30 days ago, and records past their day. */
  purge: Record<string, never>;
  /** Fetches and keeps the packages that an html version loads, and writes its lock. */
  packages: { readonly artifactId: string; readonly versionNumber: number };
  /** Makes anew what earlier versions of the renderers made. */
  renderings: Record<string, never>;
  /** Brings the account that an event of Stripe's is about up to date. */
  "stripe-event": { readonly eventId: string };
  /** Asks Stripe anew about every account: what no event told, and what only time ends. */
  "billing-reconcile": Record<string, never>;
  /** Mails a pending invitation to whom it is for. */
  "invitation-mail": { readonly invitationId: string };
}

export type JobKind = keyof Jobs;

/**
 * Lanes are queues of their own, so that what takes long keeps nothing short waiting; with the jobs of each that a
 * worker has under way at once.
 */
export const lanes = { quick: 2, thumbnail: 1, billing: 2, upkeep: 1 } as const;
export type Lane = keyof typeof lanes;
export const laneNames = Object.keys(lanes) as readonly Lane[];

interface Kind {
  readonly lane: Lane;
  /** Between runs of a job that nothing causes, in ms. */
  readonly everyMs?: number;
  /** Before it is done, in ms: what is asked for again meanwhile finds it done. */
  readonly delayMs?: number;
  /** Tries before it counts as dead; five unless told. */
  readonly attempts?: number;
}

const minute = 60_000;
const hour = 60 * minute;

export const kinds: Readonly<Record<JobKind, Kind>> = {
  head: { lane: "quick" },
  "invitation-mail": { lane: "quick" },
  // Its pauses double from a second on: Stripe may be away for an hour; what is missed after that the next reconciliation
  // finds.
  "stripe-event": { lane: "billing", attempts: 13 },
  // It asks about everybody, and comes again by itself.
  "billing-reconcile": { lane: "billing", everyMs: hour, attempts: 1 },
  // Two retries, then a placeholder for good (docs/reference/security.md §2).
  thumbnail: { lane: "thumbnail", delayMs: 1500, attempts: 3 },
  // Somebody waits for it.
  "version-picture": { lane: "thumbnail", attempts: 3 },
  thumbnails: { lane: "thumbnail", everyMs: hour },
  "thumbnails-next": { lane: "thumbnail", delayMs: minute },
  "thumbnails-postponed": { lane: "thumbnail", everyMs: minute, attempts: 1 },
  retention: { lane: "upkeep", everyMs: hour },
  purge: { lane: "upkeep", everyMs: hour },
  packages: { lane: "upkeep" },
  // There is something to do after an upgrade.
  renderings: { lane: "upkeep", everyMs: 24 * hour },
};

export const isJobKind = (kind: string): kind is JobKind => Object.hasOwn(kinds, kind);
