// A version with its files as a zip, written while it is sent: only a few files are in memory at a time.
import { setImmediate } from "node:timers/promises";

import { AppError } from "@plinth/contract/errors";
import type { ArchiveContent, ArchiveEntry } from "@plinth/domain/files/archive";
import { createUsageCounter } from "@plinth/platform/usage-counter";
import { makeZip, predictLength } from "client-zip";

/** Downloads under way, of all callers and of one: each holds a file, and a slow reader takes long. */
const most = { atOnce: 32, ofOneCaller: 4 } as const;
const retryAfterSeconds = 5;
/** Bytes between two other requests: their checksum takes about a millisecond. */
const pieceBytes = 256 * 1024;

const underWay = createUsageCounter();

/** By all callers. */
export const archivesUnderWay = (): number => underWay.total;

/** The size of the zip in bytes. */
export const archiveBytes = (entries: readonly ArchiveEntry[]): number =>
  Number(predictLength(entries.map(({ path, sizeBytes }) => ({ name: path, size: sizeBytes }))));

export interface ArchiveStreaming {
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
  const reader = makeZip(filesOf(content, lastModified)).getReader();
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (!done) return controller.enqueue(value as Uint8Array<ArrayBuffer>);
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
        await reader.cancel().catch(() => undefined);
      },
    },
    { highWaterMark: 0 },
  );
}

async function* filesOf({ entries, read }: ArchiveContent, lastModified: Date) {
  let place = 0;
  for await (const bytes of read()) {
    const entry = entries[place++];
    if (entry?.sizeBytes !== bytes.length)
      throw new Error("an entry of an archive has not the size that was announced");
    yield { name: entry.path, input: piecesOf(bytes), size: bytes.length, lastModified };
  }
}

/** Other requests are served between the pieces. */
async function* piecesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    yield bytes.subarray(at, at + pieceBytes);
    await setImmediate();
  }
}

function requirePlace(caller: string): void {
  const extra = { retryAfterSeconds, hint: `Try again in ${retryAfterSeconds} s` };
  if (underWay.taken(caller) >= most.ofOneCaller)
    throw new AppError("rate_limited", `More than ${most.ofOneCaller} archives are downloaded at once`, extra);
  if (underWay.total >= most.atOnce)
    throw new AppError("unavailable", "As many archives are downloaded as this process allows", extra);
}
