// The tasks of threads for callers in the server: each within a limit of processor time, with an answer for a source that
// takes more. jsx.ts has that of a jsx document.
import type { FramedType } from "@plinth/contract/frame";

import type { WrittenDiff } from "../diff/written-diff.ts";
import type { Edit, Edited } from "../edits/apply-edits.ts";
import type { ImageReference } from "../images/reference.ts";
import type { Bundle } from "../packages/bundle/make-bundle.ts";
import { PackageProblem } from "../packages/problem.ts";
import type { Reference } from "../packages/reference.ts";
import type { RelativePathsOf } from "../packages/needed-files.ts";
import type { Drawing, MadeDrawing } from "../render/diagrams/drawing.ts";
import type { DiagramSource } from "../render/diagrams/sources.ts";
import type { ShownDrawing } from "../render/document/diagrams.ts";
import { mayShowAsWritten } from "../render/document/shown-as-written.ts";
import { placed } from "../render/markdown/pieces.ts";
import type { FoundMissing } from "../render/references/find-missing.ts";
import type { HighlightedSource } from "../render/source/source-renderer.ts";
import { compressed, packText } from "../storage/pack.ts";
import type { Work } from "./fair-queue.ts";
import { type KnownPieces, makeInParts } from "./markdown-parts.ts";
import { runInThread } from "./pool.ts";
import type { ComparedContents, ReferringKind, Tasks } from "./tasks.ts";
import { ThreadFailure, ThreadTimeout } from "./thread-errors.ts";

const cpuMs = 3_000;

/** For `catch`: the other answer where the source is at fault, which took too long or too much memory. */
const forBadSource =
  <Answer>(other: (cause: Error) => Answer) =>
  (error: unknown): Answer => {
    if (error instanceof ThreadTimeout || error instanceof ThreadFailure) return other(error);
    throw error;
  };

interface MarkdownFragment {
  readonly html: string;
  /** Laying it out took too long or failed: `html` shows the source as it is. */
  readonly asSource: boolean;
}

interface MarkdownOptions {
  /** Pieces that were made before; none for a document that shares nothing. */
  readonly known?: KnownPieces | null;
  /** Called while a long document is made, with what gives the document as far as it is, and how many parts are left. */
  readonly onPart?: (soFar: () => string, left: number) => void;
}

/**
 * A markdown document's HTML; its source where laying it out takes more than 3 s of processor time. Of a long document the
 * formulas and the code are made in parts. @throws busy
 */
export async function markdownFragment(
  source: string,
  work: Work,
  { known = null, onPart = () => undefined }: MarkdownOptions = {},
): Promise<MarkdownFragment> {
  const content = await packText(source);
  const begun = await runInThread("markdown", { content }, { work, cpuMs }).catch(
    forBadSource(async () => ({ asSource: (await plainSource(content, work)).html })),
  );
  if ("asSource" in begun) return { html: begun.asSource, asSource: true };
  if ("html" in begun) return { html: begun.html, asSource: false };
  const { layout } = begun;
  const made = await makeInParts(layout, begun.made, source.length, {
    work,
    known,
    onPart: (progress) => onPart(() => placed(layout, progress.made, null), progress.left),
  });
  return { html: placed(layout, made), asSource: false };
}

/** A source highlighted; past 3 s of processor time it is plain. @throws busy */
export async function highlightedSource(type: FramedType, text: string, work: Work): Promise<HighlightedSource> {
  const content = await packText(text);
  return runInThread("source", { content, type }, { work, cpuMs }).catch(
    forBadSource(() => plainSource(content, work)),
  );
}

/** The text with its line numbers alone, in a thread too: 2 MiB of it would stop the server for 0.1 s. @throws busy */
const plainSource = async (content: Uint8Array, work: Work): Promise<HighlightedSource> => ({
  html: await runInThread("plainSource", { content }, { work, cpuMs }),
  whole: false,
});

/** The coarse diff of two texts of 16 MiB in lines of one letter, with its JSON, takes a fifth, and on a slow machine half. */
const diffCpuMs = { exact: 2_000, coarse: 12_000 } as const;

/** The diff of two contents by lines; past 2 s of processor time it is coarse. @throws busy */
export const diffContents = (contents: ComparedContents, work: Work): Promise<WrittenDiff> =>
  runInThread("diff", { ...contents, isCoarse: false }, { work, cpuMs: diffCpuMs.exact }).catch(
    forBadSource(() => runInThread("diff", { ...contents, isCoarse: true }, { work, cpuMs: diffCpuMs.coarse })),
  );

