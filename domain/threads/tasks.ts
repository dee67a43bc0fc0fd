// The closed list of what may run outside the server's process, as types alone.
// Importing it loads nothing: the code behind a task is loaded only where it runs.
import type { LineDiff } from "../diff/line-diff.ts";
import type { PackageText } from "../packages/find/relative-urls.ts";
import type { Reference } from "../packages/reference.ts";
import type { JsxOutcome } from "../render/jsx/compiler.ts";
import type { RenderedMarkdown } from "../render/markdown/renderer.ts";
import type { HighlightedSource, SourceText } from "../render/source/source-renderer.ts";
import type { TaskName } from "../telemetry.ts";

/** What each task takes and gives; both sides travel as structured clones. */
export interface Tasks extends Record<TaskName, { input: unknown; output: unknown }> {
  markdown: { input: string; output: RenderedMarkdown };
  source: { input: SourceText; output: HighlightedSource };
  jsx: { input: string; output: JsxOutcome };
  references: { input: string; output: readonly Reference[] };
  relativePaths: { input: readonly PackageText[]; output: readonly (readonly string[])[] };
  diff: { input: { before: string; after: string }; output: LineDiff | null };
}

/** A task for a thread: one at a time, the next after the reply. */
export type TaskRequest = {
  [Name in TaskName]: { name: Name; input: Tasks[Name]["input"] };
}[TaskName];

/** What comes back, with the thread's resident memory in bytes. */
export type TaskReply = { residentBytes: number } & ({ output: Tasks[TaskName]["output"] } | { failure: string });

/** What the pool sends to a thread: a task, or the name of one whose code is to be loaded before it comes. */
export type ThreadRequest = TaskRequest | { load: TaskName };

/**
 * What a thread says: that it has loaded the code it was told to; that it has the code behind its task and begins, with
 * the processor time it has used so far; and then its answer.
 */
export type ThreadReport = { loaded: TaskName } | { begun: true; cpuMs: number } | TaskReply;
