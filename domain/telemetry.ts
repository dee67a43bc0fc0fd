// What a process has done, told to whoever counts it or writes it down. Those who do things know nothing of logs or
// figures; where nobody listens it costs nothing.
import type { ServedRequest } from "@plinth/contract/served-request";

import type { JobKind, Lane } from "./queue/kinds.ts";

export interface FinishedJob {
  readonly kind: JobKind;
  readonly lane: Lane;
  readonly jobId: string;
  /** Which try it was, from 1. */
  readonly attempt: number;
  readonly ms: number;
  /** `failed` is tried again; `dead` is not, and is kept for the operator. */
  readonly outcome: "done" | "failed" | "dead";
  /** What was thrown. */
  readonly error?: unknown;
}

/** What may run outside the server's process (threads/tasks.ts). */
export type TaskName = "markdown" | "source" | "jsx" | "diff" | "references" | "relativePaths";

export interface FinishedRendering {
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
export interface ColdStart {
  readonly renderer: TaskName;
}

export type PaintFailureReason = "took too long" | "took too much memory" | "crashed" | "got too little CPU time";

export interface FinishedPicture {
  readonly outcome: "taken" | PaintFailureReason | "failed";
  readonly ms: number;
}

interface Happenings {
  readonly request: ServedRequest;
  readonly job: FinishedJob;
  readonly rendering: FinishedRendering;
  readonly coldStart: ColdStart;
  readonly picture: FinishedPicture;
}

export type Hearer = { readonly [Name in keyof Happenings]?: (happening: Happenings[Name]) => void };

const hearers = new Set<Hearer>();

/** Has everything told to the hearer from now on, until what it returns is called. */
export function hear(hearer: Hearer): () => void {
  hearers.add(hearer);
  return () => void hearers.delete(hearer);
}

export function tell<Name extends keyof Happenings>(name: Name, happening: Happenings[Name]): void {
  for (const hearer of hearers) hearer[name]?.(happening);
}
