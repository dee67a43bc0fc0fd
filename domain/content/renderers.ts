// The renderers whose results are stored, each by its name and version: what they make of a source.
import type { ArtifactType } from "@plinth/contract/schemas/artifact";

import { rendererVersion } from "../render/version.ts";
import { textOf } from "../storage/pack.ts";
import type { Work } from "../threads/fair-queue.ts";
import { imagesOf } from "../threads/images.ts";
import { compileJsx } from "../threads/jsx.ts";
import { markdownFragment } from "../threads/markdown.ts";
import { referencesOf } from "../threads/references.ts";
import { highlightedSource } from "../threads/source.ts";

/** What a renderer made; `whole` where it is worth keeping for good. */
export interface Made {
  readonly text: string;
  readonly whole: boolean;
}

export type RendererName = keyof typeof rendererVersion;

const renderers: Readonly<Record<RendererName, (source: string, type: ArtifactType, work: Work) => Promise<Made>>> = {
  async md(source, _type, work) {
    const { html, whole } = await markdownFragment(source, work);
    return { text: html, whole };
  },
  async jsx(source, _type, work) {
    return { text: JSON.stringify(await compileJsx(source, work)), whole: true };
  },
  /** Not the document, which stays as it is: the places in it that load something. */
  async html(source, _type, work) {
    const { references, whole } = await referencesOf(source, work);
    return { text: JSON.stringify(references), whole };
  },
  /** The places in an html document that show images of other sites. */
  async images(source, _type, work) {
    const { images, whole } = await imagesOf(source, work);
    return { text: JSON.stringify(images), whole };
  },
  async source(source, type, work) {
    const { html, whole } = await highlightedSource(type, source, work);
    return { text: html, whole };
  },
};

/** Whether what it makes names places in the text. */
const placesCount = (name: RendererName): boolean => name === "html" || name === "images";

/** @throws JsxError where a jsx source does not compile; busy */
export const make = (name: RendererName, type: ArtifactType, content: Uint8Array, work: Work): Promise<Made> =>
  // What a text editor put before the text is no part of its first line; places in html count it.
  renderers[name](placesCount(name) ? textOf(content) : textOf(content).replace(/^\uFEFF/, ""), type, work);

/** Which renderer a stored version is of; null of one that there is no more. */
export function rendererOf(version: string): RendererName | null {
  const [name = ""] = version.split("-");
  return Object.hasOwn(rendererVersion, name) ? (name as RendererName) : null;
}

export const currentVersions: readonly string[] = Object.values(rendererVersion);
