// Compiles a jsx or tsx document to the text of one inline module, as a pure function for a thread.
// oxc parses and transforms and nothing else: no bundler, no macro, no file is ever opened.
import MagicString from "magic-string";
import type { SourcePlaces } from "@plinth/runtime/browser/places";
import { MOUNT_MODULE } from "@plinth/runtime/jsx-modules";
import { type EcmaScriptModule, parseSync } from "oxc-parser";
import { transformSync } from "oxc-transform";
import { inlineScriptText } from "../document/inline-script.ts";
import { missingNames } from "./export-names.ts";
import { dropStyleImports, rewriteExports } from "./exports.ts";
import { forbiddenUses, missingModules } from "./imports.ts";
import { isPackageImport, isStyleImport, mostPackageImports, type PackageImport } from "./package-imports.ts";
import { sourcePlaces } from "./places.ts";
import { type Finding, type JsxProblem, locate, placeOf } from "./problems.ts";
import { providedImports } from "./provided.ts";
import { moduleNames } from "./scope.ts";
import { likelyComponent, rendersItself } from "./shown.ts";
import { stylesOf } from "./styles.ts";

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
  /** Where its code was written. */
  readonly places: SourcePlaces;
}

export type JsxOutcome = CompiledJsx | { problems: JsxProblem[] };

const FILE = "document.tsx";
const OPTIONS = { lang: "tsx", sourceType: "module" } as const;
const NOTHING_SHOWN =
  "This document has no default export and no component, so there is nothing to show. End it with `export default` " +
  "and a component.";
const TOO_MANY_PACKAGES = `A document may import ${mostPackageImports} packages, their paths counted.`;
const TOO_MANY_STYLES = "The classes of this document need more than 1 MiB of styles.";

/** Compiles hostile source, or lists what is wrong with it. May exhaust the native stack: threads only. */
export async function compileJsxSource(source: string): Promise<JsxOutcome> {
  const parsed = parseSync(FILE, source, { ...OPTIONS, showSemanticErrors: true });
  const failed = (findings: Finding[]) => ({ problems: locate(source, findings) });
  if (parsed.errors.length > 0) return failed(parsed.errors.map(toFinding));

  const { program } = parsed;
  const findings = [...forbiddenUses(program), ...forbiddenPragmas(parsed.comments)];
  const names = moduleNames(program);
  const text = new MagicString(source);
  const spare = unusedName(source);
  const component = rewriteExports(program, text, spare) ?? (rendersItself(names) ? "" : likelyComponent(program));
  if (component === null) findings.push({ at: 0, message: NOTHING_SHOWN });
  dropStyleImports(program, text);

  text.append(`\n${providedImports(names)}\n`);
  if (component)
    text.append(`import { mount as ${spare}mount } from "${MOUNT_MODULE}";\n${spare}mount(${component});\n`);
  const compiled = transformSync(FILE, text.toString(), {
    ...OPTIONS,
    sourcemap: true,
    jsx: { runtime: "automatic", importSource: "react", throwIfNamespace: false },
  });
  // Its places would be those of the rewritten text, and these are the author's: only what follows was added.
  if (compiled.errors.length > 0) return failed(findings.length > 0 ? findings : compiled.errors.map(toFinding));
  const { module } = parseSync("document.js", compiled.code, { lang: "js", sourceType: "module" });
  findings.push(...missingModules(module, parsed.module));
  if (findings.length === 0) findings.push(...missingNames(module, parsed.module));
  if (findings.length > 0) return failed(findings);

  const imported = importedModules(module, compiled.code);
  const modules = imported.filter((name) => !isPackageImport(name));
  const packages = packageImports(source, parsed.module, new Set(imported));
  if (packages.length > mostPackageImports) return failed([{ at: 0, message: TOO_MANY_PACKAGES }]);
  const css = await stylesOf(source, modules);
  if (css === null) return failed([{ at: 0, message: TOO_MANY_STYLES }]);
  const places = sourcePlaces(program, source, compiled.map?.mappings ?? "");
  return { code: inlineScriptText(compiled.code), css, modules, packages, places };
}

/** Sorted; `import()` has been found to name a module by a plain string. */
function importedModules({ staticImports, dynamicImports }: EcmaScriptModule, code: string): string[] {
  const names = new Set(staticImports.map(({ moduleRequest }) => moduleRequest.value));
  for (const { moduleRequest } of dynamicImports) names.add(code.slice(moduleRequest.start + 1, moduleRequest.end - 1));
  return [...names].sort();
}

/** Each once, at its first place, of those that the compiled code still imports, and the styles. */
function packageImports(
  source: string,
  { staticImports, staticExports, dynamicImports }: EcmaScriptModule,
  imported: ReadonlySet<string>,
): PackageImport[] {
  const requests = [
    ...staticImports.map(({ moduleRequest }) => moduleRequest),
    ...staticExports.flatMap(({ entries }) => entries.flatMap(({ moduleRequest }) => moduleRequest ?? [])),
    ...dynamicImports.map(({ moduleRequest: { start, end } }) => ({ value: source.slice(start + 1, end - 1), start })),
  ];
  const found = new Map<string, PackageImport>();
  for (const { value, start } of requests.toSorted((one, other) => one.start - other.start)) {
    const isStyle = isStyleImport(value);
    if (found.has(value) || found.size > mostPackageImports) continue;
    if (isStyle || (isPackageImport(value) && imported.has(value)))
      found.set(value, { specifier: value, use: isStyle ? "style" : "module", ...placeOf(source, start) });
  }
  return [...found.values()];
}

interface SyntaxFault {
  message: string;
  helpMessage: string | null;
  labels: { start: number }[];
}

function toFinding({ message, helpMessage, labels }: SyntaxFault): Finding {
  // Of several places the last is the one to change: the second of two declarations.
  return {
    at: labels.at(-1)?.start ?? 0,
    message: helpMessage ? `${message} ${helpMessage}` : message,
  };
}

// A pragma would make the compiled code import a module that the source never names.
function forbiddenPragmas(comments: { value: string; start: number }[]): Finding[] {
  return comments
    .filter(({ value }) => /@jsxImportSource\s+(?!react(?:\s|$))/.test(value))
    .map(({ start }) => ({
      at: start,
      message: "@jsxImportSource is not supported; JSX is React's here.",
    }));
}

function unusedName(source: string): string {
  const taken = new Set(source.matchAll(/plinth\$(\d*)/g).map(([, number]) => number));
  let number = "";
  for (let next = 1; taken.has(number); next++) number = String(next);
  return `plinth$${number}`;
}
