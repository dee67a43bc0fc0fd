// Reads a JSON body that may be hostile: bounded before it is read, fatal UTF-8, no compression (security 3).
import { AppError } from "@plinth/contract/errors";
import { bodyBytesBeyondContent } from "@plinth/contract/limits";
import { contentTooLarge } from "@plinth/domain/content/size";
import { invalid } from "@plinth/domain/input";

/** JSON may write a byte of content as six characters. */
const escapeFactor = 6;

const decoder = new TextDecoder("utf-8", { fatal: true });
/** Leaves out nothing, not even a byte order mark: what is signed is every byte. */
const exact = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The decoded body, undefined where there is none; or what is wrong with it, to be said when its turn comes. */
export async function readBody(request: Request, maxContentBytes: number): Promise<{ body: unknown } | AppError> {
  if (request.body === null) return { body: undefined };
  const refusal = wrongHeaders(request);
  if (refusal !== null) return refusal;
  const bytes = await readBounded(request, maxContentBytes * escapeFactor + bodyBytesBeyondContent).catch(cutOff);
  if (bytes === null) return contentTooLarge(maxContentBytes);
  if (bytes instanceof AppError) return bytes;
  if (bytes.length === 0) return { body: undefined };
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

/** The fields of a form; or what is wrong with it, `tooLarge` where it has more bytes. */
export async function readForm(
  request: Request,
  maxBytes: number,
  tooLarge: AppError = wrongBody(`must have at most ${maxBytes} bytes`),
): Promise<URLSearchParams | AppError> {
  const type = request.headers.get("content-type") ?? "";
  if (!/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(type))
    return wrongBody("must be sent as application/x-www-form-urlencoded");
  const bytes = await readBounded(request, maxBytes).catch(cutOff);
  if (bytes === null) return tooLarge;
  if (bytes instanceof AppError) return bytes;
  try {
    return new URLSearchParams(decoder.decode(bytes));
  } catch {
    return wrongBody("is not valid UTF-8");
  }
}

/** The body as it was sent, for a signature over it; or what is wrong with it. */
export async function readText(request: Request, limitBytes: number): Promise<string | AppError> {
  if ((request.headers.get("content-encoding") ?? "identity") !== "identity")
    return wrongBody("must not be compressed");
  const bytes = await readBounded(request, limitBytes).catch(cutOff);
  if (bytes === null) return contentTooLarge(limitBytes);
  if (bytes instanceof AppError) return bytes;
  try {
    return exact.decode(bytes);
  } catch {
    return wrongBody("is not valid UTF-8");
  }
}

async function readBounded(request: Request, limit: number): Promise<Uint8Array | null> {
  if (Number(request.headers.get("content-length") ?? 0) > limit) return null;
  // A length that was declared is kept by the server; only a body without one has to be counted.
  if (request.headers.has("content-length")) return new Uint8Array(await request.arrayBuffer());
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.length;
    if (size > limit) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** A caller who hung up is no fault of ours, whoever may still hear it. */
function cutOff(error: unknown): AppError {
  if (error instanceof Error && error.name === "AbortError") return wrongBody("was cut off");
  throw error;
}

const wrongBody = (message: string): AppError => invalid([{ path: "", message }]);
