// The relay: hands the rows of the outbox to the queue, and deletes a row only when the queue has it. A crash between
// the two hands it over twice, which the queue makes once by the row's identifier. Jobs of some queues are handed over in turns.
import { encodeId } from "@plinth/contract/ids";
import type { Database } from "@plinth/db/connection";

import { gather } from "./gather.ts";
import { isJobKind, kinds } from "./kinds.ts";
import type { OpenQueue } from "./open-queue.ts";
import type { OutboxRow } from "./outbox.ts";
import { loadDuring, nextPace, pace } from "./pace.ts";
import type { QueueCounts } from "./queue.ts";
import { nextInTurn, turns, type TurnQueue } from "./turns-of-workspaces.ts";

/** Rows handed over at once. */
const batch = 250;
/** Between looks without a wake-up. */
const lookEveryMs = 1000;
/** Delay after a wake-up, which batches the writes of a busy moment and keeps the queue out of their way. */
const gatherMs = 100;
/** Between full batches: what waits gets its share of the machine, and requests the rest. */
const nextBatchMs = 500;
/** A look with at least this many rows is a busy moment, if writes continue. */
const busyFrom = 25;
/** Between looks of a busy moment: the jobs of a publish cost nearly what it costs itself, and can wait. */
const busyMs = 1000;
/** Writes a second from which on it is a flood: the fewest rows of new heads are handed over in one, the rest when it ebbs. */
const flood = 250;
/** Jobs that may wait in a queue before the relay holds back rows for it: waiting in the outbox is cheaper. */
const enoughWaiting = 200;
const retryMs = 2000;

export interface Relay {
  /** Says that a row may have been written. */
  readonly wake: () => void;
  /** Ends after the batch under way. */
  stop(): Promise<void>;
}

/**
 * Nothing is handed over while `hasRoom` says that the disk has none: jobs write too. `requests` is how many requests the
 * process has answered so far: jobs leave the processor to its readers.
 */
export function startRelay(
  db: Database,
  queue: OpenQueue,
  onError: (error: unknown) => void,
  hasRoom: () => boolean = () => true,
  requests: () => number = () => 0,
): Relay {
  let stopped = false;
  /** Head jobs that are handed over at once. */
  let atOnce: number = pace.most;
  /** Writes since the last look, and the time of the first. */
  let writes = 0;
  let since = 0;
  let wake: (() => void) | null = null;
  const ending = Promise.withResolvers<void>();

  async function run(): Promise<void> {
    while (!stopped) {
      const isFlood = (writes * 1000) / (performance.now() - since) >= flood;
      // After a flood the jobs begin slowly, so that readers do not notice its end.
      if (isFlood) atOnce = pace.fewest;
      const heads = Math.min(atOnce, batch);
      writes = 0;
      const moved = await (hasRoom() ? handOver(db, queue, heads) : Promise.resolve("held back" as const)).catch(
        (error: unknown) => {
          onError(error);
          return null;
        },
      );
      if (moved === null) await sleep(retryMs);
      else if (moved === "held back") await sleep(gatherMs);
      else if ((moved.rows >= busyFrom || moved.leaves) && writes > 0) await sleep(busyMs);
      else if (moved.leaves) {
        const load = await loadDuring(requests, () => sleep(isFlood ? gatherMs : nextBatchMs));
        atOnce = nextPace(atOnce, load);
      } else await idle();
    }
  }

  async function sleep(ms: number): Promise<void> {
    if (stopped) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    await Promise.race([promise, ending.promise]);
    clearTimeout(timer);
  }

  /** The wait that a wake-up ends. */
  async function idle(): Promise<void> {
    const woken = new Promise<void>((resolve) => (wake = resolve));
    if (writes === 0) await Promise.race([sleep(lookEveryMs), woken]);
    wake = null;
    if (writes > 0) await sleep(gatherMs);
  }

  const running = run();
  return {
    wake() {
      if (writes++ === 0) since = performance.now();
      wake?.();
    },
    async stop() {
      stopped = true;
      ending.resolve();
      await running;
    },
  };
}

