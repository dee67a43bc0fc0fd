// The renderers whose results are stored, each by its name and version: what they make of a source.
import type { ArtifactType } from "@plinth/contract/schemas/artifact";

import { drawingsVersion, piecesVersion, rendererVersion } from "../render/version.ts";
import { textOf } from "../storage/pack.ts";
import type { Work } from "../threads/fair-queue.ts";
import { highlightedSource, imagesOf, markdownFragment, referencesOf } from "../threads/bounded-tasks.ts";
import { compileJsx } from "../threads/jsx.ts";
import type { KnownPieces } from "../threads/markdown-parts.ts";
import type { PackedFilesBeside, ReferringKind } from "../threads/tasks.ts";

/** What a renderer made; `whole` where it is worth keeping for good. */
export interface Made {
  readonly text: string;
  readonly whole: boolean;
}

export type RendererName = keyof typeof rendererVersion;

/** What a renderer makes its text of, beside the source. */
export interface Making {
  readonly type: ArtifactType;
  readonly work: Work;
  /** What a jsx document may import of the files beside it. */
  readonly beside?: PackedFilesBeside | null;
  /** Of a markdown document that shares its pieces with others. */
  readonly known?: KnownPieces;
  /** Called while a long markdown document is made. */
  readonly onPart?: (soFar: () => string, left: number) => void;
}

const renderers: Readonly<Record<RendererName, (source: string, making: Making) => Promise<Made>>> = {
  async md(source, { work, known, onPart }) {
    const { html, asSource } = await markdownFragment(source, work, {
      ...(known && { known }),
      ...(onPart && { onPart }),
    });
    return { text: html, whole: !asSource };
  },
  async jsx(source, { work, beside }) {
    return { text: JSON.stringify(await compileJsx(source, work, beside)), whole: true };
  },
  /** Not the document, which stays as it is: the places in it that load something. */
  html: (source, { work }) => places(source, "html", work),
  /** The same of a style sheet and of a script beside a document. */
  css: (source, { work }) => places(source, "css", work),
  js: (source, { work }) => places(source, "js", work),
  /** The places in an html document that show images of other sites. */
  async images(source, { work }) {
    const { images, whole } = await imagesOf(source, work);
    return { text: JSON.stringify(images), whole };
  },
  async source(source, { type, work }) {
    const { html, whole } = await highlightedSource(type, source, work);
    return { text: html, whole };
  },
};

async function places(source: string, kind: ReferringKind, work: Work): Promise<Made> {
  const { references, whole } = await referencesOf(source, kind, work);
  return { text: JSON.stringify(references), whole };
}

/** Whether what it makes names places in the text. */
const placesCount = (name: RendererName): boolean => /^(?:html|css|js|images)$/.test(name);

/** @throws JsxError where a jsx source does not compile; busy */
export const make = (name: RendererName, content: Uint8Array, making: Making): Promise<Made> =>
  // What a text editor put before the text is no part of its first line; places in html count it.
  renderers[name](placesCount(name) ? textOf(content) : textOf(content).replace(/^\uFEFF/, ""), making);

/** What a rendering is stored under: of jsx that imports files beside it another for each list of files. */
export const storedAs = (name: RendererName, beside: { readonly sha256: string } | null): string =>
  beside === null ? rendererVersion[name] : `${rendererVersion[name]}-${beside.sha256}`;

/** Which renderer a stored version is of; null of one that there is no more. */
export function rendererOf(version: string): RendererName | null {
  const [name = ""] = version.split("-");
  return Object.hasOwn(rendererVersion, name) ? (name as RendererName) : null;
}

/**
 * Drawings are made by a job alone (jobs/draw-diagrams.ts), and pieces with their document, so earlier ones are not made again
 * here.
 */
export const currentVersions: readonly string[] = [...Object.values(rendererVersion), piecesVersion, drawingsVersion];
