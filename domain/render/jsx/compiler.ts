// Compiles a jsx or tsx document, with the scripts beside it that it imports, to the text of one inline module, as a pure
// function for a thread. oxc parses and transforms; nothing but the given texts is ever read.
import type { SourcePlaces } from "@plinth/runtime/browser/source-positions";
import { type EcmaScriptModule, parseSync } from "oxc-parser";

import { inlineScriptText } from "../inline-script.ts";
import { addressFrom, type FilesBeside, isStyleModule, isStyleSheet, nothingBeside } from "./files-beside.ts";
import { compileLocalModules, localRequests, requestsOf } from "./local-modules.ts";
import { type CompiledModule, compileModule } from "./module.ts";
import { isPackageImport, isStyleImport, mostPackageImports, type PackageImport } from "./package-imports.ts";
import { sourcePlaces } from "./source-map.ts";
import { type Finding, type JsxProblem, locate, placeOf } from "./problems.ts";
import { type OwnSheet, ownSheet, styleElementText, stylesMax, stylesOf, tailwindSheet } from "./styles.ts";

/** A document ready to be shown: all of it is stored, and none of it is trusted. */
export interface CompiledJsx {
  /** The text of one inline module. */
  readonly code: string;
  /** The text of one style element: Tailwind's rules for the classes the document uses. */
  readonly css: string;
  /** The modules it imports, of those that the runtime has; nothing else of it is offered. */
  readonly modules: readonly string[];
  /** What it imports of npm packages that the runtime lacks. */
  readonly packages: readonly PackageImport[];
  /** Addresses of the style sheets beside it that it imports, relative to its own. */
  readonly styles?: readonly string[];
  /** Where its code was written. */
  readonly places: SourcePlaces;
}

export type JsxOutcome = CompiledJsx | { problems: JsxProblem[] };

const TOO_MANY_PACKAGES = `A document may import ${mostPackageImports} packages, their paths counted.`;
const TOO_MANY_STYLES = "The classes of this document need more than 1 MiB of styles.";

/** Compiles hostile source, or lists what is wrong with it. May exhaust the native stack: threads only. */
export async function compileJsxSource(source: string, beside: FilesBeside = nothingBeside): Promise<JsxOutcome> {
  const failed = (findings: Finding[]) => ({ problems: locate(source, findings) });
  const document = compileModule({ path: null, text: source }, beside);
  if ("findings" in document) return failed(document.findings);
  const whole = localRequests(document, beside).length === 0 ? alone(document) : await withFiles(document, beside);
  if ("problems" in whole) return whole;

  const { module } = parseSync("document.js", whole.code, { lang: "js", sourceType: "module" });
  const imported = importedModules(module, whole.code);
  const modules = imported.filter((name) => !isPackageImport(name));
  const packages = packageImports(whole.sources, new Set(imported));
  if (packages.length > mostPackageImports) return failed([{ at: 0, message: TOO_MANY_PACKAGES }]);
  const text = whole.sources.map((one) => one.text).join("\n");
  const { tailwind } = document;
  const own = { sheets: whole.sheets, beside, config: tailwind?.config ?? null };
  const classes = await stylesOf(text, modules, own).catch(
    asProblem(whole.sheets, tailwind === null ? null : placeOf(source, tailwind.at)),
  );
  if (classes !== null && typeof classes !== "string") return classes;
  const css = [classes, ...whole.ownStyles].filter((part) => part !== "").join("\n");
  if (classes === null || css.length > stylesMax) return failed([{ at: 0, message: TOO_MANY_STYLES }]);
  const { styles, places } = whole;
  return {
    code: inlineScriptText(whole.code),
    css,
    modules,
    packages,
    ...(styles.length === 0 ? {} : { styles }),
    places: {
      ...sourcePlaces(document.program, source, places.mappings),
      ...(places.files && { files: places.files }),
    },
  };
}

/** A document with all that it is made of. */
interface Whole {
  readonly code: string;
  readonly sources: readonly CompiledModule[];
  readonly styles: readonly string[];
  readonly sheets: readonly OwnSheet[];
  /** Rules of CSS modules that browsers know as they are. */
  readonly ownStyles: readonly string[];
  readonly places: Pick<SourcePlaces, "mappings" | "files">;
}

const alone = (document: CompiledModule): Whole => ({
  code: document.code,
  sources: [document],
  styles: [],
  sheets: [],
  ownStyles: [],
  places: { mappings: document.map?.mappings ?? "" },
});

async function withFiles(document: CompiledModule, beside: FilesBeside): Promise<Whole | { problems: JsxProblem[] }> {
  const local = await compileLocalModules(document, beside);
  if ("problems" in local) return local;
  // Few documents have files: the bundler is loaded for the first that has.
  const { linkModules } = await import("./link.ts");
  const linked = await linkModules(document, local, beside);
  if ("problem" in linked) return { problems: locate(document.text, [{ at: 0, message: linked.problem }]) };
  const styles = local.paths.filter((path) => isStyleSheet(path) && !isStyleModule(path));
  const modules = [...local.styleModules.values()];
  const ofModules = modules.flatMap(({ path, css }) => tailwindSheet(path, css) ?? []);
  const sheets = [...styles.flatMap((path) => ownSheet(path, beside) ?? []), ...ofModules];
  return {
    code: linked.code,
    sources: [document, ...local.scripts.values()],
    styles: styles
      .filter((path) => !sheets.some((sheet) => sheet.path === path))
      .map((path) => addressFrom(beside.base, path)),
    sheets,
    ownStyles: modules
      .filter(({ path }) => !ofModules.some((sheet) => sheet.path === path))
      .map(({ css }) => styleElementText(css)),
    places: { mappings: linked.mappings, files: linked.sources },
  };
}

/** Only a style sheet of the document's own can be wrong, or its configuration, which is at a place of the source. */
const asProblem =
  ([sheet]: readonly OwnSheet[], configuration: { line: number; column: number } | null) =>
  (error: unknown): { problems: JsxProblem[] } => {
    if (!(error instanceof Error) || (sheet === undefined && configuration === null)) throw error;
    const message = error.message.slice(0, 300);
    const ofConfiguration = `Tailwind cannot read this configuration: ${message}`;
    if (sheet === undefined) return { problems: [{ line: 1, column: 1, ...configuration, message: ofConfiguration }] };
    return { problems: [{ line: 1, column: 1, file: sheet.path, message }] };
  };

/** Sorted; `import()` has been found to name a module by a plain string. */
function importedModules({ staticImports, dynamicImports }: EcmaScriptModule, code: string): string[] {
  const names = new Set(staticImports.map(({ moduleRequest }) => moduleRequest.value));
  for (const { moduleRequest } of dynamicImports) names.add(code.slice(moduleRequest.start + 1, moduleRequest.end - 1));
  return [...names].sort();
}

/** Each once, at its first place, of those that the compiled code still imports, and the styles. */
function packageImports(sources: readonly CompiledModule[], imported: ReadonlySet<string>): PackageImport[] {
  const found = new Map<string, PackageImport>();
  for (const { path, text, written } of sources) {
    for (const { value, start } of requestsOf(written, text)) {
      const isStyle = isStyleImport(value);
      if (found.has(value) || found.size > mostPackageImports) continue;
      if (isStyle || (isPackageImport(value) && imported.has(value))) {
        const place = { ...placeOf(text, start), ...(path === null ? {} : { file: path }) };
        found.set(value, { specifier: value, use: isStyle ? "style" : "module", ...place });
      }
    }
  }
  return [...found.values()];
}
