// The queue that jobs wait in, behind what an operator may ask of it. BullMQ on Redis or on PostgreSQL is its
// one implementation; requests never wait for it.
import type { Static } from "typebox";
import type { Job } from "@plinth/contract/schemas/instance";

export type QueuedJob = Static<typeof Job>;

export interface JobQueue {
  /** Failed and waiting jobs, newest first. */
  list(limit: number): Promise<QueuedJob[]>;
  /** Tries a failed job again; null where there is none of that identifier. */
  retry(jobId: string): Promise<QueuedJob | null>;
  counts(): Promise<{ waiting: number; active: number; failed: number }>;
}
