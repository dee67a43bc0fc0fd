// The store of kept files: packages by the SHA-256 of their tarball, files by that of their bytes, in the content store.
import type { Database } from "@plinth/db/connection";
import { maxSatisfying, valid, validRange } from "semver";

import { packBytes, type Packed } from "../storage/pack.ts";
import type { Listing } from "./choose-file.ts";
import type { LockedPackage } from "./lock.ts";
import type { ResolvedVersion } from "./registry.ts";
import type { PackageFiles } from "./unpack.ts";

/** A package of which files are kept. */
export interface KeptPackage {
  readonly name: string;
  readonly version: string;
  readonly integrity: string;
  /** Hex. */
  readonly sha256: string;
  readonly listing: Listing;
}

const packageColumns = `name, version, integrity, encode(sha256, 'hex') AS sha256, listing`;

/** Whether documents may find packages here though nothing is fetched. */
export async function hasKeptPackages(db: Database): Promise<boolean> {
  const [row] = await db.run<{ exists: boolean }>("SELECT EXISTS (SELECT FROM package) AS exists");
  return row?.exists === true;
}

/** The kept package of that integrity. */
export async function keptByIntegrity(
  db: Database,
  { name, version, integrity }: Pick<KeptPackage, "name" | "version" | "integrity">,
) {
  const [row] = await db.run<KeptPackage>(
    `SELECT ${packageColumns} FROM package WHERE name = $1 AND version = $2 AND integrity = $3`,
    [name, version, integrity],
  );
  return row ?? null;
}

/** What a range means among the kept versions alone; the one kept last where a version was kept twice. */
export async function keptVersion(db: Database, name: string, range: string): Promise<KeptPackage | null> {
  const rows = await db.run<KeptPackage>(
    `SELECT ${packageColumns} FROM package WHERE name = $1 ORDER BY kept_at DESC, sha256`,
    [name],
  );
  const wanted = valid(range) ?? (validRange(range) === null ? "*" : range);
  const version = maxSatisfying(
    rows.map((row) => row.version),
    wanted,
  );
  return rows.find((row) => row.version === version) ?? null;
}

/** The kept files of a package and their hashes (hex). */
export async function keptFiles(db: Database, packageSha256: string): Promise<ReadonlyMap<string, string>> {
  const rows = await db.run<{ path: string; sha256: string }>(
    `SELECT path, encode(content, 'hex') AS sha256 FROM package_file WHERE package = decode($1, 'hex')`,
    [packageSha256],
  );
  return new Map(rows.map(({ path, sha256 }) => [path, sha256]));
}

/** Locks content that is there without writing it, as a publish does, so that no collection removes it. */
const contentStatement = `
INSERT INTO content (sha256, data, size_bytes) VALUES (decode($1, 'hex'), $2::bytea, $3)
ON CONFLICT (sha256) DO UPDATE SET size_bytes = content.size_bytes WHERE false`;

/** Modules that were made of packages for a document's imports. */
export interface KeptBundle extends BundleSource {
  /** Hex. */
  readonly sha256: string;
  /** The hashes (hex) of its files by their paths. */
  readonly files: ReadonlyMap<string, string>;
}

/** What a bundle was made of. */
interface BundleSource {
  readonly packages: readonly LockedPackage[];
  /** Of the package that each module exports, by the module's path. */
  readonly versions: Readonly<Record<string, string>>;
}

/** No package of a registry has this name. */
export const bundleName = "+bundle";

/** The latest bundle of the same imports. */
export async function keptBundle(db: Database, request: string): Promise<KeptBundle | null> {
  const [row] = await db.run<{ sha256: string; listing: BundleSource }>(
    `SELECT encode(sha256, 'hex') AS sha256, listing FROM package
     WHERE name = $1 AND version = $2 ORDER BY kept_at DESC, sha256 LIMIT 1`,
    [bundleName, request],
  );
  return row === undefined ? null : { sha256: row.sha256, ...row.listing, files: await keptFiles(db, row.sha256) };
}

/** Keeps the modules that were made for imports (`request` is their hash). */
export async function keepBundle(
  db: Database,
  request: string,
  source: BundleSource,
  files: readonly PackedPackageFile[],
): Promise<KeptBundle> {
  const hashes = files
    .toSorted((one, other) => (one.path < other.path ? -1 : 1))
    .map(({ path, sha256 }) => [path, sha256] as const);
  const identity = JSON.stringify([request, source, Object.fromEntries(hashes)]);
  const sha256 = new Bun.CryptoHasher("sha256").update(identity).digest("hex");
  const integrity = `sha256-${Buffer.from(sha256, "hex").toString("base64")}`;
  await insertPackage(db, { sha256, name: bundleName, version: request, integrity, listing: source }, files);
  return { sha256, ...source, files: new Map(hashes) };
}

/** Keeps files of a verified tarball, all or none. Returns the package. */
export async function keepFiles(
  db: Database,
  { name, version, integrity }: ResolvedVersion,
  tarball: Uint8Array,
  listing: Listing,
  files: PackageFiles,
): Promise<KeptPackage> {
  const sha256 = new Bun.CryptoHasher("sha256").update(tarball).digest("hex");
  const packed = await Promise.all(
    [...files].map(async ([path, bytes]) => ({ path, ...(await packBytes(Uint8Array.from(bytes))) })),
  );
  await insertPackage(db, { sha256, name, version, integrity, listing }, packed, listingStatement);
  return { name, version, integrity, sha256, listing };
}

export interface PackedPackageFile extends Packed {
  readonly path: string;
}

const ignored = "NOTHING";
/** Its tarball has been read again: an earlier program may have listed fewer types of files. */
const listingStatement =
  "UPDATE SET listing = excluded.listing WHERE package.listing IS DISTINCT FROM excluded.listing";

/** All or none. Kept files stay. */
export async function insertPackage(
  db: Database,
  { sha256, name, version, integrity, listing }: Omit<KeptPackage, "listing"> & { readonly listing: object },
  files: readonly PackedPackageFile[],
  whereKept = ignored,
): Promise<void> {
  // In one order, so that two writers of the same contents cannot wait for each other.
  const inOrder = files.toSorted((one, other) => (one.sha256 < other.sha256 ? -1 : 1));
  await db.transaction(async (tx) => {
    await tx.run(
      `INSERT INTO package (sha256, name, version, integrity, listing)
       VALUES (decode($1, 'hex'), $2, $3, $4, $5::text::jsonb)
       ON CONFLICT (sha256) DO ${whereKept}`,
      [sha256, name, version, integrity, JSON.stringify(listing)],
    );
    for (const file of inOrder) await tx.run(contentStatement, [file.sha256, file.data, file.sizeBytes]);
    await tx.run(
      `INSERT INTO package_file (package, path, content)
       SELECT decode($1, 'hex'), path, decode(sha256, 'hex')
       FROM json_to_recordset($2::text::json) AS f(path text, sha256 text)
       ON CONFLICT DO NOTHING`,
      [sha256, JSON.stringify(inOrder.map((file) => ({ path: file.path, sha256: file.sha256 })))],
    );
  });
}
