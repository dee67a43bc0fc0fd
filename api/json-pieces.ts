// Parses JSON from bytes in pieces, and knows where in a request a text to publish is.
import type { Packed, PackedText } from "@plinth/domain/storage/pack";
import { isRecord } from "@plinth/platform/malformed";

import { createJsonScan, type JsonBounds } from "./json-scan.ts";

export type ParsedJson =
  | {
      readonly json: unknown;
      /** The text of a large request, packed where it was parsed. */
      readonly packed?: PackedText;
    }
  /** The limit that its structure exceeds. */
  | { readonly excess: keyof JsonBounds }
  | { readonly wrong: string };

export interface SentToWorker {
  readonly pieces: readonly Uint8Array[];
  readonly bounds: JsonBounds;
}

/** The worker's answer. The text is in it once, in the value. */
export interface ParsedInWorker {
  readonly parsed: ParsedJson;
  readonly packed: (Packed & { readonly data: Uint8Array<ArrayBuffer> }) | null;
}

/** The text that a request to the API, or a tool call, publishes; null where it publishes none. */
export function contentIn(json: unknown): string | null {
  const { content, params } = fieldsOf(json);
  const text = content ?? fieldsOf(fieldsOf(params)["arguments"])["content"];
  return typeof text === "string" ? text : null;
}

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> => (isRecord(value) ? value : {});

/** The value of the text, or the limit that it exceeds, or its fault as the end of a sentence. */
export function parsePieces(pieces: readonly Uint8Array[], bounds: JsonBounds): ParsedJson {
  const scan = createJsonScan(bounds);
  for (const piece of pieces) {
    const excess = scan(piece);
    if (excess !== null) return { excess };
  }
  const decoder = new TextDecoder("utf-8", { fatal: true });
  try {
    const text = pieces.map((piece) => decoder.decode(piece, { stream: true })).join("") + decoder.decode();
    return { json: JSON.parse(text) as unknown };
  } catch (error) {
    return { wrong: error instanceof TypeError ? "is not valid UTF-8" : "is not valid JSON" };
  }
}
