// The modules that jsx documents import, the mount and the reporter, as files of the runtime.
import { join } from "node:path";
import { MOUNT_MODULE } from "../render/jsx-compiler.ts";
import { JSX_MODULES } from "../render/jsx-modules.ts";
import { bundle } from "./bundle.ts";

const BROWSER = join(import.meta.dir, "browser");

/** The files by name, and the import map: module name to file name. */
export async function moduleFiles(): Promise<{ contents: Map<string, Uint8Array>; imports: Record<string, string> }> {
  const files = await moduleEntries();
  const contents = await bundle([...Object.keys(files), join(BROWSER, "mount.ts"), join(BROWSER, "report.ts")], {
    files,
  });
  const imports = Object.fromEntries(JSX_MODULES.map((name) => [name, fileName(name)]));
  return { contents, imports: { ...imports, [MOUNT_MODULE]: "mount.js" } };
}

// React is CommonJS, so its names are asked of the package itself and exported one by one.
async function moduleEntries(): Promise<Record<string, string>> {
  const entries: Record<string, string> = {};
  for (const name of JSX_MODULES) {
    const exported: object = await import(name);
    const names = Object.keys(exported).filter((key) => key !== "default" && /^[a-zA-Z_$][\w$]*$/.test(key));
    entries[join(BROWSER, fileName(name))] =
      `export { default } from "${name}"; export { ${names.join(", ")} } from "${name}";`;
  }
  return entries;
}

function fileName(name: string): string {
  return `${name.replaceAll("/", "-")}.js`;
}
