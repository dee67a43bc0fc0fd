// Detects the installation method of this program from the paths that it runs from.
import { realpathSync } from "node:fs";
import { dirname } from "node:path";

import type { Io } from "../io/io.ts";

export type Installed =
  | { readonly form: "executable"; readonly path: string }
  /** `prefix` is null where it is npm's own. */
  | { readonly form: "npm"; readonly prefix: string | null }
  | { readonly form: "npx" }
  | { readonly form: "source" };

/** Where Bun's executables have their script. */
const inExecutable = /^(?:\/\$bunfs\/|[A-Za-z]:[\\/]~BUN[\\/])/;

export function installedForm({ script, executable }: Io["program"]): Installed {
  if (inExecutable.test(script)) return { form: "executable", path: executable };
  const path = resolved(script);
  if (/[\\/]_npx[\\/]/.test(path)) return { form: "npx" };
  if (path.endsWith(".ts")) return { form: "source" };
  const [, folder = ""] = /^(.*)[\\/]node_modules[\\/]plinth-cli[\\/]/.exec(path) ?? [];
  // npm's own prefix is the one that node is in.
  const prefix = folder.replace(/[\\/]lib$/, "");
  return {
    form: "npm",
    prefix: prefix === folder || prefix === dirname(dirname(resolved(executable))) ? null : prefix,
  };
}

function resolved(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
