// Checks the names that compiled code imports against those that the modules export, as the runtime was built.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { EcmaScriptModule } from "oxc-parser";
import { RUNTIME_DIST, type RuntimeManifest } from "@plinth/runtime/manifest";
import { canonicalName } from "@plinth/runtime/module-aliases";
import type { Finding } from "./problems.ts";
import { unknownName } from "./unknown.ts";

/**
 * A finding for each missing name: a browser would report it only when it loads the document. A type import is absent
 * from the compiled code, so it can have any name.
 */
export function missingNames(compiled: EcmaScriptModule, written: EcmaScriptModule): Finding[] {
  const findings: Finding[] = [];
  for (const { moduleRequest, entries } of compiled.staticImports) {
    const names = exportNames()[canonicalName(moduleRequest.value)];
    if (!names) continue;
    for (const { importName } of entries) {
      const name = isDefault(importName) ? "default" : importName.name;
      if (name === null || names.includes(name)) continue;
      const at = placeOf(name, moduleRequest.value, written);
      findings.push({ at, message: unknownName(name, moduleRequest.value, names, exportNames()) });
    }
  }
  return findings;
}

/** Where the source names it: an import of it, or an export of it from that module. */
function placeOf(name: string, specifier: string, { staticImports, staticExports }: EcmaScriptModule): number {
  for (const { moduleRequest, entries } of staticImports) {
    if (moduleRequest.value !== specifier) continue;
    for (const { importName, localName } of entries) {
      if (isDefault(importName) ? name === "default" : importName.name === name)
        return importName.start ?? localName.start;
    }
  }
  for (const { entries } of staticExports) {
    for (const { moduleRequest, importName, start } of entries)
      if (moduleRequest?.value === specifier && importName.name === name) return importName.start ?? start;
  }
  return 0;
}

// The parser's kinds are an enum in its types alone.
export const isDefault = ({ kind }: { kind: string }): boolean => kind === "Default";

let known: RuntimeManifest["exports"] | undefined;

/** Read once in a thread: a build never changes, and a newer one is another start of the server. */
function exportNames(): RuntimeManifest["exports"] {
  known ??= (JSON.parse(readFileSync(join(RUNTIME_DIST, "manifest.json"), "utf8")) as RuntimeManifest).exports;
  return known;
}
