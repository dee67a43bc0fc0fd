// Real documents of each type that were not written for a test: READMEs and docs of installed packages, reports made by
// tools, components from packages' examples. They are read where they are installed; this repository has no copies.
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

import type { ArtifactType } from "@plinth/contract/schemas/artifact";
import { Glob } from "bun";

import { repository } from "../harness/process.ts";
import { writeBundleMaps, writeCoverage, writeReference } from "./reports.ts";

export interface RealDocument {
  /** Where it was found, in short. */
  readonly name: string;
  readonly type: ArtifactType;
  readonly content: string;
  /** Words of the text that a reader must see. */
  readonly words: readonly string[];
}

const perType = 10;
const store = join(repository, "node_modules/.bun");

/** Ten documents of each type; reports are written into the folder. @throws if fewer are found */
export async function realDocuments(folder: string): Promise<RealDocument[]> {
  const found = await Promise.all([markdown(), html(folder), components()]);
  for (const documents of found) {
    if (documents.length >= perType) continue;
    throw new Error(
      `only ${documents.length} real documents of one type: ${documents.map(({ name }) => name).join(", ")}`,
    );
  }
  return found.flatMap((documents) => documents.slice(0, perType));
}

/** READMEs of ten packages or of `count`, evenly spread over all installed packages. */
export async function markdown(count = perType): Promise<RealDocument[]> {
  const documents: RealDocument[] = [];
  for (const file of await filesLike("*/node_modules/**/README.md")) {
    const content = await readText(join(store, file));
    const words = content === null ? [] : plainWords(content);
    if (content !== null && content.length > 3_000 && content.length < 200_000 && words.length >= 8) {
      documents.push({ name: packagePath(file), type: "md", content, words });
    }
  }
  const step = Math.max(1, Math.floor(documents.length / count));
  return documents.filter((_, index) => index % step === 0);
}

/** Words of running text: without markup, code and folded parts. */
function plainWords(source: string): string[] {
  const text = source.replace(/^(```|~~~)[\s\S]*?^\1/gm, "").replace(/<(\w+)[\s\S]*?<\/\1>/g, "");
  const lines = text.split("\n").filter((line) => /^[A-Z][A-Za-z ,.']{40,}$/.test(line));
  return [...new Set(lines.flatMap((line) => line.match(/\b[a-z]{5,}\b/g) ?? []))].slice(0, 8);
}

async function html(folder: string): Promise<RealDocument[]> {
  const made = [
    { files: await writeBundleMaps(folder), words: ["Exclude", "Include"] },
    { files: await writeReference(folder), words: ["Plinth", "artifact", "version"] },
    { files: await writeCoverage(folder), words: ["Statements", "Branches", "Lines"] },
  ];
  const documents = made.flatMap(({ files, words }) =>
    files.map(async (file): Promise<RealDocument> => ({
      name: file.slice(folder.length + 1),
      type: "html",
      content: await readFile(file, "utf8"),
      words,
    })),
  );
  return Promise.all(documents);
}

/** Examples and templates in packages' documentation that import only React. */
async function components(): Promise<RealDocument[]> {
  const examples = await filesLike("bun-types@*/node_modules/bun-types/docs/**/*.mdx");
  const starts = await filesLike("create-next-app@*/node_modules/create-next-app/dist/templates/**/page.tsx");
  const documents = new Map<string, RealDocument>();
  for (const file of [...examples, ...starts]) {
    const text = (await readText(join(store, file))) ?? "";
    const sources = file.endsWith(".mdx")
      ? [...text.matchAll(/^```(?:jsx|tsx)[^\n]*\n([\s\S]*?)^```/gm)].map(([, code]) => code ?? "")
      : [text];
    for (const content of sources.filter(standsAlone)) {
      const words = [...content.matchAll(/>([A-Z][^<>{}]*)<\//g)].flatMap(
        ([, shown]) => shown?.match(/[A-Za-z]{3,}/g) ?? [],
      );
      if (words.length > 0)
        documents.set(content, { name: packagePath(file), type: "jsx", content, words: [...new Set(words)] });
    }
  }
  return [...documents.values()];
}

/** A default export without props, images and names of other modules. */
function standsAlone(source: string): boolean {
  const imports = [...source.matchAll(/\bimport\b[^"']*["']([^"']+)["']/g)].map(([, module]) => module ?? "");
  const takesNothing = /export default (?:function \w+\(\)|\(\) =>)/.test(source);
  return (
    takesNothing &&
    imports.every((name) => /^react(-dom)?($|\/)/.test(name)) &&
    !/<(?:img|script|[A-Z]\w*)\b/.test(source)
  );
}

const filesLike = async (pattern: string): Promise<string[]> =>
  (await Array.fromAsync(new Glob(pattern).scan({ cwd: store, dot: true }))).toSorted();

async function readText(file: string): Promise<string | null> {
  if (!existsSync(file)) return null;
  const text = await readFile(file, "utf8");
  return text.includes("\0") ? null : text;
}

const packagePath = (file: string): string => file.replace(/^.*node_modules\//, "");