interface HandedOver {
  readonly rows: number;
  /** Whether there may be more. */
  readonly leaves: boolean;
}

/** Jobs of a queue other than those that the schedules always keep waiting in it. */
function unscheduled(name: TurnQueue, { waiting, active }: QueueCounts): number {
  const scheduled = Object.values(kinds).filter((kind) => kind.queue === name && kind.everyMs !== undefined).length;
  return Math.max(0, waiting + active - scheduled);
}

/** Of the queues with room. A kind that only a newer program knows is not among them: its rows wait for that program's relay. */
const isTaken = "kind = ANY (ARRAY(SELECT json_array_elements_text($1::text::json)))";

// Arrays, so that each row is looked up by index under any estimate of the outbox's size.
const handOverStatement = `
WITH gone AS (
  DELETE FROM outbox
  WHERE job_id = ANY(ARRAY(
    SELECT job_id FROM outbox WHERE workspace_id IS NULL AND kind <> 'head' AND ${isTaken}
    ORDER BY job_id LIMIT ${batch} FOR UPDATE SKIP LOCKED
  ) || ARRAY(
    SELECT job_id FROM outbox WHERE workspace_id IS NULL AND kind = 'head' AND ${isTaken}
    ORDER BY job_id LIMIT $2::int FOR UPDATE SKIP LOCKED))
  RETURNING job_id, kind, payload
), next AS MATERIALIZED (
  SELECT ARRAY(${nextInTurn("thumbnail", "$3::int", "$4::boolean")})
    || ARRAY(${nextInTurn("packages", "$5::int", "$6::boolean")})
    || ARRAY(${nextInTurn("images", "$7::int", "$8::boolean")}) AS jobs
), served AS (
  UPDATE outbox SET handed_over_at = now()
  WHERE job_id = ANY((SELECT jobs FROM next)::uuid[]) AND handed_over_at IS NULL
  RETURNING job_id, kind, payload
)
SELECT job_id, kind, payload FROM (
  SELECT *, 0 AS turn FROM gone
  UNION ALL SELECT *, array_position((SELECT jobs FROM next), job_id) FROM served
) all_rows ORDER BY turn, job_id`;

/**
 * Hands over one batch of jobs for queues with room, unless all queues are full. Head jobs are numerous where much is
 * published, and do not delay other jobs.
 */
async function handOver(db: Database, queue: OpenQueue, heads: number): Promise<HandedOver | "held back"> {
  const counts = await queue.countsByQueue();
  if (Object.values(counts).every(({ waiting }) => waiting >= enoughWaiting)) return "held back";
  const taken = Object.entries(kinds).filter(([, { queue: name }]) => counts[name].waiting < enoughWaiting);
  const inTurn = (name: TurnQueue) => {
    const jobs = unscheduled(name, counts[name]);
    return [turns[name].places - jobs, jobs === 0];
  };
  return db.transaction(async (tx) => {
    const rows = await tx.run<{ job_id: string; kind: string; payload: Record<string, unknown> }>(handOverStatement, [
      JSON.stringify(taken.map(([kind]) => kind)),
      heads,
      ...inTurn("thumbnail"),
      ...inTurn("packages"),
      ...inTurn("images"),
    ]);
    if (rows.length > 0) await queue.add(gather(rows.map(readRow)));
    const ofHeads = rows.filter(({ kind }) => kind === "head").length;
    return { rows: rows.length, leaves: ofHeads === heads || rows.length - ofHeads === batch };
  });
}

function readRow(row: { job_id: string; kind: string; payload: Record<string, unknown> }): OutboxRow {
  if (!isJobKind(row.kind)) throw new Error(`the outbox has a job of the unknown kind ${row.kind}`);
  return { jobId: encodeId("job", row.job_id), kind: row.kind, payload: row.payload };
}
