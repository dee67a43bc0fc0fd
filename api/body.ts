// Reads a body that may be hostile: bounded before it is read, no more than its beginning before the caller is known,
// fatal UTF-8, no compression, and no structure that the parser would build for long (docs/reference/security.md §3).
import { AppError } from "@plinth/contract/errors";
import { bodyBytesBeforeLookUp, bodyBytesBeyondContent, bodyDepth, bodyValues } from "@plinth/contract/limits";
import { invalid } from "@plinth/domain/input";

import { createBodyReader, readRest } from "./body-reader.ts";
import { bodyRoom, type BodyRoom } from "./body-room.ts";
import { parseJson } from "./json-parser.ts";
import { createJsonScan, type JsonBounds } from "./json-scan.ts";

/** JSON may write a byte of content as six characters. */
const escapeFactor = 6;

/** Bytes of a JSON body that holds content. */
export const contentBodyBytes = (maxContentBytes: number): number =>
  maxContentBytes * escapeFactor + bodyBytesBeyondContent;

const bodyBounds: JsonBounds = { depth: bodyDepth, values: bodyValues };

const decoder = new TextDecoder("utf-8", { fatal: true });
/** Leaves out nothing, not even a byte order mark: what is signed is every byte. */
const exact = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** How a body is read. */
export interface Reading {
  readonly limitBytes: number;
  /** What is answered where it has more; says the limit unless given. */
  readonly tooLarge?: AppError;
  /**
   * Called before more than the beginning of a body is read: looks up who sends it, and gives what their large bodies
   * are counted under. What it throws ends the reading.
   */
  identify(): Promise<string>;
  /** Is given what gives back the room of a large body: to be called once the request is answered. */
  readonly keep: (leave: () => void) => void;
  /** That of the process unless given. */
  readonly room?: BodyRoom;
}

/** For bodies that end where a caller would be looked up. */
export const small = (limitBytes: number): Reading => ({
  limitBytes: Math.min(limitBytes, bodyBytesBeforeLookUp),
  identify: () => Promise.reject(new Error("a small body needs no look-up")),
  keep: (leave) => leave(),
});

/** The decoded body, undefined where there is none; or what is wrong with it, to be said when its turn comes. */
export async function readBody(request: Request, reading: Reading): Promise<{ body: unknown } | AppError> {
  const read = await readJson(request, reading, bodyBounds);
  if (read === null) return { body: undefined };
  if (read instanceof AppError) return read;
  if ("json" in read) return { body: read.json };
  if (read.excess === "depth") return wrongBody(`is nested deeper than ${bodyDepth} levels`);
  return wrongBody(`has more than ${bodyValues} values`);
}

/** The value of a JSON body, null where there is none; or the bound that its structure exceeds, or what is wrong with it. */
export async function readJson(
  request: Request,
  reading: Reading,
  bounds: JsonBounds,
): Promise<{ json: unknown } | { excess: keyof JsonBounds } | AppError | null> {
  if (request.body === null) return null;
  const refusal = wrongHeaders(request);
  if (refusal !== null) return refusal;
  const pieces = await readPieces(request, reading, createJsonScan(bounds));
  if (!Array.isArray(pieces)) return typeof pieces === "string" ? { excess: pieces } : pieces;
  if (pieces.length === 0) return null;
  const parsed = await parseJson(pieces);
  return "wrong" in parsed ? wrongBody(parsed.wrong) : parsed;
}

function wrongHeaders(request: Request): AppError | null {
  const encoding = request.headers.get("content-encoding");
  if (encoding !== null && encoding !== "identity") return wrongBody("must not be compressed");
  const type = request.headers.get("content-type");
  if (type === null || /^application\/(?:json|[\w.+-]+\+json)\s*(?:;|$)/i.test(type)) return null;
  return wrongBody("must be sent as application/json");
}