interface EditedSource {
  readonly source: Uint8Array<ArrayBuffer>;
  readonly edits: readonly Edit[];
  readonly limitBytes: number;
}

/**
 * The text with its edits; "too slow" where they took too long or too much memory. Sixteen edits of 16 MiB take a tenth of the
 * time: only texts that are made to be slow to search take longer. @throws busy
 */
export async function editInThread({ source, ...wanted }: EditedSource, work: Work): Promise<Edited | "too slow"> {
  const content = await compressed(source);
  return runInThread("edits", { content, ...wanted }, { work, cpuMs }).catch(forBadSource(() => "too slow" as const));
}

/** The sources of a rendered document's diagrams; none where it takes too long. @throws busy */
export const diagramsOf = async (html: string, work: Work): Promise<readonly DiagramSource[]> =>
  runInThread("diagrams", { content: await packText(html) }, { work, cpuMs }).catch(forBadSource(() => []));

/** What a rendered document shows as it was written, in sentences; none where it takes too long. @throws busy */
export async function shownAsWrittenIn(
  html: string,
  drawings: readonly ShownDrawing[],
  work: Work,
): Promise<readonly string[]> {
  const undrawn = drawings.filter((drawing) => "caption" in drawing);
  if (undrawn.length === 0 && !mayShowAsWritten(html)) return [];
  const input = { content: await packText(html), drawings: undrawn };
  return runInThread("shownAsWritten", input, { work, cpuMs }).catch(forBadSource(() => []));
}

/** What a browser drew, made safe, with names that no other drawing of the document has; none where it takes too long. @throws busy */
export const drawingsOf = async (
  made: readonly MadeDrawing[],
  names: readonly string[],
  work: Work,
): Promise<readonly Drawing[]> =>
  runInThread("drawings", { content: await packText(JSON.stringify(made)), names }, { work, cpuMs }).catch(
    forBadSource(() => []),
  );

interface FoundImages {
  readonly images: readonly ImageReference[];
  /** Whether all of the document was read. */
  readonly whole: boolean;
}

/** The images of other sites that an html document shows; none where it takes too long. @throws busy */
export const imagesOf = async (html: string, work: Work): Promise<FoundImages> =>
  runInThread("images", { content: await packText(html) }, { work, cpuMs }).then(
    (images) => ({ images, whole: true }),
    forBadSource(() => ({ images: [], whole: false })),
  );

interface FoundReferences {
  readonly references: readonly Reference[];
  /** Whether all of it was read. */
  readonly whole: boolean;
}

/** The URLs that a document or a file beside it loads; none where it takes too long. @throws busy */
export const referencesOf = async (text: string, kind: ReferringKind, work: Work): Promise<FoundReferences> =>
  runInThread("references", { content: await packText(text), kind }, { work, cpuMs }).then(
    (references) => ({ references, whole: true }),
    forBadSource(() => ({ references: [], whole: false })),
  );

/** What a document refers to and is not beside it; null where it takes too long to find. @throws busy */
export const missingOf = (input: Tasks["missing"]["input"], work: Work): Promise<FoundMissing | null> =>
  runInThread("missing", input, { work, cpuMs }).catch(forBadSource(() => null));

/** Which of the contents, as they are stored, have the text; null where that takes too long. @throws busy */
export const textsHaving = (
  contents: readonly Uint8Array[],
  text: string,
  work: Work,
): Promise<readonly boolean[] | null> =>
  runInThread("texts", { contents, text }, { work, cpuMs }).catch(forBadSource(() => null));

/** For up to 24 MB of compressed scripts. */
const bundleCpuMs = 20_000;

/** @throws PackageProblem where the modules take too long or too much memory, and busy */
export const bundleFor =
  (work: Work): Bundle =>
  (input) =>
    runInThread("bundle", input, { work, cpuMs: bundleCpuMs }).catch(
      tooLarge("The document's modules are too much to bundle"),
    );

/** @throws PackageProblem where a package's files take too long, and busy */
export const relativePathsFor =
  (work: Work): RelativePathsOf =>
  async (texts) => {
    const packed = await Promise.all(texts.map(async ({ path, text }) => ({ path, content: await packText(text) })));
    return runInThread("relativePaths", packed, { work, cpuMs }).catch(
      tooLarge("The package's files are too much to read"),
    );
  };

const tooLarge = (message: string) =>
  forBadSource((cause): never => {
    throw new PackageProblem("too-large", message, { cause });
  });
