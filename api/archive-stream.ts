// A version with its files as a zip, written while it is sent: only a few files are in memory at a time.
import { setImmediate } from "node:timers/promises";
import { crc32 } from "node:zlib";

import { AppError } from "@plinth/contract/errors";
import type { ArchiveContent, ArchiveEntry } from "@plinth/domain/files/archive";
import { createUsageCounter } from "@plinth/platform/usage-counter";
import { Zip, type ZipInputFile } from "fflate";

/** Downloads under way, of all callers and of one: each holds a file, and a slow reader takes long. */
const most = { atOnce: 32, ofOneCaller: 4 } as const;
const retryAfterSeconds = 5;
/** Bytes that are sent between two other requests. */
const pieceBytes = 256 * 1024;
/** What the zip has beside an entry's bytes and twice its name: two headers and the sizes behind it; and its end. */
const formBytes = { entry: 30 + 16 + 46, end: 22 } as const;

const underWay = createUsageCounter();

/** By all callers. */
export const archivesUnderWay = (): number => underWay.total;

/** The size of the zip in bytes. */
export const archiveBytes = (entries: readonly ArchiveEntry[]): number =>
  entries.reduce<number>(
    (sum, { path, sizeBytes }) => sum + formBytes.entry + 2 * Buffer.byteLength(path) + sizeBytes,
    formBytes.end,
  );

interface ArchiveStreaming {
  /** The key under which the caller's downloads are counted. */
  readonly caller: string;
  /** Of all entries. */
  readonly lastModified: Date;
  readonly onFault: (error: unknown) => void;
}

/** Takes a place until it is read, cancelled or broken. @throws rate_limited, unavailable */
export function archiveStream(
  content: ArchiveContent,
  { caller, lastModified, onFault }: ArchiveStreaming,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  requirePlace(caller);
  underWay.take(caller);
  let isOver = false;
  const leave = () => {
    if (!isOver) underWay.leave(caller);
    isOver = true;
  };
  const pieces = zipOf(content, lastModified);
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        try {
          const { done, value } = await pieces.next();
          if (done !== true) return controller.enqueue(value);
          leave();
          controller.close();
        } catch (error) {
          leave();
          onFault(error);
          // Ends the connection before the end of the body, so that no reader takes it for the whole.
          controller.error(error);
        }
      },
      async cancel() {
        leave();
        await pieces.return();
      },
    },
    { highWaterMark: 0 },
  );
}

async function* zipOf({ entries, read }: ArchiveContent, mtime: Date): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  const written: Uint8Array<ArrayBuffer>[] = [];
  const zip = new Zip((error, piece) => {
    if (error !== null) throw error;
    written.push(piece);
  });
  let place = 0;
  for await (const bytes of read()) {
    const entry = entries[place++];
    if (entry?.sizeBytes !== bytes.length)
      throw new Error("an entry of an archive has not the size that was announced");
    // The library's own checksum is computed in JavaScript, which takes twenty times as long.
    const file = { filename: entry.path, size: bytes.length, crc: crc32(bytes), compression: 0, mtime } as ZipInputFile;
    zip.add(file);
    for (let at = 0; at === 0 || at < bytes.length; at += pieceBytes) {
      file.ondata?.(
        null,
        (bytes as Uint8Array<ArrayBuffer>).subarray(at, at + pieceBytes),
        at + pieceBytes >= bytes.length,
      );
      yield* written.splice(0);
      // Other requests are served between the pieces.
      await setImmediate();
    }
  }
  zip.end();
  yield* written.splice(0);
}

function requirePlace(caller: string): void {
  const extra = { retryAfterSeconds, hint: `Try again in ${retryAfterSeconds} s` };
  if (underWay.taken(caller) >= most.ofOneCaller)
    throw new AppError("rate_limited", `More than ${most.ofOneCaller} archives are downloaded at once`, extra);
  if (underWay.total >= most.atOnce)
    throw new AppError("unavailable", "As many archives are downloaded as this process allows", extra);
}
