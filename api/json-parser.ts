// Parses JSON bodies. A large one takes up to 60 ms, in which the server would answer no other request: a worker parses
// it beside the server.
import { Worker } from "node:worker_threads";

import { offMainThread } from "@plinth/platform/main-thread";

import { contentIn, parsePieces, type ParsedInWorker, type ParsedJson, type SentToWorker } from "./json-pieces.ts";
import type { JsonBounds } from "./json-scan.ts";

/** The worker parses a body of this size or more; a smaller one takes about a millisecond. */
const largeBytes = 256 * 1024;

let worker: Worker | null = null;
/** One for each text in the worker, in the order of its answers. */
let waiting: PromiseWithResolvers<ParsedJson>[] = [];

/**
 * The value of the text in the pieces, or its fault. The pieces of a large text are transferred to the worker: they are
 * empty afterwards.
 */
export function parseJson(pieces: readonly Uint8Array[], bounds: JsonBounds): Promise<ParsedJson> {
  const bytes = pieces.reduce((sum, piece) => sum + piece.length, 0);
  if (bytes < largeBytes) return Promise.resolve(parsePieces(pieces, bounds));
  const parsed = Promise.withResolvers<ParsedJson>();
  waiting.push(parsed);
  worker ??= startWorker();
  worker.ref();
  // A part of a larger buffer is copied, because other data may be in the rest of it.
  const own = pieces.map((piece) => (piece.length === piece.buffer.byteLength ? piece : piece.slice()));
  worker.postMessage(
    { pieces: own, bounds } satisfies SentToWorker,
    own.map(({ buffer }) => buffer as ArrayBuffer),
  );
  return offMainThread(parsed.promise);
}

function startWorker(): Worker {
  const started = new Worker(new URL("json-parser-worker.ts", import.meta.url));
  started.on("message", (answer: ParsedInWorker) => {
    waiting.shift()?.resolve(withPacked(answer));
    // An idle worker does not keep the process alive.
    if (waiting.length === 0) started.unref();
  });
  started.on("error", (cause) => {
    const lost = waiting;
    waiting = [];
    worker = null;
    void started.terminate();
    for (const { reject } of lost) reject(new Error("The worker that parses JSON has failed", { cause }));
  });
  return started;
}

function withPacked({ parsed, packed }: ParsedInWorker): ParsedJson {
  const text = "json" in parsed ? contentIn(parsed.json) : null;
  return packed === null || text === null ? parsed : { ...parsed, packed: { ...packed, text } };
}
