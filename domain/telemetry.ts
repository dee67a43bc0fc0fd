// The events of a process, for its log and its metrics. The code that emits an event knows neither, and an event without
// a listener costs nothing.
import type { ServedRequest } from "@plinth/contract/served-request";

import type { ObjectRequest } from "./storage/s3-store.ts";
import type { JobKind, QueueName } from "./queue/kinds.ts";

export interface FinishedJob {
  readonly kind: JobKind;
  readonly queue: QueueName;
  readonly jobId: string;
  /** Which try it was, from 1. */
  readonly attempt: number;
  readonly ms: number;
  /** `failed` is tried again; `dead` is not, and is kept for the operator. */
  readonly outcome: "done" | "failed" | "dead";
  /** The error of a failed try. */
  readonly error?: unknown;
}

/** What may run outside the server's process (threads/tasks.ts). */
export type TaskName =
  | "markdown"
  | "pieces"
  | "source"
  | "plainSource"
  | "jsx"
  | "diff"
  | "edits"
  | "references"
  | "missing"
  | "texts"
  | "images"
  | "relativePaths"
  | "diagrams"
  | "shownAsWritten"
  | "drawings"
  | "bundle";

interface FinishedRendering {
  readonly renderer: TaskName;
  /**
   * `late` used up its processor time; `failed` ended without an answer, as where it takes too much memory; `busy` got no
   * place in time.
   */
  readonly outcome: "done" | "late" | "failed" | "busy";
  /** With the wait for a thread. */
  readonly ms: number;
}

/** A task that began in a thread which had to load its code first. */
interface ColdStart {
  readonly renderer: TaskName;
}

export type CaptureErrorReason = "took too long" | "took too much memory" | "crashed" | "got too little CPU time";

export interface FinishedScreenshot {
  readonly outcome: "taken" | CaptureErrorReason | "failed";
  readonly ms: number;
}

interface Events {
  readonly request: ServedRequest;
  readonly job: FinishedJob;
  readonly rendering: FinishedRendering;
  readonly coldStart: ColdStart;
  readonly screenshot: FinishedScreenshot;
  /** A request to object storage. */
  readonly object: ObjectRequest;
}

export type Listeners = { readonly [Name in keyof Events]?: (event: Events[Name]) => void };

const subscribed = new Set<Listeners>();

/** Calls the listeners for each event from now on, until the function that it returns is called. */
export function on(listeners: Listeners): () => void {
  subscribed.add(listeners);
  return () => void subscribed.delete(listeners);
}

export function emit<Name extends keyof Events>(name: Name, event: Events[Name]): void {
  for (const listeners of subscribed) listeners[name]?.(event);
}
