// Jobs of screenshots, packages and images share few places in their queues, so the relay serves the workspaces in turns. A
// job's outbox row stays until the job has ended: its key keeps a second job for the same out, whether the first one waits
// here or in the queue.
import type { Database } from "@plinth/db/connection";

import { kinds, queueConcurrency, type QueueName } from "./kinds.ts";

interface Turns {
  /** Which rows of the outbox, among those of a workspace; a literal, so that indexes know it (db/schema/records.ts). */
  readonly rows: string;
  /** Jobs in the queue at once, and those of one workspace. */
  readonly places: number;
  readonly placesOfOne: number;
  /** A job that has been in the queue for longer is taken to be lost. */
  readonly lostAfter: string;
}

export const turns = {
  // Every place in turn takes 5 minutes at most.
  thumbnail: { rows: "kind NOT IN ('packages', 'images')", places: 32, placesOfOne: 8, lostAfter: "10 minutes" },
  // One workspace never has all the jobs that run at once. Each place takes five tries of 6 minutes at most.
  packages: {
    rows: "kind = 'packages'",
    places: 4 * queueConcurrency.packages,
    placesOfOne: queueConcurrency.packages - 1,
    lostAfter: "3 hours",
  },
  // As packages. Each place takes three tries of 2 minutes at most.
  images: {
    rows: "kind = 'images'",
    places: 4 * queueConcurrency.images,
    placesOfOne: queueConcurrency.images - 1,
    lostAfter: "1 hour",
  },
} as const satisfies Partial<Record<QueueName, Turns>>;

export type TurnQueue = keyof typeof turns;

/** The keys are in the payloads' words, so a row of the outbox can be recognized. */
export const packagesKey = (artifactId: string, versionNumber: number): string =>
  `packages ${artifactId} ${versionNumber}`;

export const imagesKey = (artifactId: string, versionNumber: number): string => `images ${artifactId} ${versionNumber}`;

export const diagramsKey = (artifactId: string, versionNumber: number): string =>
  `diagrams ${artifactId} ${versionNumber}`;

export const screenshotKey = (artifactId: string, versionNumber?: number): string =>
  versionNumber === undefined ? `thumbnail ${artifactId}` : `version-picture ${artifactId} ${versionNumber}`;

/** A kind that only a newer program knows waits for that program's relay. */
const isKnown = `kind IN (${Object.keys(kinds)
  .map((kind) => `'${kind}'`)
  .join(", ")})`;

/**
 * The rows of a queue to hand over next, with `room` as the number of free places and `isIdle` where the queue has no
 * such job, so that what was handed over long ago is lost. One relay does this at a time; the others find no room. The
 * recursion visits each waiting workspace by index, however many jobs one of them has.
 */
export function nextInTurn(queue: TurnQueue, room: string, isIdle: string): string {
  const { rows, placesOfOne } = turns[queue];
  return `
  WITH RECURSIVE waiting(workspace_id) AS (
    (SELECT workspace_id FROM outbox WHERE workspace_id IS NOT NULL AND handed_over_at IS NULL AND ${rows}
     ORDER BY workspace_id LIMIT 1)
    UNION ALL
    SELECT (SELECT o.workspace_id FROM outbox o
            WHERE o.workspace_id > w.workspace_id AND o.handed_over_at IS NULL AND ${rows}
            ORDER BY o.workspace_id LIMIT 1)
    FROM waiting w WHERE w.workspace_id IS NOT NULL
  ), ranked AS (
    SELECT job.job_id, held.jobs + row_number() OVER (PARTITION BY w.workspace_id ORDER BY job.job_id) AS turn
    FROM waiting w
    CROSS JOIN LATERAL (
      SELECT count(*) AS jobs FROM outbox o
      WHERE o.workspace_id = w.workspace_id AND o.handed_over_at IS NOT NULL AND ${rows}
        AND (o.handed_over_at > now() - interval '30 seconds' OR NOT ${isIdle})
    ) held
    CROSS JOIN LATERAL (
      SELECT o.job_id FROM outbox o WHERE o.workspace_id = w.workspace_id AND o.handed_over_at IS NULL AND ${rows}
        AND ${isKnown}
      ORDER BY o.job_id LIMIT ${placesOfOne}
    ) job
  )
  SELECT job_id FROM ranked
  WHERE turn <= ${placesOfOne} AND pg_try_advisory_xact_lock(hashtextextended('plinth:screenshot-turns', 0))
  ORDER BY turn, job_id LIMIT greatest(0, ${room})`;
}

/** The job has ended: another one may be asked for. A row that still waits for its turn stays. */
export async function endTurn(db: Database, key: string): Promise<void> {
  await db.run("DELETE FROM outbox WHERE dedupe_key = $1 AND handed_over_at IS NOT NULL", [key]);
}

/** Deletes the rows of jobs that the queue has lost, and returns them. */
export async function endLostTurns(db: Database, queue: TurnQueue): Promise<LostJob[]> {
  const { rows, lostAfter } = turns[queue];
  return db.run<LostJob>(
    `DELETE FROM outbox WHERE workspace_id IS NOT NULL AND handed_over_at < now() - interval '${lostAfter}' AND ${rows}
     RETURNING kind, payload`,
  );
}

interface LostJob {
  readonly kind: string;
  readonly payload: Readonly<Record<string, unknown>>;
}
