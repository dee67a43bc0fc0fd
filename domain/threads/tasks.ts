// The closed list of what may run outside the server's process, as types alone.
// Importing it loads nothing: the code behind a task is loaded only where it runs.
import type { FramedType } from "@plinth/contract/frame";
import type { ArtifactType } from "@plinth/contract/schemas/artifact";

import type { ComparedTexts, WrittenDiff } from "../diff/written-diff.ts";
import type { Edit, Edited } from "../edits/apply-edits.ts";
import type { ImageReference } from "../images/reference.ts";
import type { BundleInput, BundleOutcome, PackedFile } from "../packages/bundle/bundled-package.ts";
import type { Reference } from "../packages/reference.ts";
import type { JsxOutcome } from "../render/jsx/compiler.ts";
import type { FoundMissing } from "../render/references/find-missing.ts";
import type { DiagramSource } from "../render/diagrams/sources.ts";
import type { Drawing } from "../render/diagrams/drawing.ts";
import type { ShownDrawing } from "../render/document/diagrams.ts";
import type { Piece } from "../render/markdown/pieces.ts";
import type { BegunMarkdown } from "../render/markdown/renderer.ts";
import type { HighlightedSource } from "../render/source/source-renderer.ts";
import type { TaskName } from "../telemetry.ts";

/** Two contents as they are stored, to be compared where they are unpacked. */
export interface ComparedContents extends Pick<ComparedTexts, "head" | "names"> {
  readonly before: Uint8Array;
  readonly after: Uint8Array;
}

/** The files beside a document, with the texts of those that are read (render/jsx/files-beside.ts). */
export interface PackedFilesBeside {
  readonly base: string;
  readonly paths: readonly string[];
  readonly texts: readonly PackedFile[];
}

/** What a text is that loads something: a document, or a style sheet or script beside one. */
export type ReferringKind = "html" | "css" | "js";

/** The HTML of the first pieces that were asked for, and the processor time of all in ms. */
export interface MadePieces {
  readonly made: readonly string[];
  readonly cpuMs: number;
}

/** What each task takes and gives. Contents are as they are stored (storage/pack.ts): large texts are slow to send. */
export interface Tasks extends Record<TaskName, { input: unknown; output: unknown }> {
  markdown: { input: { content: Uint8Array }; output: BegunMarkdown };
  pieces: { input: { pieces: readonly Piece[] }; output: MadePieces };
  source: { input: { content: Uint8Array; type: FramedType }; output: HighlightedSource };
  plainSource: { input: { content: Uint8Array }; output: string };
  jsx: { input: { content: Uint8Array; beside?: PackedFilesBeside | null }; output: JsxOutcome };
  references: { input: { content: Uint8Array; kind: ReferringKind }; output: readonly Reference[] };
  images: { input: { content: Uint8Array }; output: readonly ImageReference[] };
  missing: {
    input: { content: Uint8Array; type: ArtifactType; beside: PackedFilesBeside | null };
    output: FoundMissing;
  };
  relativePaths: { input: readonly PackedFile[]; output: readonly (readonly string[])[] };
  /** Which of the contents have the text. */
  texts: { input: { contents: readonly Uint8Array[]; text: string }; output: readonly boolean[] };
  diagrams: { input: { content: Uint8Array }; output: readonly DiagramSource[] };
  shownAsWritten: { input: { content: Uint8Array; drawings: readonly ShownDrawing[] }; output: readonly string[] };
  /** The content is JSON of the drawings as a browser made them. */
  drawings: { input: { content: Uint8Array; names: readonly string[] }; output: readonly Drawing[] };
  bundle: { input: BundleInput; output: BundleOutcome };
  diff: { input: ComparedContents & { isCoarse: boolean }; output: WrittenDiff };
  edits: { input: { content: Uint8Array; edits: readonly Edit[]; limitBytes: number }; output: Edited };
}

/** A task for a thread: one at a time, the next after the reply. */
export type TaskRequest = {
  [Name in TaskName]: { name: Name; input: Tasks[Name]["input"] };
}[TaskName];

export type TaskReply = { output: Tasks[TaskName]["output"] } | { failure: string };

/** A part of a reply; the last comes with the thread's resident memory in bytes. */
export interface ReplyPiece {
  piece: Uint8Array;
  last?: { isPacked: boolean; residentBytes: number };
}

/** What the pool sends to a thread: a task, or the name of one whose code is to be loaded before it comes. */
export type ThreadRequest = TaskRequest | { load: TaskName };

/**
 * What a thread says: that it has loaded the code it was told to; that it has the code behind its task and begins, with
 * the processor time it has used so far; and then its answer.
 */
export type ThreadReport = { loaded: TaskName } | { begun: true; cpuMs: number } | ReplyPiece;
