// The guard: the first script of html and jsx documents, inlined ahead of the author's.
import { join } from "node:path";
import { bundle } from "./bundle.ts";

/** The files by name: `guard.js`, a classic script that is whole in itself and leaves no name behind. */
export const guardFiles = (): Promise<Map<string, Uint8Array>> =>
  bundle([join(import.meta.dir, "browser/guard.ts")], { splitting: false, format: "iife" });
