// Limits of a document while its screenshot is taken (docs/reference/security.md §2). Milliseconds and bytes.

export interface PageLimits {
  /** For the document to load and become idle; the screenshot then shows the current state. */
  readonly pageMs: number;
  /** The part of it for work after the page's load event: fonts, diagrams, first frames. */
  readonly idleWaitMs: number;
  /** For both screenshots. */
  readonly shotMs: number;
  /** For everything; then the whole process tree is killed. */
  readonly jobMs: number;
  /** For one diagram in both schemes, the code that draws it included. */
  readonly drawMs: number;
  /** For all diagrams of a document; then the whole process tree is killed. */
  readonly drawingsMs: number;
}

export const usualLimits: PageLimits = {
  pageMs: 4_000,
  idleWaitMs: 2_500,
  shotMs: 3_000,
  jobMs: 8_000,
  drawMs: 4_000,
  drawingsMs: 20_000,
};
/** The document is idle when nothing has changed for so long. */
export const QUIET_MS = 300;
/** For the browser to start. It limits a stuck machine, not a document. */
export const STARTING_MS = 60_000;
/** The most memory of all processes together, without the pages of files. */
export const MEMORY_BYTES = 1024 * 1024 * 1024;
/** How often the memory is checked while a document is open. */
export const MEMORY_LOOK_MS = 150;
/** An unused browser is ended after this time. */
export const IDLE_MS = 60_000;
/** A browser is replaced after so many screenshots. */
export const SCREENSHOTS_PER_BROWSER = 100;
/** A longer drawing is left to the readers' browsers, in characters. */
export const DRAWING_CHARACTERS = 512 * 1024;
/** A larger screenshot is refused. */
export const SCREENSHOT_BYTES = 4 * 1024 * 1024;
