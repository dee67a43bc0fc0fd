// The diagrams of a rendered document that the worker's browser draws.
import { diagramKey, writtenSources } from "../document/diagrams.ts";
import { readTree, textOf } from "../markdown/html-tree.ts";

export interface DiagramSource {
  readonly key: string;
  readonly text: string;
}

/** Different diagrams of a document; readers' browsers draw the others. */
const diagramsMax = 100;

/**
 * Letters that the documents' own typeface lacks. Browsers take them from other typefaces, so that boxes that one
 * measured don't fit another.
 */
const otherLetters = /[^\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Common}\p{Script=Inherited}]/u;

/** Each source once, in order. */
export function diagramSources(html: string): DiagramSource[] {
  const found = new Map<string, DiagramSource>();
  for (const written of writtenSources(html)) {
    const key = diagramKey(written);
    if (found.has(key)) continue;
    const text = textOf(readTree(written));
    if (!otherLetters.test(text)) found.set(key, { key, text });
    if (found.size === diagramsMax) break;
  }
  return [...found.values()];
}
