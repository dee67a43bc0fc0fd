// Reads the bytes of one large body: its beginning, then the rest in room that is taken as it arrives. Knows nothing of what the
// bytes are.
import type { AppError } from "@plinth/contract/errors";

import type { BodyRoom } from "./body-room.ts";

/** A slow line has so long, and holds its room no longer. */
const graceMs = 10_000;
const bytesASecond = 16 * 1024;

export interface BodyReader<Found = unknown> {
  /** Bytes read so far. */
  readonly size: number;
  /** Reads until there are more bytes than that, or none left to read. */
  readBeyond(limitBytes: number): Promise<void>;
  /** Whether everything was read. */
  readonly isWhole: boolean;
  /** What the scan found, null where nothing yet. */
  readonly found: Found | null;
  /** Whether there is nothing more to read: everything was, or the scan found something. */
  readonly isOver: boolean;
  /** What was read, none of it empty. */
  readonly pieces: Uint8Array[];
  /** Reads no more. */
  cancel(): Promise<void>;
}

/** Each piece is given to `scan`; what it finds ends the reading. */
export function createBodyReader<Found>(
  body: ReadableStream<Uint8Array>,
  scan: (piece: Uint8Array) => Found | null,
): BodyReader<Found> {
  const reader = body.getReader();
  const pieces: Uint8Array[] = [];
  const state = { size: 0, isWhole: false, found: null as Found | null };
  const isOver = () => state.isWhole || state.found !== null;
  return {
    pieces,
    get size() {
      return state.size;
    },
    get isWhole() {
      return state.isWhole;
    },
    get found() {
      return state.found;
    },
    get isOver() {
      return isOver();
    },
    async readBeyond(limitBytes) {
      while (!isOver() && state.size <= limitBytes) {
        const { done, value } = await reader.read();
        if (done) state.isWhole = true;
        else if (value.length > 0) {
          pieces.push(value);
          state.size += value.length;
          state.found = scan(value);
        }
      }
    },
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
  /** Is given what gives the room back, to be called once nothing of the body is held. */
  readonly keep: (leave: () => void) => void;
}

/**
 * Reads the rest, or until the scan finds something; says how that ended. Room is taken for what has arrived, so a body that was only announced holds none.
 * @throws unavailable where there is no room in time, or where the body is slow and others wait for its room
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
    while (stopped === null && !reader.isOver && reader.size <= limitBytes) {
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
