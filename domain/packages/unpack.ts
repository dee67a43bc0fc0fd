// The files of a package's tarball, in memory and within bounds. Nothing is written to a disk: links, devices and paths
// that lead elsewhere are left out.
import { createGunzip } from "node:zlib";
import { Parser, type ReadEntry } from "tar";

import { isPath } from "./cdn/package-file.ts";
import { packageLimits, type PackageLimits } from "./limits.ts";
import { mediaTypeOf } from "./media-types.ts";
import { PackageProblem } from "./problem.ts";

export type PackageFiles = ReadonlyMap<string, Uint8Array>;

const chunkSize = 64 * 1024;

type ArchiveLimits = Pick<PackageLimits, "archiveBytes" | "archiveEntries" | "fileBytes">;

/** By their paths in the package, without its own folder. @throws PackageProblem */
export async function unpack(tarball: Uint8Array, limits: ArchiveLimits = packageLimits): Promise<PackageFiles> {
  const files = new Map<string, Uint8Array>();
  let headers = 0;
  const count = () => {
    if (++headers > limits.archiveEntries) parser.abort(tooLarge(`${limits.archiveEntries} files`));
  };
  // As npm reads it: an entry with a broken header is left out.
  const parser = new Parser({
    gzip: false,
    onReadEntry(entry: ReadEntry) {
      count();
      const path = keptPath(entry);
      if (path === null || entry.size > limits.fileBytes) return entry.resume();
      const chunks: Uint8Array[] = [];
      entry.on("data", (chunk: Uint8Array) => chunks.push(chunk));
      entry.on("end", () => files.set(path, Buffer.concat(chunks)));
    },
  });
  // These are headers too, and each takes its time.
  for (const event of ["meta", "warn", "ignoredEntry"]) parser.on(event, count);
  try {
    await parse(tarball, parser, limits.archiveBytes);
  } catch (cause) {
    if (cause instanceof PackageProblem) throw cause;
    throw new PackageProblem("invalid-archive", "The package's archive can't be read", { cause });
  }
  if (files.size === 0) throw new PackageProblem("invalid-archive", "The package's archive has no file for browsers");
  return files;
}

/** Where a file is kept; null for what is not kept. */
function keptPath({ type, path }: ReadEntry): string | null {
  if (type !== "File" && type !== "OldFile" && type !== "ContiguousFile") return null;
  // Every archive of npm's has one folder, mostly `package`, whose name says nothing.
  const [, inside = ""] = /^[^/]+\/(.+)$/.exec(path) ?? [];
  const isKept = inside !== "" && isPath(path) && !inside.endsWith("/") && mediaTypeOf(inside) !== null;
  return isKept ? inside : null;
}

const tooLarge = (what: string): PackageProblem =>
  new PackageProblem("too-large", `The package's archive has more than ${what}`);

/**
 * Uncompresses up to the archive's end, and no more than so many bytes: a few kilobytes of gzip can be gigabytes, and
 * the parser takes minutes for a gigabyte of nothing.
 */
async function parse(tarball: Uint8Array, parser: Parser, bytes: number): Promise<void> {
  const ended = Promise.withResolvers<void>();
  let isOver = false;
  let failure: Error | null = null;
  parser.on("eof", () => (isOver = true));
  parser.on("error", (error: Error) => (failure ??= error));
  parser.on("end", ended.resolve);
  const gunzip = createGunzip({ chunkSize });
  gunzip.end(tarball);
  let seen = 0;
  for await (const chunk of gunzip as AsyncIterable<Buffer>) {
    seen += chunk.length;
    if (seen > bytes) throw tooLarge(`${bytes} bytes`);
    parser.write(chunk);
    if (failure !== null) throw failure;
    if (isOver) break;
  }
  parser.end();
  await ended.promise;
}
