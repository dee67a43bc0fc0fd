// The modules that jsx documents import, the mount and the reporter, as files of the runtime.
import { join } from "node:path";
import { bundle } from "./bundle.ts";
import { IMPORTABLE, JSX_MODULES, MOUNT_MODULE, NEEDS_BROWSER } from "./jsx-modules.ts";
import { exportedNames, writtenNames } from "./module-names.ts";
import { moduleSource, moduleVersion, namedPart } from "./module-source.ts";

const BROWSER = join(import.meta.dir, "browser");

export interface Modules {
  contents: Map<string, Uint8Array>;
  /** Module name to file name; several names may be one file. */
  imports: Record<string, string>;
  /** Module name to the names it exports. */
  exports: Record<string, string[]>;
  /** The version of the package behind each module that has one. */
  versions: Record<string, string>;
}

/** Builds them all at once, so that what they share is one chunk, React above all. */
export async function moduleFiles(): Promise<Modules> {
  const files: Record<string, string> = {};
  const imports: Record<string, string> = {};
  const exports: Record<string, string[]> = {};
  const fileOf = new Map<string, string>();
  for (const name of JSX_MODULES.filter((name) => !namedPart(name))) {
    const source = moduleSource(name);
    const file = fileOf.get(source) ?? fileName(name);
    fileOf.set(source, file);
    imports[name] = file;
    exports[name] = await (NEEDS_BROWSER.includes(name) ? writtenNames : exportedNames)(source);
    files[join(BROWSER, file)] ??= `export { ${exports[name].join(", ")} } from ${JSON.stringify(source)};`;
  }
  const contents = await bundle([...Object.keys(files), join(BROWSER, "mount.ts"), join(BROWSER, "report.ts")], {
    files,
  });
  for (const name of JSX_MODULES) {
    const named = namedPart(name);
    if (!named) continue;
    const file = `lodash-${named.part}.js`;
    const text = `import{${named.part} as part}from"./${imports[named.whole]}";export default part;\n`;
    contents.set(file, new TextEncoder().encode(text));
    imports[name] = file;
    exports[name] = ["default"];
  }
  const versions = Object.fromEntries(
    IMPORTABLE.flatMap((name) => {
      const version = moduleVersion(name);
      return version === null ? [] : [[name, version]];
    }),
  );
  return { contents, imports: { ...imports, [MOUNT_MODULE]: "mount.js" }, exports, versions };
}

// Without a dot: a file that were called `chart.js` would be found for the package of that name.
function fileName(name: string): string {
  return `${name
    .replace(/^@\/(components\/)?/, "")
    .replaceAll("@", "")
    .replaceAll(/[./]/g, "-")}.js`;
}
