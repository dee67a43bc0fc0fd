// Reads a body that may be hostile: limited before it is read, no more than its beginning before the caller is known,
// fatal UTF-8, no compression, and no structure that would keep the parser busy for long (docs/reference/security.md
// §3).
import { AppError } from "@plinth/contract/errors";
import { bodyBytesBeforeLookUp, bodyBytesBeyondContent, bodyDepth, bodyValues } from "@plinth/contract/limits";
import { invalid } from "@plinth/domain/input";
import type { PackedText } from "@plinth/domain/storage/pack";

import { createBodyReader, readRest } from "./body-reader.ts";
import { bodyRoom, type BodyRoom } from "./body-room.ts";
import { parseJson } from "./json-parser.ts";
import type { ParsedJson } from "./json-pieces.ts";
import type { JsonBounds } from "./json-scan.ts";

/** JSON may write a byte of content as six characters. */
const escapeFactor = 6;

/** The limit of a JSON body that holds content, in bytes. */
export const contentBodyBytes = (maxContentBytes: number): number =>
  maxContentBytes * escapeFactor + bodyBytesBeyondContent;

const bodyBounds: JsonBounds = { depth: bodyDepth, values: bodyValues };

const decoder = new TextDecoder("utf-8", { fatal: true });
/** Keeps every byte, including a byte order mark, because the signature covers every byte. */
const exact = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** How to read a body. */
export interface Reading {
  readonly limitBytes: number;
  /** The error for a longer body; by default one that names the limit. */
  readonly tooLarge?: AppError;
  /**
   * Called before more than the beginning of a body is read: looks up the sender, and returns the key under which its
   * large bodies are counted. An error ends the reading.
   */
  identify(): Promise<string>;
  /** Receives the function that releases the memory of a large body: to be called once the request is answered. */
  readonly keep: (leave: () => void) => void;
  /** The process's by default. */
  readonly room?: BodyRoom;
}

/** For bodies so short that no caller is looked up before they are read. */
export const small = (limitBytes: number): Reading => ({
  limitBytes: Math.min(limitBytes, bodyBytesBeforeLookUp),
  identify: () => Promise.reject(new Error("a small body needs no look-up")),
  keep: (leave) => leave(),
});

/** The decoded body, undefined where there is none; or its fault, to be reported in the order of checks. */
export async function readBody(
  request: Request,
  reading: Reading,
): Promise<{ body: unknown; packed?: PackedText | undefined } | AppError> {
  const read = await readJson(request, reading, bodyBounds);
  if (read === null) return { body: undefined };
  if (read instanceof AppError) return read;
  if ("json" in read) return { body: read.json, packed: read.packed };
  if (read.excess === "depth") return wrongBody(`is nested deeper than ${bodyDepth} levels`);
  return wrongBody(`has more than ${bodyValues} values`);
}

/** The value of a body, and its text where that was packed as it was parsed. */
export type ReadJson = Extract<ParsedJson, { readonly json: unknown }>;

/** The value of a JSON body or the limit that its structure exceeds, null where there is none; or its fault. */
export async function readJson(
  request: Request,
  reading: Reading,
  bounds: JsonBounds,
): Promise<ReadJson | { readonly excess: keyof JsonBounds } | AppError | null> {
  if (request.body === null) return null;
  const refusal = wrongHeaders(request);
  if (refusal !== null) return refusal;
  const pieces = await readPieces(request, reading);
  if (!Array.isArray(pieces)) return pieces;
  if (pieces.length === 0) return null;
  const parsed = await parseJson(pieces, bounds);
  return "wrong" in parsed ? wrongBody(parsed.wrong) : parsed;
}

function wrongHeaders(request: Request): AppError | null {
  const encoding = request.headers.get("content-encoding");
  if (encoding !== null && encoding !== "identity") return wrongBody("must not be compressed");
  const type = request.headers.get("content-type");
  if (type === null || /^application\/(?:json|[\w.+-]+\+json)\s*(?:;|$)/i.test(type)) return null;
  return wrongBody("must be sent as application/json");
}

/** The fields of a form; or its fault. */
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

/** The body as it was sent, for a signature over it; or its fault. */
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

/** The body of an upload, of any type; or its fault. */
export async function readFile(request: Request, reading: Reading): Promise<Uint8Array<ArrayBuffer> | AppError> {
  if ((request.headers.get("content-encoding") ?? "identity") !== "identity")
    return wrongBody("must not be compressed");
  return readBounded(request, reading) as Promise<Uint8Array<ArrayBuffer> | AppError>;
}

/** The bytes of a body, unchanged; or its fault. */
export async function readBounded(request: Request, reading: Reading): Promise<Uint8Array | AppError> {
  const pieces = await readPieces(request, reading);
  if (!Array.isArray(pieces)) return pieces;
  const [only = new Uint8Array(), ...more] = pieces;
  return more.length === 0 ? only : Buffer.concat(pieces);
}

/** The bytes of a body in the pieces in which they arrived, none of them empty; or its fault. */
async function readPieces(request: Request, reading: Reading): Promise<Uint8Array[] | AppError> {
  const { limitBytes, tooLarge = bodyTooLarge(limitBytes) } = reading;
  const length = request.headers.get("content-length");
  // The server enforces a declared length; only a body without one has to be counted.
  if (length !== null && Number(length) > limitBytes) return tooLarge;
  if (request.body === null) return [];
  if (length !== null && Number(length) <= bodyBytesBeforeLookUp) {
    const bytes = await request.arrayBuffer().then((buffer) => new Uint8Array(buffer), cutOff);
    if (bytes instanceof AppError) return bytes;
    return bytes.length === 0 ? [] : [bytes];
  }
  const reader = createBodyReader(request.body);
  try {
    if (length === null) await reader.readBeyond(Math.min(limitBytes, bodyBytesBeforeLookUp));
    if (!reader.isWhole && reader.size <= limitBytes) {
      const key = await reading.identify();
      const lengthBytes = length === null ? null : Number(length);
      const { room = bodyRoom, keep } = reading;
      const end = await readRest({ reader, room, key, lengthBytes, limitBytes, keep });
      if (end === "late") return wrongBody("took too long to arrive");
    }
    return reader.size > limitBytes ? tooLarge : reader.pieces;
  } catch (error) {
    return cutOff(error);
  } finally {
    if (!reader.isWhole) await reader.cancel().catch(() => undefined);
  }
}

/** A disconnected caller is not a server fault, even where the response still arrives. */
function cutOff(error: unknown): AppError {
  if (error instanceof Error && error.name === "AbortError") return wrongBody("was cut off");
  throw error;
}

const bodyTooLarge = (limitBytes: number): AppError =>
  new AppError("content_too_large", `The body is larger than ${limitBytes} bytes`, { limitBytes });

const wrongBody = (message: string): AppError => invalid([{ path: "", message }]);
