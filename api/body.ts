// Reads a body that may be hostile: bounded before it is read, no more than its beginning before the caller is known,
// fatal UTF-8, no compression, and no structure that the parser would build for long (security 3).
import { AppError } from "@plinth/contract/errors";
import { bodyBytesBeforeLookUp, bodyBytesBeyondContent, bodyDepth, bodyValues } from "@plinth/contract/limits";
import { invalid } from "@plinth/domain/input";

import { createBodyReader, readRest } from "./body-reader.ts";
import { bodyRoom, type BodyRoom } from "./body-room.ts";
import { excessIn, type JsonBounds } from "./json-scan.ts";

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
  const bytes = await readJsonBytes(request, reading);
  if (bytes === null) return { body: undefined };
  if (bytes instanceof AppError) return bytes;
  const excess = excessIn(bytes, bodyBounds);
  if (excess === "depth") return wrongBody(`is nested deeper than ${bodyDepth} levels`);
  if (excess === "values") return wrongBody(`has more than ${bodyValues} values`);
  return parsed(bytes);
}

/** The bytes of a JSON body as they are, null where there are none. */
export async function readJsonBytes(request: Request, reading: Reading): Promise<Uint8Array | AppError | null> {
  if (request.body === null) return null;
  const refusal = wrongHeaders(request);
  if (refusal !== null) return refusal;
  const bytes = await readBounded(request, reading);
  return bytes instanceof AppError || bytes.length > 0 ? bytes : null;
}

export function parsed(bytes: Uint8Array): { body: unknown } | AppError {
  try {
    return { body: JSON.parse(decoder.decode(bytes)) as unknown };
  } catch (error) {
    return wrongBody(error instanceof TypeError ? "is not valid UTF-8" : "is not valid JSON");
  }
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
  const { limitBytes, tooLarge = bodyTooLarge(limitBytes) } = reading;
  const length = request.headers.get("content-length");
  // A length that was declared is kept by the server; only a body without one has to be counted.
  if (length !== null && Number(length) > limitBytes) return tooLarge;
  if (length !== null && Number(length) <= bodyBytesBeforeLookUp)
    return request.arrayBuffer().then((buffer) => new Uint8Array(buffer), cutOff);
  if (request.body === null) return new Uint8Array();
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
    return reader.size > limitBytes ? tooLarge : reader.bytes();
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
