// Kept packages as lines of JSON, to move them between instances: a line for each package, then one for each of its files.
// An import is a hostile text: each line and file is bounded, each field is checked, each hash is computed again.
import { zstdDecompressSync } from "node:zlib";

import type { Database } from "@plinth/db/connection";
import { isRecord, parsedJson } from "@plinth/platform/malformed";
import { valid } from "semver";

import { storedContent } from "../storage/object-name.ts";
import { packBytes } from "../storage/pack.ts";
import { packedContent } from "../storage/stored-content.ts";
import { isPackageName, isPath } from "./cdn/package-file.ts";
import { strongIntegrity } from "./integrity.ts";
import { bundleName, insertPackage, type PackedPackageFile } from "./keep.ts";
import { packageLimits } from "./limits.ts";
import { extensionOf, mediaTypeOf } from "./media-types.ts";

const format = "plinth-packages-1";
/** A file in base64, or a listing of all paths of a package. */
export const longestLine = 2 * packageLimits.fileBytes;

interface Transferred {
  readonly packages: number;
  readonly files: number;
}

/** The import is refused at that line. Packages before it are kept. */
export class BrokenImport extends Error {
  override readonly name = "BrokenImport";
}

const packageStatement = `
SELECT encode(sha256, 'hex') AS sha256, name, version, integrity, listing FROM package ORDER BY name, version, sha256`;
const fileStatement = `
SELECT f.path, encode(f.content, 'hex') AS sha256, ${storedContent} AS data
FROM package_file f JOIN content c ON c.sha256 = f.content
WHERE f.package = decode($1, 'hex') AND f.path > $2 COLLATE "C" ORDER BY f.path COLLATE "C" LIMIT 1`;

interface PackageLine {
  readonly sha256: string;
  readonly name: string;
  readonly version: string;
  readonly integrity: string;
  readonly listing: object;
}

/** One line after the other: one file is in memory at a time. */
export async function* exportPackages(db: Database): AsyncGenerator<string> {
  yield `${JSON.stringify({ format })}\n`;
  for (const kept of await db.run<PackageLine>(packageStatement)) {
    yield `${JSON.stringify({ package: kept })}\n`;
    for (let after = ""; ;) {
      const [file] = await db.run<{ path: string; sha256: string; data: Uint8Array }>(fileStatement, [
        kept.sha256,
        after,
      ]);
      if (file === undefined) break;
      const { path, sha256 } = file;
      const data = Buffer.from(await packedContent(db, file.data)).toString("base64");
      yield `${JSON.stringify({ file: { path, sha256, data } })}\n`;
      after = path;
    }
  }
}

/** Keeps the packages of an export, each whole or not at all. @throws BrokenImport */
export async function importPackages(db: Database, lines: AsyncIterable<string>): Promise<Transferred> {
  const imported = { packages: 0, files: 0 };
  let at = 0;
  let open: { readonly line: PackageLine; readonly files: Map<string, PackedPackageFile> } | null = null;
  const refuse = (why: string): never => {
    throw new BrokenImport(`Line ${at}: ${why}`);
  };
  const close = async () => {
    if (open === null) return;
    const conflict = await conflictOf(db, open.line, [...open.files.values()]);
    if (conflict !== null) refuse(conflict);
    await insertPackage(db, open.line, [...open.files.values()]);
    imported.packages++;
    imported.files += open.files.size;
  };
  for await (const text of lines) {
    at++;
    const value = text.length > longestLine ? refuse("is too long") : parsed(text);
    if (at === 1) {
      if (value?.["format"] !== format) refuse("is not the beginning of an export of packages");
    } else if (isRecord(value?.["package"])) {
      await close();
      open = { line: packageOf(value["package"]) ?? refuse("is not a package"), files: new Map() };
    } else if (isRecord(value?.["file"]) && open !== null) {
      const file =
        (await fileOf(value["file"], open.line)) ?? refuse("is not a file of its package, or not of its hash");
      if (open.files.size >= packageLimits.archiveEntries) refuse("is of a package with too many files");
      open.files.set(file.path, file);
    } else refuse("is neither a package nor a file");
  }
  if (at === 0) refuse("there is none");
  await close();
  return imported;
}

const isHash = (value: unknown): value is string => typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
const isText = (value: unknown): value is string => typeof value === "string";

function packageOf({ sha256, name, version, integrity, listing }: Record<string, unknown>): PackageLine | null {
  if (!isHash(sha256) || !isText(name) || !isText(version) || !isText(integrity) || !isRecord(listing)) return null;
  const isBundle = name === bundleName;
  if (isBundle ? !isHash(version) : !isPackageName(name) || valid(version) !== version) return null;
  if (integrity.length > 1024 || strongIntegrity(integrity) !== integrity) return null;
  if (!isBundle && !isListing(listing)) return null;
  return { sha256, name, version, integrity, listing };
}

function isListing({ paths, entries }: Record<string, unknown>): boolean {
  return (
    Array.isArray(paths) &&
    paths.length <= packageLimits.archiveEntries &&
    paths.every((path) => isText(path) && path !== "" && isPath(path)) &&
    isRecord(entries) &&
    Object.values(entries).every((path) => isText(path) && path.length <= 255)
  );
}

async function fileOf(
  { path, sha256, data }: Record<string, unknown>,
  { name, listing }: PackageLine,
): Promise<PackedPackageFile | null> {
  if (!isText(path) || !isHash(sha256) || !isText(data)) return null;
  if (path === "" || path.endsWith("/") || !isPath(path)) return null;
  // A bundled module is named as documents import it, mostly without an extension.
  const isOfPackage =
    name === bundleName
      ? mediaTypeOf(path) !== null || extensionOf(path) === "" || path.endsWith(".js")
      : mediaTypeOf(path) !== null && (listing as { paths: readonly string[] }).paths.includes(path);
  const bytes = isOfPackage ? decompressed(data) : null;
  if (bytes === null) return null;
  const packed = await packBytes(bytes);
  return packed.sha256 === sha256 ? { path, ...packed } : null;
}

/** Null for other data, and for more than a file may have: few bytes of zstd can be gigabytes. */
function decompressed(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    const data = Buffer.from(base64, "base64");
    return Uint8Array.from(zstdDecompressSync(data, { maxOutputLength: packageLimits.fileBytes }));
  } catch {
    return null;
  }
}

const conflictStatement = `
SELECT p.name, p.version, p.integrity, coalesce(json_object_agg(f.path, encode(f.content, 'hex'))
  FILTER (WHERE f.path IS NOT NULL), '{}') AS files
FROM package p LEFT JOIN package_file f ON f.package = p.sha256
WHERE p.sha256 = decode($1, 'hex') GROUP BY p.sha256`;

/** An import changes nothing that is kept: documents are locked to it. */
async function conflictOf(
  db: Database,
  { sha256, name, version, integrity }: PackageLine,
  files: readonly PackedPackageFile[],
): Promise<string | null> {
  const [kept] = await db.run<Omit<PackageLine, "sha256" | "listing"> & { files: Record<string, string> }>(
    conflictStatement,
    [sha256],
  );
  if (kept === undefined) return null;
  const isSame = kept.name === name && kept.version === version && kept.integrity === integrity;
  const differs = files.some((file) => Object.hasOwn(kept.files, file.path) && kept.files[file.path] !== file.sha256);
  return isSame && !differs ? null : `the package before it, ${name} ${version}, is kept here with other contents`;
}

function parsed(text: string): Record<string, unknown> | null {
  const value = parsedJson(text);
  return isRecord(value) ? value : null;
}
