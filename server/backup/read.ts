// Reads a backup piece by piece. It accepts only data that the manifest lists, and holds one piece in memory.
import { createHash, type Hash } from "node:crypto";
import { pipeline, Readable, type Writable } from "node:stream";
import { createZstdDecompress } from "node:zlib";

import { extract as createExtract, type Header as EntryHeader } from "tar-stream";

import {
  BrokenBackup,
  format,
  pieceName,
  readHeader,
  readManifest,
  readSecrets,
  textBytes,
  type Header,
  type Secrets,
  type TableHeader,
} from "./format.ts";
import { unsealed } from "./seal.ts";

type Entry = AsyncIterable<Uint8Array> & { readonly header: EntryHeader };

/** The target of a backup. */
export interface Into {
  begin(header: Header): Promise<void>;
  take(table: TableHeader, piece: Uint8Array): Promise<void>;
  /** Called after a table's last piece; returns the number of rows, where it is known. */
  end(table: TableHeader): Promise<number | null>;
}

export interface BackupContents {
  readonly header: Header;
  readonly secrets: Secrets;
  readonly rows: number;
}

/** A target that stores nothing: reading a backup into it verifies that the backup is complete. */
export const nowhere: Into = {
  begin: () => Promise.resolve(),
  take: () => Promise.resolve(),
  end: () => Promise.resolve(null),
};

/** @throws BrokenBackup where the file is no backup, truncated, altered, or of a newer program */
export async function readBackup(path: string, into: Into): Promise<BackupContents> {
  const entries = entriesOf(path);
  try {
    return await readEntries(entries, into);
  } finally {
    await entries.return();
  }
}

async function readEntries(entries: AsyncGenerator<Entry, void>, into: Into): Promise<BackupContents> {
  const header = readHeader(await textOf(await next(entries, "header.json")));
  if (header.format > format) throw new BrokenBackup(`a newer version of Plinth (${header.program}) made it`);
  await into.begin(header);
  const found = new Map<string, { bytes: number; sha256: string; rows: number | null }>();
  let entry = await next(entries);
  for (const table of header.tables) {
    const hash = createHash("sha256");
    let bytes = 0;
    for (let piece = 0; entry.header.name === pieceName(table.name, piece); piece++) {
      bytes += await takeEntry(entry, hash, (chunk) => into.take(table, chunk));
      entry = await next(entries);
    }
    found.set(table.name, { bytes, sha256: hash.digest("hex"), rows: await into.end(table) });
  }
  if (entry.header.name !== "secrets.json") throw new BrokenBackup("its entries are not in order");
  const secrets = readSecrets(await textOf(entry));
  const { tables } = readManifest(await textOf(await next(entries, "manifest.json")));
  if (!(await entries.next()).done) throw new BrokenBackup("something comes after its end");
  let rows = 0;
  for (const [name, { bytes, sha256, rows: taken }] of found) {
    const sum = tables[name];
    if (sum?.bytes !== bytes || sum.sha256 !== sha256 || (taken !== null && taken !== sum.rows))
      throw new BrokenBackup(`its table ${name} is not what its manifest says`);
    rows += sum.rows;
  }
  return { header, secrets, rows };
}

/** The entries in order; each must be read before the next. */
async function* entriesOf(path: string): AsyncGenerator<Entry, void> {
  const extract = createExtract();
  const piped = Promise.withResolvers<void>();
  const failed = Promise.withResolvers<never>();
  pipeline(Readable.from(unsealed(path)), createZstdDecompress(), extract as unknown as Writable, (error) => {
    if (error) failed.reject(error);
    else piped.resolve();
  });
  failed.promise.catch(() => undefined);
  const iterator = (extract as unknown as AsyncIterable<Entry>)[Symbol.asyncIterator]();
  try {
    for (;;) {
      const step = await Promise.race([iterator.next(), failed.promise]);
      if (step.done) return await Promise.race([piped.promise, failed.promise]);
      yield step.value;
    }
  } catch (error) {
    throw asBroken(error);
  } finally {
    extract.destroy();
  }
}

/** Errors of the disk or the database pass unchanged; errors of the formats mean that this is not a complete backup. */
function asBroken(error: unknown): unknown {
  const { code, syscall } = error as { code?: unknown; syscall?: unknown };
  if (error instanceof BrokenBackup || syscall !== undefined || code === "ENOENT") return error;
  return new BrokenBackup("it is cut off, altered, or no backup", { cause: error });
}

async function next(entries: AsyncGenerator<Entry, void>, name?: string): Promise<Entry> {
  const step = await entries.next();
  if (step.done) throw new BrokenBackup("it is cut off");
  if (name !== undefined && step.value.header.name !== name) throw new BrokenBackup("its entries are not in order");
  return step.value;
}

async function takeEntry(entry: Entry, hash: Hash, take: (chunk: Uint8Array) => Promise<void>): Promise<number> {
  let bytes = 0;
  for await (const chunk of chunksOf(entry)) {
    bytes += chunk.length;
    hash.update(chunk);
    await take(chunk);
  }
  return bytes;
}

async function textOf(entry: Entry): Promise<string> {
  if ((entry.header.size ?? Infinity) > textBytes) throw new BrokenBackup(`its ${entry.header.name} is too large`);
  const chunks: Uint8Array[] = [];
  for await (const chunk of chunksOf(entry)) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

async function* chunksOf(entry: Entry): AsyncGenerator<Uint8Array, void> {
  try {
    yield* entry;
  } catch (error) {
    throw asBroken(error);
  }
}
