// Reads the bytes of one large body: its beginning, then the rest in room that is taken for it. Knows nothing of what the
// bytes are.
import type { BodyRoom } from "./body-room.ts";

/** Room that is taken at first for a body of unknown length, and at least. */
const firstBytes = 256 * 1024;
/** A slow line has so long, and holds its room no longer. */
const graceMs = 10_000;
const bytesASecond = 16 * 1024;

export interface BodyReader {
  /** Bytes read so far. */
  readonly size: number;
  /** Reads until there are more bytes than that, or none left. */
  readBeyond(limitBytes: number): Promise<void>;
  /** Whether everything was read. */
  readonly isWhole: boolean;
  bytes(): Uint8Array;
  /** Reads no more. */
  cancel(): Promise<void>;
}

export function createBodyReader(body: ReadableStream<Uint8Array>): BodyReader {
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  const state = { size: 0, isWhole: false };
  return {
    get size() {
      return state.size;
    },
    get isWhole() {
      return state.isWhole;
    },
    async readBeyond(limitBytes) {
      while (!state.isWhole && state.size <= limitBytes) {
        const { done, value } = await reader.read();
        if (done) state.isWhole = true;
        else {
          chunks.push(value);
          state.size += value.length;
        }
      }
    },
    bytes: () => (chunks.length === 1 ? (chunks[0] ?? new Uint8Array()) : Buffer.concat(chunks)),
    cancel: () => reader.cancel(),
  };
}

export interface Rest {
  readonly reader: BodyReader;
  readonly room: BodyRoom;
  /** What the room is taken under. */
  readonly key: string;
  /** Null where it was not declared. */
  readonly lengthBytes: number | null;
  readonly limitBytes: number;
}

/** Reads the rest; says how that ended. @throws unavailable where there is no room in time */
export async function readRest(rest: Rest): Promise<"whole" | "large" | "late"> {
  const { reader, room, key, lengthBytes, limitBytes } = rest;
  const leave: (() => void)[] = [];
  let taken = 0;
  const take = async (bytes: number) => {
    leave.push(await room.take(key, bytes));
    taken += bytes;
  };
  let isLate = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    await take(lengthBytes ?? Math.min(limitBytes, Math.max(firstBytes, reader.size)));
    timer = setTimeout(
      () => {
        isLate = true;
        void reader.cancel();
      },
      graceMs + ((lengthBytes ?? limitBytes) / bytesASecond) * 1000,
    );
    await reader.readBeyond(taken);
    while (!reader.isWhole && taken < limitBytes) {
      await take(Math.min(taken, limitBytes - taken));
      await reader.readBeyond(taken);
    }
    if (isLate) return "late";
    return reader.isWhole && reader.size <= limitBytes ? "whole" : "large";
  } finally {
    clearTimeout(timer);
    for (const giveBack of leave) giveBack();
  }
}
