// Types of the input and the outcome of a bundle. Types alone: they cross processes.

/** A file of a package as it is stored (storage/pack.ts). */
export interface PackedFile {
  readonly path: string;
  readonly content: Uint8Array;
}

export interface BundledPackage {
  /** `name@version`. */
  readonly id: string;
  readonly name: string;
  readonly files: readonly PackedFile[];
  /** The id of the package that it means by each name; null for a name that no registry package stands for. */
  readonly dependencies: Readonly<Record<string, string | null>>;
}

export interface BundleEntry {
  /** The path of the module that is made for it. */
  readonly file: string;
  /** The id of its package. */
  readonly packageId: string;
  /** What of the package is exported, as after its name in an import; empty for the package itself. */
  readonly subpath: string;
}

export interface BundleInput {
  /** Whether the document has the runtime's modules: React, and what a package leaves to its user, are theirs then. */
  readonly besideRuntime: boolean;
  readonly packages: readonly BundledPackage[];
  readonly entries: readonly BundleEntry[];
}

/** A package that a package imports and that the input lacks. */
export interface MissingPackage {
  readonly packageId: string;
  readonly name: string;
}

export type BundleOutcome =
  | { readonly kind: "files"; readonly files: readonly { readonly path: string; readonly text: string }[] }
  | { readonly kind: "missing"; readonly missing: readonly MissingPackage[] }
  /** `file` is that of the entry at fault, where it is known. */
  | { readonly kind: "problem"; readonly detail: string; readonly file: string | null };
