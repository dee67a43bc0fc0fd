// Reads the bytes of one large body: its beginning, then the rest, reserving memory as it arrives. It does not know the
// meaning of the bytes.
import type { AppError } from "@plinth/contract/errors";

import type { BodyRoom } from "./body-room.ts";

/** The time for a slow connection, which then loses its reservation. */
const graceMs = 10_000;
const bytesASecond = 16 * 1024;

interface BodyReader {
  /** Bytes read so far. */
  readonly size: number;
  /** Reads until there are more bytes than the limit, or no more to read. */
  readBeyond(limitBytes: number): Promise<void>;
  /** Whether everything was read. */
  readonly isWhole: boolean;
  /** The pieces read so far, none of them empty. */
  readonly pieces: Uint8Array[];
  /** Stops reading. */
  cancel(): Promise<void>;
}

export function createBodyReader(body: ReadableStream<Uint8Array>): BodyReader {
  const reader = body.getReader();
  const pieces: Uint8Array[] = [];
  const state = { size: 0, isWhole: false };
  return {
    pieces,
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
        else if (value.length > 0) {
          pieces.push(value);
          state.size += value.length;
        }
      }
    },
    cancel: () => reader.cancel(),
  };
}

export interface Rest {
  readonly reader: BodyReader;
  readonly room: BodyRoom;
  /** The key of the caller's share of the memory. */
  readonly key: string;
  /** Null where it was not declared. */
  readonly lengthBytes: number | null;
  readonly limitBytes: number;
  /** Receives the function that releases the memory, to be called once no part of the body is held. */
  readonly keep: (leave: () => void) => void;
}

/**
 * Reads the rest, and returns the outcome. Memory is reserved for bytes that have arrived, so a body that was only
 * declared reserves none. @throws unavailable where no memory is free in time, or
 * where the body is slow and others wait for its memory
 */
export async function readRest(rest: Rest): Promise<"whole" | "large" | "late"> {
  const { reader, room, key, lengthBytes, limitBytes, keep } = rest;
  let stopped: "late" | AppError | null = null;
  const stop = (why: "late" | AppError) => {
    stopped ??= why;
    void reader.cancel();
  };
  const place = room.enter(key, stop);
  keep(place.leave);
  const timer = setTimeout(() => stop("late"), graceMs + ((lengthBytes ?? limitBytes) / bytesASecond) * 1000);
  try {
    await place.take(reader.size);
    while (stopped === null && !reader.isWhole && reader.size <= limitBytes) {
      const before = reader.size;
      await reader.readBeyond(before);
      await place.take(reader.size - before);
    }
  } finally {
    clearTimeout(timer);
    place.arrived();
  }
  if (stopped === null) return reader.size > limitBytes ? "large" : "whole";
  if (stopped === "late") return "late";
  throw stopped;
}
