// The closed list of jobs: the payload of each, its queue, and how often it repeats. A payload says which rows, never
// what is in them.

export interface Jobs {
  /**
   * Follows a new head, title, place or access: updates the search document and the sort keys, and renders a version
   * that has not been read yet.
   */
  head: { readonly artifactIds: readonly string[] };
  /** Captures the screenshot of an artifact's head. */
  thumbnail: { readonly artifactId: string };
  /** Captures the screenshot of a version that is no longer the head. */
  "version-picture": { readonly artifactId: string; readonly versionNumber: number };
  /** Draws the diagrams of a markdown version. */
  diagrams: { readonly artifactId: string; readonly versionNumber: number };
  /** Requests missing screenshots and those of an earlier renderer; `after` is the artifact to continue after. */
  thumbnails: { readonly after?: string; readonly begunAt?: number };
  /** The same, from where a sweep that began at `begunAt` (in ms) left the first without a job. */
  "thumbnails-next": { readonly after: string; readonly begunAt?: number };
  /** Requests again the screenshots that a busy machine could not capture. */
  "thumbnails-postponed": Record<string, never>;
  /** Takes the content of versions, and audit events, past the plan's days. */
  retention: Record<string, never>;
  /** Removes what was deleted more than 30 days ago, and records past their day. */
  purge: Record<string, never>;
  /** Fetches and keeps the packages that an html version loads, and writes its lock. */
  packages: { readonly artifactId: string; readonly versionNumber: number };
  /** Fetches and keeps the images of other sites that a version shows, and writes its image lock. */
  images: { readonly artifactId: string; readonly versionNumber: number };
  /** Asks again for the packages that earlier jobs could not fetch. */
  "packages-missing": Record<string, never>;
  /** Renders again the output of earlier renderer versions, and writes search documents of an earlier form again. */
  renderings: Record<string, never>;
  /** Brings contents from the database to object storage, where that is configured. */
  contents: Record<string, never>;
  /** Brings the account that an event of Stripe's is about up to date. */
  "stripe-event": { readonly eventId: string };
  /** Reads every account from Stripe again: lost events, and changes that only time causes. */
  "billing-reconcile": Record<string, never>;
  /** Mails a pending invitation to whom it is for. */
  "invitation-mail": { readonly invitationId: string };
  /** Mails a requested sign-in link. */
  "sign-in-mail": { readonly id: string };
}

export type JobKind = keyof Jobs;

/**
 * Separate queues, so that long jobs do not delay short ones; with the concurrency of each in a worker.
 */
export const queueConcurrency = { quick: 2, thumbnail: 1, billing: 2, upkeep: 1, packages: 3, images: 3 } as const;
export type QueueName = keyof typeof queueConcurrency;
export const queueNames = Object.keys(queueConcurrency) as readonly QueueName[];

interface Kind {
  readonly queue: QueueName;
  /** Between runs of a job that nothing causes, in ms. */
  readonly everyMs?: number;
  /** Delay before it runs, in ms: further requests in this time are the same job. */
  readonly delayMs?: number;
  /** Tries before it counts as dead; five unless told. */
  readonly attempts?: number;
}

const minute = 60_000;
const hour = 60 * minute;

export const kinds: Readonly<Record<JobKind, Kind>> = {
  head: { queue: "quick" },
  "invitation-mail": { queue: "quick" },
  "sign-in-mail": { queue: "quick" },
  // Its pauses double from a second on: Stripe may be away for an hour; what is missed after that the next reconciliation
  // finds.
  "stripe-event": { queue: "billing", attempts: 13 },
  // It covers all accounts and repeats anyway.
  "billing-reconcile": { queue: "billing", everyMs: hour, attempts: 1 },
  // Two retries, then a placeholder for good (docs/reference/security.md §2).
  thumbnail: { queue: "thumbnail", delayMs: 1500, attempts: 3 },
  // A user waits for it.
  "version-picture": { queue: "thumbnail", attempts: 3 },
  // In the same browser. Until it ends, readers' browsers draw. A document that exceeds a limit is not tried again.
  diagrams: { queue: "thumbnail" },
  thumbnails: { queue: "thumbnail", everyMs: hour },
  "thumbnails-next": { queue: "thumbnail", delayMs: minute },
  "thumbnails-postponed": { queue: "thumbnail", everyMs: minute, attempts: 1 },
  retention: { queue: "upkeep", everyMs: hour },
  purge: { queue: "upkeep", everyMs: hour },
  packages: { queue: "packages" },
  "packages-missing": { queue: "packages", everyMs: hour, attempts: 1 },
  // Other sites may be slow, so the queue is a separate one. A host that is away for the third time is taken to be gone.
  images: { queue: "images", attempts: 3 },
  // There is something to do after an upgrade.
  renderings: { queue: "upkeep", everyMs: 24 * hour },
  // It covers all contents and repeats anyway.
  contents: { queue: "upkeep", everyMs: 5 * minute, attempts: 1 },
};

export const isJobKind = (kind: string): kind is JobKind => Object.hasOwn(kinds, kind);
