// The program of one thread: answers the pool's requests one after the other.
// It has no environment, no database and no secret; it must stay that way.
import { cpuClock } from "../render/cpu-clock.ts";
import type { MadeDrawing } from "../render/diagrams/drawing.ts";
import { nothingBeside, type FilesBeside } from "../render/jsx/files-beside.ts";
import { textOf, unpackSync } from "../storage/pack.ts";
import type { TaskName } from "../telemetry.ts";
import { piecesOf } from "./reply-pieces.ts";
import type { PackedFilesBeside, TaskRequest, Tasks, ThreadReport, ThreadRequest } from "./tasks.ts";

type Run<Name extends TaskName> = (input: Tasks[Name]["input"]) => Promise<Tasks[Name]["output"]>;

function unpackBeside(packed: PackedFilesBeside | null | undefined): FilesBeside | undefined {
  if (!packed) return undefined;
  const texts = new Map(packed.texts.map(({ path, content }) => [path, unpackText(content)]));
  return { base: packed.base, paths: new Set(packed.paths), texts };
}

const unpackText = (content: Uint8Array): string => textOf(unpackSync(content));

/** Processor time after which a part of a document's pieces is given back, so that its process is free for others. */
const piecesMs = 250;

/** Loads the code behind a task, once: about 0.3 s of processor time for all of them. */
const loaders: { readonly [Name in TaskName]: () => Promise<Run<Name>> } = {
  async markdown() {
    const [{ beginMarkdown }, { prepareHighlighter }] = await Promise.all([
      import("../render/markdown/renderer.ts"),
      import("../render/source/highlighter.ts"),
      import("../render/markdown/math.ts"),
    ]);
    await prepareHighlighter();
    return ({ content }) => beginMarkdown(unpackText(content));
  },
  async pieces() {
    const { makePieces } = await import("../render/markdown/make-pieces.ts");
    return async ({ pieces }) => {
      const before = cpuClock();
      const made = await makePieces(pieces, piecesMs);
      return { made, cpuMs: cpuClock() - before };
    };
  },
  async source() {
    const [{ renderSource }, { prepareHighlighter }] = await Promise.all([
      import("../render/source/source-renderer.ts"),
      import("../render/source/highlighter.ts"),
    ]);
    await prepareHighlighter();
    return ({ content, type }) => renderSource({ type, text: unpackText(content) });
  },
  // By itself, because the thread of a source that took too long is gone: the next one is not to load a highlighter.
  async plainSource() {
    const { plainSource } = await import("../render/source/source-lines.ts");
    return ({ content }) => Promise.resolve(plainSource(unpackText(content)));
  },
  async jsx() {
    const [{ compileJsxSource }, { prepareStyles }] = await Promise.all([
      import("../render/jsx/compiler.ts"),
      import("../render/jsx/styles.ts"),
    ]);
    await prepareStyles();
    return ({ content, beside }) => compileJsxSource(unpackText(content), unpackBeside(beside));
  },
  async references() {
    const [{ htmlReferences }, { filesBeside }, { scriptReferences, styleSheetReferences }] = await Promise.all([
      import("../packages/find/html-references.ts"),
      import("../packages/find/files-beside.ts"),
      import("../packages/find/file-references.ts"),
    ]);
    const find = {
      html: (text: string) => [...htmlReferences(text), ...filesBeside(text)],
      css: styleSheetReferences,
      js: scriptReferences,
    };
    return ({ content, kind }) => Promise.resolve(find[kind](unpackText(content)));
  },
  async missing() {
    const { findMissing } = await import("../render/references/find-missing.ts");
    return ({ content, type, beside }) => findMissing(type, unpackText(content), unpackBeside(beside) ?? nothingBeside);
  },
  async texts() {
    const { haveText } = await import("../search/has-text.ts");
    return ({ contents, text }) => Promise.resolve(haveText(contents.map(unpackText), text));
  },
  async images() {
    const { htmlImages } = await import("../images/find/html-images.ts");
    return ({ content }) => Promise.resolve(htmlImages(unpackText(content)));
  },
  async relativePaths() {
    const { relativePaths } = await import("../packages/find/relative-urls.ts");
    return (files) =>
      Promise.resolve(files.map(({ path, content }) => relativePaths({ path, text: unpackText(content) })));
  },
  async diagrams() {
    const { diagramSources } = await import("../render/diagrams/sources.ts");
    return ({ content }) => Promise.resolve(diagramSources(unpackText(content)));
  },
  async shownAsWritten() {
    const { shownAsWritten } = await import("../render/document/shown-as-written.ts");
    return ({ content, drawings }) => Promise.resolve(shownAsWritten(unpackText(content), drawings));
  },
  async drawings() {
    const { safeDrawings } = await import("../render/diagrams/safe-drawings.ts");
    return ({ content, names }) =>
      Promise.resolve(safeDrawings(JSON.parse(unpackText(content)) as MadeDrawing[], names));
  },
  async bundle() {
    const { bundlePackages } = await import("../packages/bundle/bundler.ts");
    return bundlePackages;
  },
  async diff() {
    const { writtenDiff } = await import("../diff/written-diff.ts");
    return ({ before, after, ...rest }) =>
      Promise.resolve(writtenDiff({ before: unpackText(before), after: unpackText(after), ...rest }));
  },
  async edits() {
    const { applyEdits } = await import("../edits/apply-edits.ts");
    return ({ content, edits, limitBytes }) => Promise.resolve(applyEdits(unpackText(content), edits, limitBytes));
  },
};

const report = (what: ThreadReport): void => void process.send?.(what);

/** Loads what a task needs for its input, as the grammars of its languages: no text is at fault for the time of that. */
async function prepare({ name, input }: TaskRequest): Promise<void> {
  if (name === "pieces") await (await import("../render/markdown/make-pieces.ts")).preparePieces(input.pieces);
  if (name === "source") await (await import("../render/source/source-renderer.ts")).prepareSource(input.type);
}

async function begin(request: TaskRequest) {
  const run = await loaders[request.name]();
  await prepare(request);
  report({ begun: true, cpuMs: cpuClock() });
  // The type of a request says that its input is its task's.
  return (run as Run<TaskName>)(request.input);
}

async function answer(request: TaskRequest): Promise<void> {
  const outcome = await begin(request).then(
    (output) => ({ output }),
    (error: unknown) => ({ failure: String(error) }),
  );
  for (const piece of piecesOf(outcome, process.memoryUsage.rss())) report(piece);
}

async function load(name: TaskName): Promise<void> {
  await loaders[name]();
  report({ loaded: name });
}

// One after the other: what is loaded ahead of a task is not counted as the task's.
let turn = Promise.resolve();
process.on("message", (request: ThreadRequest) => {
  turn = turn.then(() => ("load" in request ? load(request.load) : answer(request)));
});

// The server is gone, however it ended: nothing may be left running.
process.on("disconnect", () => process.exit());
