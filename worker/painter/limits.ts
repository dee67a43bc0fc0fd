// How long and how much a document may take while its picture is taken (docs/reference/security.md §2). Milliseconds
// and bytes.

export interface PageLimits {
  /** For the document to load and to come to rest; the picture is then taken of what is there. */
  readonly pageMs: number;
  /** Of that, for what goes on after the page's load event: fonts, diagrams, first frames. */
  readonly settleMs: number;
  /** For both pictures. */
  readonly shotMs: number;
  /** For everything, after which the whole tree of processes is killed. */
  readonly jobMs: number;
}

export const usualLimits: PageLimits = { pageMs: 4_000, settleMs: 2_500, shotMs: 3_000, jobMs: 8_000 };
/** Nothing changes for so long: the document has come to rest. */
export const QUIET_MS = 300;
/** For the browser to start: no bound on documents, but on a machine that is stuck. */
export const STARTING_MS = 60_000;
/** What all processes together may hold that no file does. */
export const MEMORY_BYTES = 1024 * 1024 * 1024;
/** How often that is looked at while a document is open. */
export const MEMORY_LOOK_MS = 150;
/** A browser that nobody needs for so long is ended. */
export const IDLE_MS = 60_000;
/** One that took so many pictures makes room for a fresh one. */
export const PICTURES_PER_BROWSER = 100;
/** More than this is no picture of ours. */
export const PICTURE_BYTES = 4 * 1024 * 1024;
