// Bounds of everything that a document, a registry or a package decides.

const MB = 1024 * 1024;

export const packageLimits = {
  /** References of a document that are looked at; others stay as they are. */
  references: 100,
  /** Kept for one document. */
  documentBytes: 32 * MB,
  /** One file; a larger one of a package is left out. Python for browsers has one of 10 MB. */
  fileBytes: 16 * MB,
  /** Compressed. */
  tarballBytes: 96 * MB,
  /** Uncompressed, files that are left out included. */
  archiveBytes: 256 * MB,
  archiveEntries: 60_000,
  /** What the modules of a document are bundled from, dependencies included. */
  bundledPackages: 150,
  /** Their scripts, compressed. */
  bundledBytes: 24 * MB,
  /** What a registry says of a package's versions. */
  metadataBytes: 32 * MB,
  /** For each request. */
  requestMs: 60_000,
  /** After so long no further package of a document is asked for in this attempt. */
  documentMs: 300_000,
} as const;

export type PackageLimits = { readonly [Name in keyof typeof packageLimits]: number };
