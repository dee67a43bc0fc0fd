// The relay: hands the rows of the outbox to the queue, and deletes a row only when the queue has it. A crash between
// the two hands it over twice, which the queue makes once by the row's identifier. Jobs of some queues are handed over in turns.
import { encodeId } from "@plinth/contract/ids";
import type { Database } from "@plinth/db/connection";

import { isJobKind, kinds } from "./kinds.ts";
import type { OpenQueue } from "./open-queue.ts";
import type { OutboxRow } from "./outbox.ts";
import { loadDuring, nextBatchSize, batchSizes } from "./relay-batch-size.ts";
import type { QueueCounts } from "./queue.ts";
import { nextInTurn, turns, type TurnQueue } from "./turns-of-workspaces.ts";

// Jobs that one can do for many: a queue's work for a job is many times what writing one search document takes, and
// it would be taken from the requests.

/** The same work in fewer jobs. */
export function gather(rows: readonly OutboxRow[]): OutboxRow[] {
  const heads = rows.filter(({ kind }) => kind === "head");
  if (heads.length < 2) return [...rows];
  return [...rows.filter(({ kind }) => kind !== "head"), together(heads)];
}

/** Its identifier is made of theirs: the same rows again are the same job, and others never are. */
function together(heads: readonly OutboxRow[]): OutboxRow {
  const ids = heads.map(({ jobId }) => jobId).join();
  const artifactIds = heads.flatMap(({ payload }) => payload["artifactIds"] as string[]);
  return {
    jobId: `job_${new Bun.CryptoHasher("sha256").update(ids).digest("hex").slice(0, 32)}`,
    kind: "head",
    payload: { artifactIds: [...new Set(artifactIds)] },
  };
}

/** Rows handed over at once. */
const batch = 250;
/** Between looks without a wake-up. */
const lookEveryMs = 1000;
/** The same of a process that alone writes rows, while it answers no request and does no job. */
const quietLookEveryMs = 15_000;
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
  /** Says that a request may have written a row. */
  readonly wake: () => void;
  /** Says that the process has answered a request or done a job, which may have written one too. */
  readonly stir: () => void;
  /** Ends after the batch under way. */
  stop(): Promise<void>;
}

interface RelayOptions {
  /** Nothing is handed over while the disk has no room: jobs write too. */
  readonly hasRoom?: () => boolean;
  /** How many requests the process has answered so far: jobs leave the processor to its readers. */
  readonly requests?: () => number;
  /** Whether no other process writes rows. */
  readonly isSole?: boolean;
}

export function startRelay(
  db: Database,
  queue: OpenQueue,
  onError: (error: unknown) => void,
  { hasRoom = () => true, requests = () => 0, isSole = false }: RelayOptions = {},
): Relay {
  let stopped = false;
  /** Head jobs that are handed over at once. */
  let atOnce: number = batchSizes.most;
  /** Writes since the last look, and the time of the first. */
  let writes = 0;
  let since = 0;
  let isStirred = false;
  let wake: (() => void) | null = null;
  let rouse: (() => void) | null = null;
  const ending = Promise.withResolvers<void>();

  async function run(): Promise<void> {
    while (!stopped) {
      const isFlood = (writes * 1000) / (performance.now() - since) >= flood;
      // After a flood the jobs begin slowly, so that readers do not notice its end.
      if (isFlood) atOnce = batchSizes.fewest;
      const heads = Math.min(atOnce, batch);
      writes = 0;
      isStirred = false;
      const moved = await look(heads).catch((error: unknown) => {
        onError(error);
        return null;
      });
      if (moved === null) await sleep(retryMs);
      else if (moved === "held back") await sleep(gatherMs);
      else if ((moved.rows >= busyFrom || moved.leaves) && writes > 0) await sleep(busyMs);
      else if (moved.leaves) {
        const load = await loadDuring(requests, () => sleep(isFlood ? gatherMs : nextBatchMs));
        atOnce = nextBatchSize(atOnce, load);
      } else await idle();
    }
  }

  async function look(heads: number): Promise<HandedOver | "held back"> {
    if (!hasRoom()) return "held back";
    return isSole && !(await hasRows(db)) ? { rows: 0, leaves: false } : handOver(db, queue, heads);
  }

  /** Ends before its time by one of the others. */
  async function sleep(ms: number, ...others: readonly Promise<void>[]): Promise<void> {
    if (stopped) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    await Promise.race([promise, ending.promise, ...others]);
    clearTimeout(timer);
  }

  /** The wait that a wake-up ends. */
  async function idle(): Promise<void> {
    const woken = new Promise<void>((resolve) => (wake = resolve));
    if (isSole && writes === 0 && !isStirred) {
      const roused = new Promise<void>((resolve) => (rouse = resolve));
      await sleep(quietLookEveryMs, woken, roused);
      rouse = null;
    }
    if (writes === 0) await sleep(lookEveryMs, woken);
    wake = null;
    if (writes > 0) await sleep(gatherMs);
  }

  const running = run();
  return {
    wake() {
      if (writes++ === 0) since = performance.now();
      wake?.();
    },
    stir() {
      isStirred = true;
      rouse?.();
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

const hasRows = async (db: Database): Promise<boolean> =>
  (await db.run("SELECT FROM outbox WHERE handed_over_at IS NULL LIMIT 1")).length > 0;

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
