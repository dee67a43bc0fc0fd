// Makes one module of a document and the files that it imports. Every import is resolved among them: the bundler never
// looks at the disk, and what is no file beside the document stays an import.
import { type Plugin, rolldown } from "rolldown";

import { bundlerMessage } from "./bundler-message.ts";
import {
  addressFrom,
  type FilesBeside,
  importedFile,
  type ImportedAs,
  isData,
  isScript,
  isStyleModule,
  isStyleSheet,
} from "./files-beside.ts";
import type { LocalModules } from "./local-modules.ts";
import type { CompiledModule } from "./module.ts";

interface LinkedModules {
  readonly code: string;
  /** The mappings of a source map, from the code to the sources. */
  readonly mappings: string;
  /** The paths of the sources as the mappings number them; "" is the document. */
  readonly sources: readonly string[];
}

const documentId = "document";
const prefixes: Readonly<Record<ImportedAs, string>> = { module: "files/", text: "texts/", address: "addresses/" };
const idOf = (path: string, as: ImportedAs): string => prefixes[as] + path;
const pathOf = (id: string): string => id.slice(id.indexOf("/") + 1);

export async function linkModules(
  document: CompiledModule,
  { scripts, styleModules }: Pick<LocalModules, "scripts" | "styleModules">,
  beside: FilesBeside,
): Promise<LinkedModules | { readonly problem: string }> {
  const compiled = [document, ...scripts.values()];
  const plugin: Plugin = {
    name: "files-beside",
    resolveId(specifier, importer) {
      if (importer === undefined) return documentId;
      const found = importedFile(beside, importer === documentId ? null : pathOf(importer), specifier);
      return found === null ? { id: specifier, external: true } : idOf(found.path, found.as);
    },
    load(id) {
      const path = id === documentId ? null : pathOf(id);
      const isAsked = path !== null && !id.startsWith(prefixes.module);
      if (isAsked) return id.startsWith(prefixes.text) ? textOf(beside, path) : addressOf(beside, path);
      const module = path === null ? document : scripts.get(path);
      if (module === undefined) return loadFile(beside, path ?? "", styleModules);
      // The bundler joins names of sources to its own paths: a number stays what it is.
      const sources = [String(compiled.indexOf(module))];
      return { code: module.code, map: { mappings: module.map?.mappings ?? "", sources }, moduleType: "js" };
    },
  };
  try {
    const build = await rolldown({
      input: documentId,
      platform: "browser",
      plugins: [plugin],
      logLevel: "silent",
      treeshake: { moduleSideEffects: true },
    });
    const { output } = await build.generate({ format: "esm", sourcemap: true, codeSplitting: false });
    await build.close();
    const [{ code, map }] = output;
    const sources = (map?.sources ?? []).map((source) => compiled[numberOf(source)]?.path ?? "");
    return { code: code.replace(/\n\/\/# sourceMappingURL=.*\n?$/, "\n"), mappings: map?.mappings ?? "", sources };
  } catch (error) {
    return { problem: shortMessage(error) };
  }
}

const numberOf = (source: string): number => Number(/(?:^|\/)(\d+)$/.exec(source)?.[1] ?? 0);

/**
 * A file that is no script: data as it is, a CSS module as its names, a style sheet as nothing, because it is linked, any
 * other as its address.
 */
function loadFile(beside: FilesBeside, path: string, styleModules: LocalModules["styleModules"]) {
  if (isData(path)) return { code: beside.texts.get(path) ?? "", moduleType: "json" as const };
  // Its members are named exports as well, as with bundlers.
  if (isStyleModule(path))
    return { code: JSON.stringify(styleModules.get(path)?.names ?? {}), moduleType: "json" as const };
  if (isStyleSheet(path)) return { code: "", moduleType: "js" as const, moduleSideEffects: false };
  if (isScript(path)) throw new Error(`${path} was not compiled`);
  return addressOf(beside, path);
}

const addressOf = (beside: FilesBeside, path: string) => valueModule(addressFrom(beside.base, path));
const textOf = (beside: FilesBeside, path: string) => valueModule(beside.texts.get(path) ?? "");

const valueModule = (value: string) => ({
  code: `export default ${JSON.stringify(value)};`,
  moduleType: "js" as const,
  moduleSideEffects: false,
});

const shortMessage = (error: unknown): string =>
  bundlerMessage(error)?.replaceAll(prefixes.module, "").slice(0, 300) ?? "The files cannot be put together";
