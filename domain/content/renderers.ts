// The renderers whose results are stored, each by its name and version: what they make of a source.
import type { ArtifactType } from "@plinth/contract/schemas/artifact";

import { compileJsx } from "../render/jsx/jsx.ts";
import { markdownFragment } from "../render/markdown/markdown.ts";
import { highlightedSource } from "../render/source/source.ts";
import { rendererVersion } from "../render/version.ts";
import { textOf } from "./pack.ts";

/** What a renderer made; `whole` where it is worth keeping for good. */
export interface Made {
  readonly text: string;
  readonly whole: boolean;
}

export type RendererName = keyof typeof rendererVersion;

const renderers: Readonly<Record<RendererName, (source: string, type: ArtifactType) => Promise<Made>>> = {
  async md(source) {
    const { html, whole } = await markdownFragment(source);
    return { text: html, whole };
  },
  async jsx(source) {
    return { text: JSON.stringify(await compileJsx(source)), whole: true };
  },
  async source(source, type) {
    const { html, whole } = await highlightedSource(type, source);
    return { text: html, whole };
  },
};

/** @throws JsxError where a jsx source does not compile */
export const make = (name: RendererName, type: ArtifactType, content: Uint8Array): Promise<Made> =>
  // What a text editor put before the text is no part of its first line.
  renderers[name](textOf(content).replace(/^\uFEFF/, ""), type);

/** Which renderer a stored version is of; null of one that there is no more. */
export function rendererOf(version: string): RendererName | null {
  const [name = ""] = version.split("-");
  return Object.hasOwn(rendererVersion, name) ? (name as RendererName) : null;
}

export const currentVersions: readonly string[] = Object.values(rendererVersion);
