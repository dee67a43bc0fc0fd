// The versions of the packages that the runtime is built of: what a document imports of them beside the runtime's modules
// is of the same version.
import manifest from "./package.json" with { type: "json" };

const versions: Readonly<Record<string, string>> = manifest.devDependencies;

/** Exact; null for a package that the runtime does not have. An alias (`npm:name@version`) has its own version. */
export const runtimeVersion = (packageName: string): string | null =>
  Object.hasOwn(versions, packageName) ? (versions[packageName]?.split("@").at(-1) ?? null) : null;