/** The fields of a form; or what is wrong with it. */
export async function readForm(request: Request, reading: Reading): Promise<URLSearchParams | AppError> {
  const type = request.headers.get("content-type") ?? "";
  if (!/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(type))
    return wrongBody("must be sent as application/x-www-form-urlencoded");
  const tooLarge = wrongBody(`must have at most ${reading.limitBytes} bytes`);
  const bytes = await readBounded(request, { tooLarge, ...reading });
  if (bytes instanceof AppError) return bytes;
  try {
    return new URLSearchParams(decoder.decode(bytes));
  } catch {
    return wrongBody("is not valid UTF-8");
  }
}

/** The body as it was sent, for a signature over it; or what is wrong with it. */
export async function readText(request: Request, reading: Reading): Promise<string | AppError> {
  if ((request.headers.get("content-encoding") ?? "identity") !== "identity")
    return wrongBody("must not be compressed");
  const bytes = await readBounded(request, reading);
  if (bytes instanceof AppError) return bytes;
  try {
    return exact.decode(bytes);
  } catch {
    return wrongBody("is not valid UTF-8");
  }
}

/** The bytes of a body as they are; or what is wrong with it. */
export async function readBounded(request: Request, reading: Reading): Promise<Uint8Array | AppError> {
  const pieces = await readPieces(request, reading);
  if (!Array.isArray(pieces)) return pieces;
  const [only = new Uint8Array(), ...more] = pieces;
  return more.length === 0 ? only : Buffer.concat(pieces);
}

/** The bytes of a body in the pieces in which they came, none of them empty; `scan` ends the reading with what it finds. */
async function readPieces(request: Request, reading: Reading): Promise<Uint8Array[] | AppError>;
async function readPieces<Found>(
  request: Request,
  reading: Reading,
  scan: (piece: Uint8Array) => Found | null,
): Promise<Uint8Array[] | AppError | Found>;
async function readPieces<Found>(
  request: Request,
  reading: Reading,
  scan: (piece: Uint8Array) => Found | null = () => null,
): Promise<Uint8Array[] | AppError | Found> {
  const { limitBytes, tooLarge = bodyTooLarge(limitBytes) } = reading;
  const length = request.headers.get("content-length");
  // A length that was declared is kept by the server; only a body without one has to be counted.
  if (length !== null && Number(length) > limitBytes) return tooLarge;
  if (request.body === null) return [];
  if (length !== null && Number(length) <= bodyBytesBeforeLookUp) {
    const bytes = await request.arrayBuffer().then((buffer) => new Uint8Array(buffer), cutOff);
    if (bytes instanceof AppError) return bytes;
    return bytes.length === 0 ? [] : (scan(bytes) ?? [bytes]);
  }
  const reader = createBodyReader(request.body, scan);
  try {
    if (length === null) await reader.readBeyond(Math.min(limitBytes, bodyBytesBeforeLookUp));
    if (!reader.isWhole && reader.size <= limitBytes) {
      const key = await reading.identify();
      const lengthBytes = length === null ? null : Number(length);
      const { room = bodyRoom, keep } = reading;
      const end = await readRest({ reader, room, key, lengthBytes, limitBytes, keep });
      if (end === "late") return wrongBody("took too long to arrive");
    }
    return reader.found ?? (reader.size > limitBytes ? tooLarge : reader.pieces);
  } catch (error) {
    return cutOff(error);
  } finally {
    if (!reader.isWhole) await reader.cancel().catch(() => undefined);
  }
}

/** A caller who hung up is no fault of ours, even where an answer still reaches them. */
function cutOff(error: unknown): AppError {
  if (error instanceof Error && error.name === "AbortError") return wrongBody("was cut off");
  throw error;
}

const bodyTooLarge = (limitBytes: number): AppError =>
  new AppError("content_too_large", `The body is larger than ${limitBytes} bytes`, { limitBytes });

const wrongBody = (message: string): AppError => invalid([{ path: "", message }]);
