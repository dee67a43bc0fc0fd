// The queue that jobs wait in, behind what an operator may ask of it. BullMQ on Redis or on PostgreSQL is its
// one implementation; requests never wait for it.
import type { Static } from "typebox";
import type { Job, JobState, Schedule } from "@plinth/contract/schemas/instance";

import type { QueueName } from "./kinds.ts";

export type QueuedJob = Static<typeof Job>;

export interface QueueCounts {
  readonly waiting: number;
  readonly active: number;
  readonly failed: number;
}

export interface JobQueue {
  /** Those of the state, or of every state: failed ones first, then newest first. */
  list(limit: number, state?: JobState): Promise<QueuedJob[]>;
  /** Tries a failed job again; null where there is none of that identifier. */
  retry(jobId: string): Promise<QueuedJob | null>;
  counts(): Promise<QueueCounts>;
  countsByQueue(): Promise<Record<QueueName, QueueCounts>>;
  /** What runs by itself, and when next. */
  schedules(): Promise<Schedule[]>;
}
