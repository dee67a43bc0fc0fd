// The closed list of what may run outside the server's process, as types alone.
// Importing it loads nothing: the code behind a task is loaded only where it runs.
import type { JsxOutcome } from "../render/jsx/compiler.ts";
import type { LineDiff } from "../diff/line-diff.ts";
import type { RenderedMarkdown } from "../render/markdown/renderer.ts";
import type { HighlightedSource, SourceText } from "../render/source/source-renderer.ts";

/** What each task takes and gives; both sides travel as structured clones. */
export interface Tasks {
  markdown: { input: string; output: RenderedMarkdown };
  source: { input: SourceText; output: HighlightedSource };
  jsx: { input: string; output: JsxOutcome };
  diff: { input: { before: string; after: string }; output: LineDiff | null };
}

export type TaskName = keyof Tasks;

/** What the pool sends to a thread: one at a time, the next after the reply. */
export type TaskRequest = {
  [Name in TaskName]: { name: Name; input: Tasks[Name]["input"] };
}[TaskName];

/** What comes back, with the thread's resident memory in bytes. */
export type TaskReply = { residentBytes: number } & ({ output: Tasks[TaskName]["output"] } | { failure: string });

/**
 * What a thread says: first that the code behind the task is loaded, with the processor time that the thread has used so
 * far, then its answer.
 */
export type TaskReport = { loaded: true; cpuMs: number } | TaskReply;
